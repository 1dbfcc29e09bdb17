import { join } from 'node:path';
import * as z from 'zod';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import { isKnownError } from '../../domain/common/known-error.js';
import type { ConversationRecord } from '../../domain/evidence/conversation.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { readPlainText } from '../../exec/files/plain-file.js';

/** The variable that tells a recording hook of a plugin where to append what it was given, one JSON object a line. */
export const HOOK_LOG_VARIABLE = 'E2E_HOOK_LOG';

/** Where the recording hooks of a session write, among its artifacts. */
export function hookLogPath(artifacts: string): string {
  return join(artifacts, 'hook-log.jsonl');
}

const payloadSchema = z.looseObject({ hook_event_name: z.string() });

/** What recording hooks wrote; nothing where there is none. */
export async function readHookLog(path: string): Promise<ConversationRecord['hookLog']> {
  const text = await readPlainText(path).catch((error) => {
    // Something else than a file is no log either.
    if (hasErrorCode(error, 'ENOENT') || isKnownError(error)) return '';
    throw error;
  });
  return parseJsonLines(text, path, payloadSchema).records.map((payload) => ({
    event: payload.hook_event_name,
    payload,
  }));
}
