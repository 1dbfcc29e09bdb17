import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import { type StubScript, stubAnswerSchema, stubScriptSchema } from '../domain/stub/script.js';
import { hasErrorCode } from '../exec/error-code.js';

const mocksSchema = z.record(z.string(), stubAnswerSchema);

/** Answers that override those of the script, by tool. */
type StubMocks = z.infer<typeof mocksSchema>;

/** Reads the script of a server. */
export function readStubScript(path: string): StubScript {
  return parseFile(path, stubScriptSchema, readText(path));
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
