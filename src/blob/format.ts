import * as z from 'zod';
import { FORMATS } from '../domain/common/formats.js';
import { shardChoiceSchema } from '../domain/shard.js';
import { laneSchema } from '../domain/vocabulary.js';

/**
 * A blob is gzipped. Inside are lines: the header, the journal as it is on disk, an empty line, then each file (a line
 * about it, its bytes, a line feed), and the end. After the gzip comes the SHA-256 of all bytes before it, so any damage
 * is found before anything is unpacked.
 */

/** The first line. */
export const blobHeaderSchema = z.object({
  blob: z.literal('ralph-e2e'),
  format: z.literal(FORMATS.blob.format),
  runId: z.string(),
  harnessVersion: z.string(),
  lane: laneSchema,
  shard: shardChoiceSchema,
  /** The run of the CI system that the shard belongs to. */
  ciRun: z.string().optional(),
});
export type BlobHeader = z.infer<typeof blobHeaderSchema>;

/** The line before the bytes of a file. `path` is relative to the folder of the run. */
export const blobFileSchema = z.strictObject({
  path: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string(),
});
export type BlobFile = z.infer<typeof blobFileSchema>;

/** The last line. */
export const blobEndSchema = z.strictObject({
  end: z.literal(true),
  files: z.int().nonnegative(),
  /** How many files were too large. */
  leftOut: z.int().nonnegative(),
});

/** The hexadecimal digits of the hash at the end of the file, and a line feed. */
export const DIGEST_BYTES = 65;

const MEBIBYTE = 1024 * 1024;

/** What a writer leaves out and a reader refuses: more than this is no blob, but an attack on the disk. */
export const BLOB_LIMITS = {
  packedBytes: 512 * MEBIBYTE,
  unpackedBytes: 2048 * MEBIBYTE,
  headerBytes: 64 * 1024,
  recordBytes: 64 * MEBIBYTE,
  fileBytes: 64 * MEBIBYTE,
  files: 100_000,
} as const;
export type BlobLimits = { readonly [Name in keyof typeof BLOB_LIMITS]: number };

const EXTENSION = '.ralph-e2e';

/** Names the file of a shard. Files of several machines must fit into one folder. */
export function nameBlob({ index, total }: { readonly index: number; readonly total: number }): string {
  return `blob-${index}-of-${total}${EXTENSION}`;
}

/** Whether a file has the name of a blob. */
export function isBlobName(name: string): boolean {
  return /^blob-\d{1,6}-of-\d{1,6}\.ralph-e2e$/.test(name);
}

/**
 * The files of an attempt that reports link to and from which the harness removed credentials. What else is there was
 * written by others, and stays on its machine.
 */
const KEPT_FILE =
  /^(?:(?:turn-\d{1,6}|commands)\/)?(?:stdout\.txt|stderr\.txt|evidence\.json|unanswered-prompt\.txt|agent-script\.json|model-requests\.jsonl)$/;

/** Splits the path of a file in a blob into the folder of its test, the attempt and the rest; null if it is no such path. */
export function splitBlobPath(
  path: string,
): { readonly test: string; readonly attempt: string; readonly file: string } | null {
  const match = /^([A-Za-z0-9][A-Za-z0-9._-]{0,200})\/(\d{1,6}|debug)\/([a-z0-9./-]{1,100})$/.exec(path);
  const [, test = '', attempt = '', file = ''] = match ?? [];
  return match !== null && KEPT_FILE.test(file) ? { test, attempt, file } : null;
}
