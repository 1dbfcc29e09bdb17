import { join } from 'node:path';
import { remove } from 'fs-extra/esm';
import * as z from 'zod';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { ConversationRecord, Turn } from '../../domain/evidence/conversation.js';
import type { RequestRecord } from '../../domain/evidence/request-record.js';
import type { Lane } from '../../domain/vocabulary.js';
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
  return parseJsonLines(await readLog(path), path, payloadSchema).records.map((payload) => ({
    event: payload.hook_event_name,
    payload,
  }));
}

function readLog(path: string): Promise<string> {
  return readPlainText(path, MAX_LOG_BYTES).catch((error) => {
    if (hasErrorCode(error, 'ENOENT')) return '';
    throw error;
  });
}

/** The environment variable with the path to which the stand-in writes what its model would receive. */
export const RECEIVED_VARIABLE = 'RALPH_E2E_AGENT_RECEIVED';

/** Returns the path of that file. It does not outlive the attempt: its content becomes evidence. */
export function receivedPath(artifacts: string): string {
  return join(artifacts, 'model-received.jsonl');
}

const lineSchema = z.object({ at: z.string(), text: z.string() });
type Received = z.infer<typeof lineSchema>;

/** Adds to each turn what the model received in it. In the live lane nobody knows. */
export async function addReceived(
  turns: readonly Turn[],
  lane: Lane,
  from: { readonly artifacts: string; readonly requests: readonly RequestRecord[] },
): Promise<Turn[]> {
  if (lane === 'live') return [...turns];
  const received =
    lane === 'sim'
      ? await readStandIn(receivedPath(from.artifacts))
      : from.requests.flatMap(({ at, received: text }) => (text === undefined ? [] : [{ at, text }]));
  return turns.map((turn, index) => {
    const next = turns[index + 1]?.startedAt;
    const own = received.filter(({ at }) => at >= turn.startedAt && (next === undefined || at < next));
    return { ...turn, received: own.map(({ text }) => text) };
  });
}

async function readStandIn(path: string): Promise<readonly Received[]> {
  const text = await readLog(path);
  await remove(path);
  return parseJsonLines(text, path, lineSchema).records;
}
