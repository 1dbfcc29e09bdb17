/**
 * A mistake of the user or a state of the machine that we know and can explain. Its message says what was
 * expected and what was found; `hint` says what to do. It is shown without a stack trace, everything else is a bug.
 */
export class KnownError extends Error {
  override readonly name = 'KnownError';
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
  }
}

/** Also where another copy of us threw it: a module of the user has the library's, and the command line its own. */
export function isKnownError(value: unknown): value is KnownError {
  return value instanceof Error && value.name === 'KnownError';
}
