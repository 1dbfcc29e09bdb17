import type { Lane } from '../../domain/vocabulary.js';
import { findShortCredentials } from '../../exec/environment.js';
import { laneEnvironment } from '../../lane/environment.js';

/** Warns of credentials that are in too many ordinary words to be removed from the output; null if there are none. */
export function warnOfShort(lane: Lane, passEnv: readonly string[], base: NodeJS.ProcessEnv): string | null {
  const names = findShortCredentials(laneEnvironment({ lane, base, pass: passEnv }), passEnv);
  if (names.length === 0) return null;
  const values = names.length === 1 ? 'its value' : 'their values';
  return `warning: ${names.join(', ')}: shorter than 8 characters, so reports and output may show ${values}.`;
}
