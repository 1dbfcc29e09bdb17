import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { type Format, IncompatibleFormat, requireReadable } from '../domain/common/formats.js';
import { parseJson } from '../domain/common/json-lines.js';
import { KnownError } from '../domain/common/known-error.js';
import { describeUnreadable } from '../exec/error-code.js';
import { readPlainText } from '../exec/files/plain-file.js';

/** Reads a JSON file that an earlier call wrote; null if it is missing, incomplete or something else. */
export async function readOwnFile<Content>(
  path: string,
  format: Format,
  schema: z.ZodType<Content>,
): Promise<Content | IncompatibleFormat | null> {
  try {
    const data: unknown = JSON.parse(await readPlainText(path));
    requireReadable(data, format, path);
    return schema.parse(data);
  } catch (error) {
    return error instanceof IncompatibleFormat ? error : null;
  }
}

/** A JSON file that somebody named. */
interface NamedFile<Content> {
  readonly format: Format;
  readonly schema: z.ZodType<Content>;
  /** What is expected there: `a recording`. */
  readonly what: string;
  readonly hint?: string;
  /** Refuses the text of the file before it is read. */
  readonly refuse?: (text: string) => void;
}

/** Reads a JSON file that somebody named, and says what is wrong with any other. */
export async function readNamedFile<Content>(path: string, named: NamedFile<Content>): Promise<Content> {
  const { format, schema, what, hint, refuse } = named;
  const other = (found: string) =>
    new KnownError(`${path}: expected ${what}, found ${found}.`, hint === undefined ? {} : { hint });
  const text = await realpath(path)
    .then(readPlainText)
    .catch((error: unknown) => {
      throw other(describeUnreadable(error));
    });
  refuse?.(text);
  const data = parseJson(text);
  if (data === undefined) {
    const begin = text.trim().slice(0, 40);
    throw other(
      begin === '' ? 'an empty file' : `a file that is not JSON and begins with ${JSON.stringify(begin)}`,
    );
  }
  requireReadable(data, format, path);
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const where =
    problem === undefined || problem.path.length === 0 ? '' : ` at ${z.core.toDotPath(problem.path)}`;
  throw other(`something else: ${problem?.message ?? 'an unknown difference'}${where}`);
}
