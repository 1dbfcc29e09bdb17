/**
 * A user's mistake, or a state of the machine, that ralph-e2e can explain. The message says what was expected and what
 * was found; `hint` says what to do. It is shown without a stack trace. Any other error is a bug.
 */
export class KnownError extends Error {
  override readonly name = 'KnownError';
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
  }
}

/** Recognizes errors of another copy of this class too: a user's module has the library's copy, the CLI its own. */
export function isKnownError(value: unknown): value is KnownError {
  return value instanceof Error && value.name === 'KnownError';
}
