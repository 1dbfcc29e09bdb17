import { type Environment, LOGIN_FILES, readLoginValues } from '../backends/index.js';
import { credentialValues, passedValues } from '../exec/environment.js';
import { hasErrorCode } from '../exec/error-code.js';
import { MAX_LOG_BYTES, readPlainText, replaceFile } from '../exec/files/plain-file.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { redactText } from '../exec/redact.js';

/** Where credentials come from. */
interface SecretSources {
  /** The user's own environment. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** The names of variables that the user passes with `--env`. */
  readonly passed?: readonly string[] | undefined;
}

/** Lists the values to remove from everything that is captured: of variables, and of logins. */
export async function knownSecrets(
  { base, passed = [] }: SecretSources,
  env: Environment,
): Promise<readonly string[]> {
  // Both environments, because a dummy value of the lane must not hide the user's value of the same name.
  const values = [
    ...credentialValues(base),
    ...credentialValues(env),
    ...passedValues(base, passed),
    ...(await readLoginValues(LOGIN_FILES, base)),
  ];
  return [...new Set([...values, ...values.flatMap(passwordsIn)])];
}

/** Returns the password in a URL: a program that cannot log in may print it alone. */
function passwordsIn(value: string): string[] {
  const password = /^[a-z][\w+.-]{0,32}:\/\/[^\s/@:]{0,256}:([^\s/]{8,512})@/i.exec(value)?.[1];
  return password === undefined ? [] : [password, unescapeUri(password)];
}

function unescapeUri(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

/** Removes credentials from a file that a stand-in has read or written. */
export async function scrubFile(path: string, secrets: readonly string[]): Promise<void> {
  try {
    const text = await readPlainText(path, MAX_LOG_BYTES);
    const scrubbed = redactText(text, secrets);
    if (scrubbed !== text) await replaceFile(path, scrubbed);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    // What cannot be scrubbed must not stay.
    await removeTree(path);
    throw error;
  }
}
