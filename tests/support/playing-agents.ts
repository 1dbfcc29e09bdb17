import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../scenarios/index.js';
import { BACKEND_FACTS, type BackendId } from '../../src/domain/backends.js';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/**
 * Puts CLIs into a folder that behave as the real ones do, with models that do what the scenarios ask for. They know the
 * scenario by the name of their workspace, as no real model does.
 */
export function writePlayingAgents(folder: string, backends: readonly BackendId[]): string {
  const scripts = join(folder, 'scripts');
  mkdirSync(scripts, { recursive: true });
  for (const { id, tiedToBackend, agent } of catalogue) {
    for (const backend of backends) {
      const name = tiedToBackend ? id : `${id}-${backend}`;
      writeFileSync(join(scripts, `${name}.json`), JSON.stringify(agent));
    }
  }
  for (const backend of backends) {
    const { command } = BACKEND_FACTS[backend];
    writeProgram(
      join(folder, command),
      `RALPH_E2E_AGENT_SCRIPT="${scripts}/\${PWD##*/}.json" RALPH_E2E_AGENT_LOG="${folder}/calls/\${PWD##*/}.jsonl" exec ${DIST}/agent/bin/${command} "$@"`,
    );
  }
  return folder;
}

/** Writes a build of the stand-in for Ralph with these faults, at a path of its own. */
export function writeRalph(path: string, ...faults: readonly string[]): string {
  const set = `RALPH_STANDIN_TIME_SCALE=0.01 RALPH_STANDIN_FAULT="${faults.join()}"`;
  writeProgram(path, `${set} exec ${DIST}/standin/bin/ralph "$@"`);
  return path;
}

/** Writes a shell script that runs a command. */
export function writeProgram(path: string, command: string): void {
  writeFileSync(path, `#!/bin/sh\n${command}\n`);
  chmodSync(path, 0o755);
}
