import { stringify as stringifyToml } from 'smol-toml';
import { stringify } from 'yaml';
import { parseDocumentAs, type ScriptDocument, type ScriptSyntax } from '../document.js';
import { scriptError } from '../problems.js';
import { oldestSchema } from './schema.js';

/**
 * Migrates the oldest claudeless files, which have `conversations` next to `responses`. Each conversation becomes a
 * response with turns: its first turn gives the pattern and the response, the others become the turns.
 */
export function migrateV0(document: ScriptDocument, syntax: ScriptSyntax, file: string): string {
  const {
    conversations,
    responses = [],
    tool_execution: tools,
    ...rest
  } = parseDocumentAs(oldestSchema, document, file);
  const entered = Object.values(conversations).flatMap(({ turns }) => {
    const [first, ...others] = turns;
    if (first === undefined) return [];
    const { expect: pattern, ...answer } = first;
    return [{ pattern, ...answer, ...(others.length === 0 ? {} : { turns: others }) }];
  });
  // Conversations come first: the last response usually matches any prompt and would hide them.
  const migrated = {
    ...rest,
    responses: [...entered, ...responses],
    ...(tools === undefined ? {} : { tool_execution: migrateTools(tools) }),
  };
  switch (syntax) {
    case 'toml':
      return stringifyToml(migrated);
    case 'yaml':
      return stringify(migrated, { lineWidth: 0 });
    case 'json':
      return `${JSON.stringify(migrated, null, 2)}\n`;
    default:
      return syntax satisfies never;
  }
}

/** Throws the error about such a file, which shows what to write instead. */
export function refuseV0(document: ScriptDocument, syntax: ScriptSyntax, file: string): never {
  const text = migrateV0(document, syntax, file);
  throw scriptError(
    file,
    [
      {
        path: ['conversations'],
        line: document.lineOf(['conversations']),
        message: `conversations are now responses with turns. Expected:\n\n${text}`,
      },
    ],
    `Convert it with: ralph-e2e sim convert ${file}`,
  );
}

/** Two of its four modes remain, and the sandbox folder is gone. */
function migrateTools(tools: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { sandbox_root: _, mode, ...rest } = tools;
  if (mode === undefined) return rest;
  return { mode: mode === 'disabled' || mode === 'mock' ? 'mock' : 'live', ...rest };
}
