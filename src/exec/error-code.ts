import { messageOf } from '../domain/common/message-of.js';

/** Says what is at a path that could not be read as a file, for "expected …, found …". */
export function describeUnreadable(error: unknown): string {
  if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return 'no file: it does not exist';
  if (hasErrorCode(error, 'EISDIR')) return 'a folder';
  return `no readable file: ${messageOf(error)}`;
}

/** Whether this is a system error with one of these codes, such as ENOENT. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
