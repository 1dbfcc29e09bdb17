import { join } from 'node:path';
import { BACKENDS, type Environment, standInFolder } from '../backends/index.js';
import { type BackendId, LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { findExecutable } from '../exec/find-executable.js';

/** Finds the program of a backend: the stand-in, the named one, or the one on PATH; null if there is none. */
export function findProgram(
  lane: Lane,
  backend: BackendId,
  { executable, env }: { readonly executable?: string | null; readonly env: Environment },
): string | null {
  const { command } = BACKENDS[backend];
  return LANE_TRAITS[lane].standIns
    ? findExecutable(join(standInFolder(), command), undefined)
    : findExecutable(executable ?? command, env.PATH);
}
