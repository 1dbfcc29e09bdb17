import * as z from 'zod';
import type { Caller } from './caller.js';
import { type ModelReply, makeReply } from './model/reply.js';
import type { ModelRequest } from './model/request.js';

/** What a CLI asks a model for purposes of its own. */
type SideRequest = 'subagent' | 'compaction' | 'quota' | 'title' | 'other';

/** Tells traffic of the CLI's own from what its user asked; null for the latter. */
export function recogniseSideRequest(
  { messages, system, tools, maxTokens }: ModelRequest,
  { cli, isSubagent }: Caller,
  prompt: string,
): SideRequest | null {
  // Claude Code says so in the first block of its instructions too.
  if (isSubagent || /cc_is_subagent=true/.test(system)) return 'subagent';
  if (COMPACTION.test(prompt)) return 'compaction';
  if (tools.length > 0) return null;
  if (maxTokens === 1) return 'quota';
  if (TITLE.test(system) || TITLE.test(prompt)) return 'title';
  // An agent that works has tools. Other programs may well ask without.
  return cli === null && messages.length > 0 ? null : 'other';
}

/** Claude Code summarises with all of its tools on offer; OpenCode and others in their own words. */
const COMPACTION =
  /^CRITICAL: Respond with TEXT ONLY|^Your task is to create a detailed summary of the conversation/;
const TITLE = /title generator|generate a (?:concise |short |brief )*(?:\w+ )?title/i;

const TEXTS: Readonly<Record<SideRequest, string>> = {
  subagent: 'Nothing to report.',
  compaction: '<summary>\nNothing to summarise: the model is scripted.\n</summary>',
  quota: '.',
  title: 'Scripted conversation',
  other: 'OK',
};

/** Answers it so that the CLI goes on: a harmless text, or an object of the shape that it wants. */
export function answerSideRequest(side: SideRequest, { json }: ModelRequest): ModelReply {
  return makeReply([json === undefined ? TEXTS[side] : JSON.stringify(makeSample(json))]);
}

const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** Some value that fits a JSON schema, as far as side requests need one. */
function makeSample(schema: unknown): unknown {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success) return {};
  const { type, enum: values, properties = {} } = parsed.data;
  if (values !== undefined) return values[0];
  // Gemini writes the names of types in capitals.
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
