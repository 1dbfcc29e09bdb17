import { stringify as stringifyToml } from 'smol-toml';
import { stringify } from 'yaml';
import * as z from 'zod';
import { mapping } from '../../../domain/common/strict.js';
import { parseDocumentAs, type ScriptDocument, type ScriptSyntax, scriptError } from '../document.js';
import { claudelessTurnSchema } from './schema.js';

/**
 * Migrates the oldest claudeless files, which have `conversations` next to `responses`. Each conversation becomes a
 * response with turns: its first turn gives the pattern and the response, the others become the turns.
 */
export function migrateV0(document: ScriptDocument, syntax: ScriptSyntax, file: string): string {
  parseDocumentAs(validSchema, document, file);
  const { conversations, responses = [], tool_execution: tools, ...rest } = v0Schema.parse(document.data);
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

const COMMON = {
  responses: z.array(z.unknown()).optional(),
  tool_execution: z.looseObject({ mode: z.string().optional() }).optional(),
};
const validSchema = z.looseObject({
  conversations: z.record(z.string(), mapping({ turns: z.array(claudelessTurnSchema) })),
  ...COMMON,
});
/** The same as it is written. */
const v0Schema = z.looseObject({
  conversations: z.record(z.string(), z.object({ turns: z.array(z.looseObject({ expect: z.unknown() })) })),
  ...COMMON,
});

/** Two of its four modes remain, and the sandbox folder is gone. */
function migrateTools(tools: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { sandbox_root: _, mode, ...rest } = tools;
  if (mode === undefined) return rest;
  return { mode: mode === 'disabled' || mode === 'mock' ? 'mock' : 'live', ...rest };
}
