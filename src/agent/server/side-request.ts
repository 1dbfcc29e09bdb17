import * as z from 'zod';
import type { Caller } from './caller.js';
import { type ModelReply, makeReply } from './model/reply.js';
import type { ModelRequest } from './model/request.js';

/** A model request that a CLI makes for its own purposes. */
type SideRequest = 'subagent' | 'compaction' | 'quota' | 'title' | 'other';

/** Recognizes a CLI's own requests; returns null for those of its user. */
export function recogniseSideRequest(
  { messages, system, tools, maxTokens }: ModelRequest,
  { cli, isSubagent }: Caller,
  prompt: string,
): SideRequest | null {
  // Claude Code also marks it in the first block of its instructions.
  if (isSubagent || /cc_is_subagent=true/.test(system)) return 'subagent';
  if (COMPACTION.test(prompt)) return 'compaction';
  if (tools.length > 0) return null;
  if (maxTokens === 1) return 'quota';
  if (TITLE.test(system) || TITLE.test(prompt)) return 'title';
  // A working agent has tools. Other programs may ask without any.
  return cli === null && messages.length > 0 ? null : 'other';
}

/** Claude Code offers all its tools when it summarizes; OpenCode and others use their own words. */
const COMPACTION =
  /^CRITICAL: Respond with TEXT ONLY|^Your task is to create a detailed summary of the conversation/;
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
