import { BACKEND_IDS, type BackendId, isBackendId, PRIMARY_BACKENDS } from '../../domain/backends.js';
import { KnownError } from '../../domain/common/known-error.js';
import { rankNearest } from '../../domain/common/nearest.js';
import { either } from '../../domain/options/option-values.js';

/** The backends that the user chose. */
export interface BackendChoice {
  /** Each once, in the order of the registry. */
  readonly backends: readonly BackendId[];
  /** Those that the user named. Unlike the default ones they must be tested, or the run reports that they were not. */
  readonly named: readonly BackendId[];
}

/** Reads the named backends; no name, or `all`, means the default ones. */
export function readBackends(
  words: readonly string[],
  {
    all = PRIMARY_BACKENDS,
    commands = [],
  }: {
    readonly all?: readonly BackendId[];
    /** The names of commands, to recognize one that was given as a backend. */
    readonly commands?: readonly string[];
  } = {},
): BackendChoice {
  for (const word of words) refuseUnknown(word, commands);
  const named = BACKEND_IDS.filter((id) => words.includes(id));
  if (!words.includes('all')) return { backends: named.length === 0 ? all : named, named };
  if (named.length === 0) return { backends: all, named };
  throw new KnownError(`"all" and ${named.join(', ')}: expected "all" alone, or backends by name.`, {
    hint: `"all" means ${PRIMARY_BACKENDS.join(', ')}; these backends also run if you do not name any.`,
  });
}

function refuseUnknown(word: string, commands: readonly string[]): void {
  if (word === 'all' || isBackendId(word)) return;
  throw new KnownError(`Unknown backend "${word}": expected ${either([...BACKEND_IDS, 'all'])}.`, {
    hint: adviseOn(word, commands),
  });
}

function adviseOn(word: string, commands: readonly string[]): string {
  if (commands.includes(word)) return `${word} is a command and comes first: \`ralph-e2e ${word} …\`.`;
  if (word.includes(',')) return 'Separate backends with spaces, not commas.';
  const meant = rankNearest(word, [...BACKEND_IDS, ...commands]);
  if (meant.length > 0) return `Did you mean ${either(meant)}?`;
  if (commands.length === 0) return 'Separate several backends with spaces.';
  const choose = /^[\w-]+$/.test(word)
    ? `To choose tests: --filter ${word} (part of an id) or --test ${word} (a whole id). `
    : '';
  return `${choose}Commands: ${commands.join(', ')}.`;
}
