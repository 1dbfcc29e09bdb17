import * as z from 'zod';
import { matchPlaceSchema } from '../agent-script.js';

/** One request to the model server, as recorded by the server itself. */
export const requestRecordSchema = z.object({
  at: z.string(),
  api: z.enum(['messages', 'chat-completions', 'responses', 'gemini', 'none']),
  method: z.string(),
  path: z.string(),
  /** The conversation in which turns are counted. */
  conversation: z.string(),
  model: z.string().nullable(),
  /** `main`: a prompt or a step of its loop. `side`: the CLI's own traffic (titles, compaction, subagents). */
  kind: z.enum(['main', 'side', 'other']),
  prompt: z.string(),
  promptBytes: z.number(),
  /** What the request has that the one before it in the conversation had not. Only for `main`. */
  received: z.string().optional(),
  /** The number of tools that ran since the prompt. */
  toolsRun: z.number(),
  place: matchPlaceSchema.nullable(),
  /** The place as text: `response[0].turn[1]`. */
  matched: z.string().nullable(),
  outcome: z.enum([
    'answered',
    'failed-as-scripted',
    'no-match',
    'script-error',
    'bad-request',
    'not-served',
  ]),
  /** The HTTP status of the answer, or null if the script breaks the connection or never answers. */
  status: z.number().nullable(),
  detail: z.string().optional(),
  /** The whole prompt, if no rule answered it. */
  unanswered: z.string().optional(),
});
export type RequestRecord = z.infer<typeof requestRecordSchema>;
