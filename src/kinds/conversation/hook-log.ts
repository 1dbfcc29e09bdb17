import { join } from 'node:path';
import * as z from 'zod';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { ConversationRecord } from '../../domain/evidence/conversation.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { MAX_LOG_BYTES, readPlainText } from '../../exec/files/plain-file.js';

/** The environment variable with the path to which a plugin's recording hook appends its input, one JSON object per line. */
export const HOOK_LOG_VARIABLE = 'E2E_HOOK_LOG';

/** Returns the path of the log of recording hooks, among the artifacts of a session. */
export function hookLogPath(artifacts: string): string {
  return join(artifacts, 'hook-log.jsonl');
}

const payloadSchema = z.looseObject({ hook_event_name: z.string() });

/** Reads the log of recording hooks: an empty list if there is none. One that cannot be read must not look so. */
export async function readHookLog(path: string): Promise<ConversationRecord['hookLog']> {
  const text = await readPlainText(path, MAX_LOG_BYTES).catch((error) => {
    if (hasErrorCode(error, 'ENOENT')) return '';
    throw error;
  });
  return parseJsonLines(text, path, payloadSchema).records.map((payload) => ({
    event: payload.hook_event_name,
    payload,
  }));
}
