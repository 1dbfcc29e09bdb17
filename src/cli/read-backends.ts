import { KnownError } from '../domain/known-error.js';
import { BACKEND_IDS, type BackendId, PRIMARY_BACKENDS } from '../domain/vocabulary.js';
import { either } from './values.js';

/** The backends of a call. */
export interface BackendChoice {
  /** Each once, in our own order. */
  readonly backends: readonly BackendId[];
  /** Those that the user named: unlike the default they must be tested, or the run says that they were not. */
  readonly named: readonly BackendId[];
}

/** Reads the backends that were named; none, or `all`, means the default ones. */
export function readBackends(
  words: readonly string[],
  all: readonly BackendId[] = PRIMARY_BACKENDS,
): BackendChoice {
  for (const word of words) refuseUnknown(word);
  const named = BACKEND_IDS.filter((id) => words.includes(id));
  if (!words.includes('all')) return { backends: named.length === 0 ? all : named, named };
  if (named.length === 0) return { backends: all, named };
  throw new KnownError(`"all" and ${named.join(', ')}: expected "all" alone, or backends by name.`, {
    hint: `"all" means ${PRIMARY_BACKENDS.join(', ')}, as no name does.`,
  });
}

function refuseUnknown(word: string): void {
  if (word === 'all' || BACKEND_IDS.some((id) => id === word)) return;
  throw new KnownError(`Unknown backend "${word}": expected ${either([...BACKEND_IDS, 'all'])}.`, {
    hint: 'Several are separated by spaces. Commands come first; `ralph-e2e --help` shows them.',
  });
}
