import { BACKEND_FACTS, type BackendId } from './backends.js';

/** Appended to the version of every stand-in, so that nobody takes it for the real program. */
export const STAND_IN_MARK = '(ralph-e2e stand-in)';

/** The version of Ralph that our stand-in imitates. */
export const IMITATED_RALPH = '2.10.1';

/** Returns the version that the stand-in for an agent CLI prints. */
export function standInVersion(backend: BackendId): string {
  return `${BACKEND_FACTS[backend].imitates} ${STAND_IN_MARK}`;
}

/** The value of `--ralph` that selects the stand-in. */
export const EMBEDDED_RALPH = 'embedded';
