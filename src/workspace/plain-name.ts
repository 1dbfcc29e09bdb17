import { KnownError } from '../domain/common/known-error.js';

const PLAIN_NAME = /^[a-z0-9][a-z0-9._-]*$/i;
const MAX_LENGTH = 120;
/** Names that the root folder itself uses. On file systems that ignore case, `Runs` is the same folder. */
const RESERVED = /^(?:runs|report|report\..*|.*\.(?:json|jsonl|md|xml|html|lock|tmp|ralph-e2e))$/i;

/** Refuses a name that is not one plain path segment, or that the root folder itself uses. */
export function checkWorkspaceName(name: string): void {
  checkPlainName(name, 'workspace');
  if (RESERVED.test(name)) {
    throw new KnownError(
      `The workspace name '${name}' is reserved for a file or folder that ralph-e2e writes itself.`,
      {
        hint: 'Give the scenario another id.',
      },
    );
  }
}

/** Refuses a name that could lead out of its folder or be hidden in it. */
export function checkPlainName(name: string, what: string): void {
  if (PLAIN_NAME.test(name) && !name.includes('..') && name.length <= MAX_LENGTH) return;
  throw new KnownError(
    `Expected a plain ${what} name (letters, digits, '.', '_', '-', at most ${MAX_LENGTH}, no '..'), found ${JSON.stringify(name)}.`,
    { hint: 'Use a plain name: it becomes the name of a folder.' },
  );
}
