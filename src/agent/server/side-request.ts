import * as z from 'zod';
import type { Caller } from './caller.js';
import { type ModelReply, makeReply } from './model/reply.js';
import type { ModelRequest } from './model/request.js';
import { findWorkingFolder, type Situation } from './situation.js';

/** A model request that a CLI makes for its own purposes. */
type SideRequest = 'subagent' | 'compaction' | 'quota' | 'title' | 'other';

/**
 * Recognizes a CLI's own requests; returns null for those of its user. Only the known CLIs make such requests, so that
 * nothing a program asks for is taken for one, whatever its words.
 */
export function recogniseSideRequest(
  request: ModelRequest,
  { cli, isSubagent }: Caller,
  { prompt }: Pick<Situation, 'prompt'>,
): SideRequest | null {
  const { system, tools, maxTokens } = request;
  // Claude Code also marks it in the first block of its instructions.
  if (isSubagent || (cli === 'claude' && /cc_is_subagent=true/.test(system))) return 'subagent';
  if (cli === null) return null;
  if (cli === 'claude' && isCompaction(request)) return 'compaction';
  if (cli === 'claude' && maxTokens === 1 && tools.length === 0) return 'quota';
  if (isWorkingAgent(request, cli)) return null;
  return TITLE.test(system) || TITLE.test(prompt) ? 'title' : 'other';
}

/**
 * A working agent has tools. Claude Code and OpenCode can be told to do without, and then still name their folder in the
 * instructions, which their own requests do not.
 */
function isWorkingAgent({ tools, system }: ModelRequest, cli: NonNullable<Caller['cli']>): boolean {
  return (
    tools.length > 0 || ((cli === 'claude' || cli === 'opencode') && findWorkingFolder([system]) !== null)
  );
}

/**
 * Claude Code offers all its tools when it summarizes, and puts a warning in front; older versions ask without it. There
 * is nothing to summarize before the first answer.
 */
function isCompaction({ messages }: ModelRequest): boolean {
  const last = messages.findLast(({ role }) => role === 'user');
  const text = last?.role === 'user' ? last.text : '';
  const task = text.indexOf('Your task is to create a detailed summary of the conversation');
  const isAsked = task === 0 || (task > 0 && text.includes('CRITICAL: Respond with TEXT ONLY.'));
  return isAsked && messages.some(({ role }) => role === 'assistant');
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
