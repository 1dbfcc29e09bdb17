import { Script } from 'node:vm';
import { KnownError } from '../../domain/common/known-error.js';

/** How long a pattern of a script may take on one text. */
export const PATTERN_LIMIT_MS = 1000;

/** Searches a text; throws a PatternTooSlow if that takes too long. */
export type Matcher = (pattern: RegExp, text: string) => Captures | null;

/** The groups of a match. */
export type Captures = readonly string[];

/** A pattern that did not finish in its time. */
export class PatternTooSlow extends KnownError {
  readonly pattern: RegExp;
  readonly text: string;

  constructor(pattern: RegExp, text: string, milliseconds: number, rule?: string) {
    const where = rule === undefined ? '' : `rule "${rule}": `;
    super(
      `${where}the pattern ${pattern} did not finish within ${milliseconds} ms on a text of ${text.length} characters: make it simpler, for example without nested repetitions`,
    );
    this.pattern = pattern;
    this.text = text;
    this.#milliseconds = milliseconds;
  }

  readonly #milliseconds: number;

  /** Returns the same error with the name of the rule. */
  inRule(rule: string): PatternTooSlow {
    return new PatternTooSlow(this.pattern, this.text, this.#milliseconds, rule);
  }
}

/** Makes a matcher that blocks this thread for at most `milliseconds`. */
export function matchWithin(milliseconds: number): Matcher {
  return (pattern, text) => {
    const search = () => readMatch(pattern.exec(text));
    // Without repetitions and choices there is nothing to limit, and a limit costs 0.2 ms.
    if (!/[*+{?|]/.test(pattern.source)) return search();
    const outer: unknown = Reflect.get(MAIN_GLOBALS, SEARCH);
    let found: Captures | null = null;
    Reflect.set(MAIN_GLOBALS, SEARCH, () => {
      found = search();
    });
    try {
      CALL_SEARCH.runInThisContext({ timeout: milliseconds });
      return found;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      throw new PatternTooSlow(pattern, text, milliseconds);
    } finally {
      Reflect.set(MAIN_GLOBALS, SEARCH, outer);
    }
  };
}

/** Returns the groups of a match; a group that did not take part is empty. */
export function readMatch(match: readonly (string | undefined)[] | null): Captures | null {
  return match === null ? null : match.slice(1).map((group) => group ?? '');
}

/** Only code that runs in a Script can be interrupted, and it reaches nothing but globals. */
const SEARCH = Symbol.for('ralph-e2e.search');
const CALL_SEARCH = new Script("globalThis[Symbol.for('ralph-e2e.search')]()");
/** The globals that a Script sees. Test runners such as Jest give this file others, and another class `Error`. */
const MAIN_GLOBALS: object = new Script('globalThis').runInThisContext();

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
