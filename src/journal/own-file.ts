import type * as z from 'zod';
import { type FORMATS, IncompatibleFormat, requireReadable } from '../domain/common/formats.js';
import { readPlainText } from '../exec/files/plain-file.js';

/** Reads a JSON file that an earlier call wrote; null if it is missing, incomplete or something else. */
export async function readOwnFile<Content>(
  path: string,
  format: (typeof FORMATS)[keyof typeof FORMATS],
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
