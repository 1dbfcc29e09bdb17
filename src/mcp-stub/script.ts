import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { KnownError } from '../domain/common/known-error.js';
import { hasErrorCode } from '../exec/error-code.js';

const pageSchema = z.strictObject({
  /** The style sheet that the picture is drawn from, in the folder of the server. */
  style: z.string().min(1),
  /** Where pictures go when the call names no path. */
  folder: z.string().min(1).default('screenshots'),
});

/** What a tool answers: exactly one kind, after a while if there is one. `{{name}}` in a text is an argument. */
export const answerSchema = z.union([
  z.strictObject({ text: z.string(), delay_ms: z.int().min(0).optional() }),
  z.strictObject({ json: z.record(z.string(), z.unknown()), delay_ms: z.int().min(0).optional() }),
  z.strictObject({ error: z.string(), delay_ms: z.int().min(0).optional() }),
  z.strictObject({ page: pageSchema, delay_ms: z.int().min(0).optional() }),
  z.strictObject({ dies: z.literal(true), delay_ms: z.int().min(0).optional() }),
]);
export type StubAnswer = z.infer<typeof answerSchema>;
export type PageSettings = z.infer<typeof pageSchema>;

const toolSchema = z.strictObject({
  description: z.string().default(''),
  /** The arguments, as a JSON Schema of an object. */
  input: z.looseObject({ type: z.literal('object') }).default({ type: 'object' }),
  /** One for each call; the last answers every further one. */
  answers: z.array(answerSchema).min(1),
});

const scriptSchema = z.strictObject({
  name: z.string().min(1),
  version: z.string().default('1.0.0'),
  instructions: z.string().optional(),
  tools: z.record(z.string().regex(/^[\w-]{1,64}$/), toolSchema),
});

/** A server as data: its tools and what they answer. */
export type StubScript = z.infer<typeof scriptSchema>;

const mocksSchema = z.record(z.string(), answerSchema);

/** Answers that stand in for those of the script, by tool. */
export type StubMocks = z.infer<typeof mocksSchema>;

/** Reads the script of a server. */
export function readStubScript(path: string): StubScript {
  return parseFile(path, scriptSchema, readText(path));
}

/** Reads the answers that are mocked at this moment; without a file there are none. */
export function readStubMocks(path: string): StubMocks {
  try {
    return parseFile(path, mocksSchema, readFileSync(path, 'utf8'));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return {};
    throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (!hasErrorCode(cause, 'ENOENT', 'EISDIR')) throw cause;
    throw new KnownError(`Expected the script of an MCP server at ${path}, found no file.`, { cause });
  }
}

function parseFile<T>(path: string, schema: z.ZodType<T>, text: string): T {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new KnownError(`${path} is no JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new KnownError(`${path} is no script of an MCP server:\n${z.prettifyError(parsed.error)}`, {
    hint: 'docs/plugins.md#a-scripted-mcp-server tells what can be in it.',
  });
}
