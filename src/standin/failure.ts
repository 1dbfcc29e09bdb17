/** A mistake on the command line: printed as it is, exit code 2 (the same code as a limit that was reached). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure outside the loop's own vocabulary: `Error: message`, then its cause, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly causeText: string | undefined;

  constructor(message: string, causeText?: string) {
    super(message);
    this.causeText = causeText;
  }
}

/** Renders a failure the way a Rust program with error contexts does. */
export function formatFailure(error: CommandError): string {
  if (error.causeText === undefined) return `Error: ${error.message}`;
  const indented = error.causeText
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
  return `Error: ${error.message}\n\nCaused by:\n${indented}`;
}

const OS_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  ENOTDIR: 'Not a directory (os error 20)',
  E2BIG: 'Argument list too long (os error 7)',
};

/** The operating system's own words for an error code, as the real binary prints them. */
export function describeOsError(error: NodeJS.ErrnoException): string {
  return OS_ERRORS[error.code ?? ''] ?? error.message;
}

/** The code of a file system or spawn error, `undefined` for anything else that was thrown. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
