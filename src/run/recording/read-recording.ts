import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { FORMATS, requireReadable } from '../../domain/common/formats.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { type AgentRecording, recordingSchema } from '../../domain/recording/recording.js';
import { describeUnreadable } from '../../exec/error-code.js';
import { readPlainText } from '../../exec/files/plain-file.js';

/** Reads a recording. With a hash, refuses a file that was changed since. */
export async function readRecording(path: string, sha256?: string): Promise<AgentRecording> {
  const text = await realpath(path)
    .then(readPlainText)
    .catch((error: unknown) => {
      throw new KnownError(`${path}: expected a recording, found ${describeUnreadable(error)}.`);
    });
  if (sha256 !== undefined && createHash('sha256').update(text).digest('hex') !== sha256)
    throw new KnownError(`${path}: expected the recording as the run wrote it, found a changed one.`, {
      hint: 'To replay it nevertheless, name the file itself: ralph-e2e replay <file>.',
    });
  const data = parse(text, path);
  requireReadable(data, FORMATS.recording, path);
  const parsed = recordingSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new KnownError(`${path}: expected a recording, found: ${z.prettifyError(parsed.error)}`);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KnownError(`${path}: expected a recording, found no JSON: ${messageOf(error)}`);
  }
}
