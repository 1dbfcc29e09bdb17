import * as z from 'zod';
import type { Caller } from './caller.js';
import { type ModelReply, makeReply } from './model/reply.js';
import type { ModelRequest } from './model/request.js';
import type { Situation } from './situation.js';

/** A model request that a CLI makes for its own purposes. */
type SideRequest = 'subagent' | 'compaction' | 'quota' | 'title' | 'other';

/**
 * Recognizes a CLI's own requests; returns null for those of its user. Only the known CLIs make such requests, so that
 * nothing a program asks for is taken for one, whatever its words.
 */
export function recogniseSideRequest(
  { messages, system, tools, maxTokens }: ModelRequest,
  { cli, isSubagent }: Caller,
  { prompt, cwd }: Pick<Situation, 'prompt' | 'cwd'>,
): SideRequest | null {
  // Claude Code also marks it in the first block of its instructions.
  if (isSubagent || (cli === 'claude' && /cc_is_subagent=true/.test(system))) return 'subagent';
  if (cli === null) return null;
  const last = messages.findLast(({ role }) => role === 'user');
  if (isCompaction(last?.role === 'user' ? last.text : '')) return 'compaction';
  // A working agent has tools. Only Claude Code can be told to do without, and then still names its folder.
  if (tools.length > 0 || (cli === 'claude' && maxTokens !== 1 && cwd !== null)) return null;
  if (maxTokens === 1) return 'quota';
  return TITLE.test(system) || TITLE.test(prompt) ? 'title' : 'other';
}

/** Claude Code offers all its tools when it summarizes, and puts a warning in front; others ask without tools. */
function isCompaction(text: string): boolean {
  const task = text.indexOf('Your task is to create a detailed summary of the conversation');
  return task === 0 || (task > 0 && text.includes('CRITICAL: Respond with TEXT ONLY.'));
}

const TITLE = /title generator|generate a (?:concise |short |brief )*(?:\w+ )?title/i;

const TEXTS: Readonly<Record<SideRequest, string>> = {
  subagent: 'Nothing to report.',
  compaction: '<summary>\nNothing to summarize: the model is scripted.\n</summary>',
  quota: '.',
  title: 'Scripted conversation',
  other: 'OK',
};

/** Answers so that the CLI continues: with a harmless text, or an object of the shape it wants. */
export function answerSideRequest(side: SideRequest, { json }: ModelRequest): ModelReply {
  return makeReply([json === undefined ? TEXTS[side] : JSON.stringify(makeSample(json))]);
}

const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** Makes a value that fits a JSON schema, as far as side requests need it. */
function makeSample(schema: unknown): unknown {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success) return {};
  const { type, enum: values, properties = {} } = parsed.data;
  if (values !== undefined) return values[0];
  // Gemini writes type names in uppercase.
  switch ([type].flat()[0]?.toLowerCase()) {
    case 'string':
      return 'scripted';
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, makeSample(part)]));
  }
}
