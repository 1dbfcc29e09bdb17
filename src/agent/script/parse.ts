import type * as z from 'zod';
import { agentScriptSchema } from '../../domain/agent-script.js';
import { FORMATS, requireReadable } from '../../domain/common/formats.js';
import { isMapping } from '../../domain/common/json-lines.js';
import { checkScript } from './check-script.js';
import { CLAUDELESS_KEYS, claudelessSchema } from './claudeless/schema.js';
import { refuseV0 } from './claudeless/v0.js';
import { isCompiledScript, type LoadedScript } from './compiled-script.js';
import {
  parseDocumentAs,
  readDocument,
  requirePlainData,
  type ScriptDocument,
  type ScriptSyntax,
  scriptError,
} from './document.js';
import { readReferences } from './file-references.js';
import { NATIVE_KEYS, nativeSchema } from './native/schema.js';

/** How to read a script; `file` is named in messages, and `$file` paths are relative to it. */
export interface ParseOptions {
  readonly format: ScriptSyntax;
  readonly file?: string;
}

/** Parses a script in any syntax and dialect. Errors name the file, line and key of each mistake. */
export function parseScript(text: string, { format, file = 'the agent script' }: ParseOptions): LoadedScript {
  if (text.trim() === '') throw scriptError(file, [{ message: 'the script is empty: expected rules' }]);
  return parseData(readDocument(text, format, file), format, file);
}

/** Parses the content of a script file that a program passes as an object. */
export function parseScriptObject(data: unknown): LoadedScript {
  return parseData({ data, lineOf: () => undefined }, 'json', 'the agent script');
}

function parseData(document: ScriptDocument, format: ScriptSyntax, file: string): LoadedScript {
  if (!isMapping(document.data)) {
    throw scriptError(file, [
      { message: 'expected a mapping with the key "rules" at the top of the script' },
    ]);
  }
  requirePlainData(document, file);
  const dialect = detectDialect(document.data);
  const { script, notes } = compile(dialect, document, format, file);
  const problems = checkScript(script, dialect.startsWith('claudeless') ? 'responses' : 'rules');
  if (problems.length > 0) {
    throw scriptError(
      file,
      problems.map((problem) => ({ ...problem, line: document.lineOf(problem.path) })),
    );
  }
  return { script, notes };
}

function compile(
  dialect: Dialect,
  document: ScriptDocument,
  syntax: ScriptSyntax,
  file: string,
): LoadedScript {
  switch (dialect) {
    case 'native':
      return seal(parseOwnFormat(nativeSchema, document, file), [], file);
    case 'compiled':
      return { script: parseOwnFormat(agentScriptSchema, document, file), notes: [] };
    case 'claudeless-v0':
      return refuseV0(document, syntax, file);
    case 'claudeless-v1': {
      const { script, notes } = parseDocumentAs(claudelessSchema, document, file);
      return seal(script, notes, file);
    }
    case 'claudeless-v2':
      throw scriptError(
        file,
        [
          {
            path: [],
            message:
              'expected `pattern` and `response`, found the keys of a later claudeless (`claude`, `on`, `say`)',
          },
        ],
        'Write it in our own format: see docs/agent-script.md. claudeless files with `pattern` and `response` are read.',
      );
    default:
      return dialect satisfies never;
  }
}

/** Parses our own format. */
function parseOwnFormat<Form>(schema: z.ZodType<Form>, document: ScriptDocument, file: string): Form {
  requireReadable(document.data, FORMATS.agentScript, file);
  return parseDocumentAs(schema, document, file);
}

/** Reads the files that a script refers to, and removes undefined keys, as if it had passed between processes. */
function seal(script: object, notes: readonly string[], file: string): LoadedScript {
  const data: unknown = JSON.parse(JSON.stringify(readReferences(script, file)));
  const { identity, ...rest } = agentScriptSchema.parse(data);
  const named = identity !== undefined && Object.keys(identity).length > 0;
  return { notes, script: named ? { ...rest, identity } : rest };
}

/** The kinds of script files: ours, the compiled form that processes exchange, and three generations of claudeless. */
export type Dialect = 'native' | 'compiled' | 'claudeless-v0' | 'claudeless-v1' | 'claudeless-v2';

/** Detects the dialect of a file by keys that only one dialect has. */
export function detectDialect(data: Readonly<Record<string, unknown>>): Dialect {
  if (isCompiledScript(data)) return 'compiled';
  if ('rules' in data) return 'native';
  if ('conversations' in data) return 'claudeless-v0';
  const [first]: readonly unknown[] = Array.isArray(data.responses) ? data.responses : [];
  if ('claude' in data || (isMapping(first) && ('on' in first || 'say' in first))) return 'claudeless-v2';
  return Object.keys(data).some(isClaudelessOnly) ? 'claudeless-v1' : 'native';
}

function isClaudelessOnly(key: string): boolean {
  return CLAUDELESS_KEYS.has(key) && !NATIVE_KEYS.has(key);
}
