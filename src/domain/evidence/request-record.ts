import * as z from 'zod';
import { matchPlaceSchema } from '../agent-script.js';

/** One request to the model server, as the server itself recorded it. */
export const requestRecordSchema = z.object({
  at: z.string(),
  api: z.enum(['messages', 'chat-completions', 'responses', 'gemini', 'none']),
  method: z.string(),
  path: z.string(),
  /** Whose turns are counted together. */
  conversation: z.string(),
  model: z.string().nullable(),
  /** A prompt or a step of the loop that follows it; traffic of the CLI's own (titles, compaction, subagents); or neither. */
  kind: z.enum(['main', 'side', 'other']),
  prompt: z.string(),
  promptBytes: z.number(),
  /** How many tools have run since the prompt. */
  toolsRun: z.number(),
  place: matchPlaceSchema.nullable(),
  /** The place in words: `response[0].turn[1]`. */
  matched: z.string().nullable(),
  outcome: z.enum([
    'answered',
    'failed-as-scripted',
    'no-match',
    'script-error',
    'bad-request',
    'not-served',
  ]),
  /** The status of the answer; null where the script breaks the connection or never answers. */
  status: z.number().nullable(),
  detail: z.string().optional(),
});
export type RequestRecord = z.infer<typeof requestRecordSchema>;
