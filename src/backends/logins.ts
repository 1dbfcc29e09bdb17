import { statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../exec/error-code.js';
import type { Environment } from './backend.js';
import { homeOf } from './environment.js';

/** Long enough for every login; a database with conversations may be larger. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A name and a text in JSON, also inside a database: `"accessToken":"…"`. */
const ENTRY = /"([\w.-]{2,64})"\s{0,4}:\s{0,4}"([^"\\\s]{16,8192})"/g;
const SECRET_NAME = /key|token|secret|passw|credential|cookie|^(?:access|refresh|auth|jwt|session)$/i;

/** What was read, by path, with the time and size that the file had: a CLI may renew its login between two attempts. */
const known = new Map<string, { readonly version: string; readonly values: readonly string[] }>();

/** Reads the credentials in the login files of agent CLIs, so that they can be removed from everything we write. */
export async function readLoginValues(
  files: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const home = homeOf(definedIn(env));
  const values = await Promise.all(files.map((file) => readFileOrFolder(join(home, file))));
  return [...new Set(values.flat())];
}

function definedIn(env: Readonly<Record<string, string | undefined>>): Environment {
  return env.HOME === undefined ? {} : { HOME: env.HOME };
}

async function readFileOrFolder(path: string): Promise<readonly string[]> {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (found.isFile()) return await readValues(path, `${found.mtimeMs} ${found.size}`);
    if (!found.isDirectory()) return [];
    const entries = await readdir(path, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(path, name));
    return (await Promise.all(files.map(readFileOrFolder))).flat();
  } catch (error) {
    // Whoever may not read it cannot print it either.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP')) return [];
    throw error;
  }
}

async function readValues(path: string, version: string): Promise<readonly string[]> {
  const earlier = known.get(path);
  if (earlier?.version === version) return earlier.values;
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    const values = findValues(buffer.toString('latin1', 0, bytesRead));
    known.set(path, { version, values });
    return values;
  } finally {
    await file.close();
  }
}

/** Returns the texts whose names say that they are secret. A path or a word, such as the way to log in, is not. */
function findValues(text: string): string[] {
  return [...text.matchAll(ENTRY)].flatMap(([, name = '', value = '']) =>
    SECRET_NAME.test(name) && /\d/.test(value) && /[a-z]/i.test(value) && !/^(?:[./~]|https?:)/.test(value)
      ? [value]
      : [],
  );
}
