/** A mistake on the command line: printed as is, exit code 2 (the same as for a reached limit). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure outside the loop: prints `Error: message`, then its causes; exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly causes: readonly string[];

  constructor(message: string, ...causes: readonly string[]) {
    super(message);
    this.causes = causes;
  }
}

/** Runs an action and adds the context to its failure. */
export function inContext<T>(context: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw withContext(context, error);
  }
}

/** Adds context to a failure; leaves a bug unchanged. */
export function withContext(context: string, error: unknown): unknown {
  const failure = toFailure(error);
  return failure === undefined ? error : new CommandError(context, failure.message, ...failure.causes);
}

/** Converts an error to a failure for the user; `undefined` for a bug. */
export function toFailure(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  const words = OS_ERRORS[readErrorCode(error) ?? ''];
  return words === undefined ? undefined : new CommandError(words);
}

/** Runs an action, and returns the substitute if it fails. */
export function orElse<T>(action: () => T, substitute: T): T {
  try {
    return action();
  } catch (error) {
    if (toFailure(error) === undefined) throw error;
    return substitute;
  }
}

/** Renders a failure like a Rust program with error contexts: several causes are numbered. */
export function formatFailure({ message, causes }: CommandError): string {
  if (causes.length === 0) return `Error: ${message}`;
  const [first = '', ...rest] = causes.map((cause, index) => {
    const number = causes.length === 1 ? '' : `${index}: `;
    const lines = cause.split('\n');
    return lines
      .map((line, at) => (line === '' ? '' : `    ${at === 0 ? number : ' '.repeat(number.length)}${line}`))
      .join('\n');
  });
  return [`Error: ${message}\n\nCaused by:\n${first}`, ...rest].join('\n');
}

const OS_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  EEXIST: 'File exists (os error 17)',
  ENOTDIR: 'Not a directory (os error 20)',
  EISDIR: 'Is a directory (os error 21)',
  EPIPE: 'Broken pipe (os error 32)',
  ENOSPC: 'No space left on device (os error 28)',
  EROFS: 'Read-only file system (os error 30)',
  E2BIG: 'Argument list too long (os error 7)',
};

/** Describes an error code in the operating system's words, as the real binary prints it. */
export function describeOsError(error: NodeJS.ErrnoException): string {
  return OS_ERRORS[error.code ?? ''] ?? error.message;
}

/** Returns the code of a file system or spawn error; `undefined` for anything else. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
