import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import { hasErrorCode } from '../exec/error-code.js';

const folder = z.string().min(1).default('screenshots');
const pageSchema = z.union([
  z.strictObject({
    /** The style sheet to draw from, in the folder of the server. */
    style: z.string().min(1),
    /** The folder for images if the call names no path. */
    folder,
  }),
  z.strictObject({
    /** Opens the address in the argument `url` and draws from the style sheet that the page links to. */
    served: z.literal(true),
    folder,
  }),
]);

/** The answer of a tool: exactly one kind, optionally after a delay. `{{name}}` in a text stands for an argument. */
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
  /** A JSON Schema of the arguments, which are an object. */
  input: z.looseObject({ type: z.literal('object') }).default({ type: 'object' }),
  /** One answer for each call; the last one is repeated. */
  answers: z.array(answerSchema).min(1),
});

const scriptSchema = z.strictObject({
  name: z.string().min(1),
  version: z.string().default('1.0.0'),
  instructions: z.string().optional(),
  tools: z.record(z.string().regex(/^[\w-]{1,64}$/), toolSchema),
});

/** An MCP server as data: its tools and their answers. */
export type StubScript = z.infer<typeof scriptSchema>;

const mocksSchema = z.record(z.string(), answerSchema);

/** Answers that override those of the script, by tool. */
export type StubMocks = z.infer<typeof mocksSchema>;

/** Reads the script of a server. */
export function readStubScript(path: string): StubScript {
  return parseFile(path, scriptSchema, readText(path));
}

/** Reads the current overrides; none if there is no file. */
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
    throw new KnownError(`Expected an MCP server script at ${path}, but this file does not exist.`, {
      cause,
    });
  }
}

function parseFile<T>(path: string, schema: z.ZodType<T>, text: string): T {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new KnownError(`${path}: expected JSON, found a mistake: ${messageOf(cause)}.`, { cause });
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new KnownError(`${path} is not a valid MCP server script:\n${z.prettifyError(parsed.error)}`, {
    hint: 'See docs/plugins.md#a-scripted-mcp-server.',
  });
}
