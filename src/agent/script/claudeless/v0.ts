import { stringify } from 'yaml';
import * as z from 'zod';
import { parseDocumentAs, type ScriptDocument, type ScriptSyntax } from '../document.js';
import { scriptError } from '../problems.js';
import { mapping } from '../strict.js';
import { writeToml } from './toml-text.js';
import { claudelessTurnSchema } from './v1.js';

/**
 * The oldest claudeless files have `conversations` beside `responses`. Each becomes a response with turns: what its
 * first turn expects is the pattern, what it answers is the response, and the others are the turns.
 */
export function migrateV0(document: ScriptDocument, syntax: ScriptSyntax, file: string): string {
  const {
    conversations,
    responses = [],
    tool_execution: tools,
    ...rest
  } = parseDocumentAs(v0Schema, document, file);
  const entered = Object.entries(conversations).flatMap(([name, { turns }]) => {
    const [first, ...others] = turns;
    if (first === undefined) return [];
    const { expect: pattern, ...answer } = first;
    return [{ name, rule: { pattern, ...answer, ...(others.length === 0 ? {} : { turns: others }) } }];
  });
  // Conversations come first: a rule for any prompt, as the last response usually is, would hide them.
  const migrated = {
    ...rest,
    responses: [...entered.map(({ rule }) => rule), ...responses],
    ...(tools === undefined ? {} : { tool_execution: migrateTools(tools) }),
  };
  switch (syntax) {
    case 'toml':
      return writeToml(
        migrated,
        entered.map(({ name }) => name),
      );
    case 'yaml':
      return stringify(migrated, { lineWidth: 0 });
    case 'json':
      return `${JSON.stringify(migrated, null, 2)}\n`;
    default:
      return syntax satisfies never;
  }
}

/** The error about such a file: it shows what to write instead. */
export function refuseV0(document: ScriptDocument, syntax: ScriptSyntax, file: string): never {
  const text = migrateV0(document, syntax, file);
  throw scriptError(
    file,
    [
      {
        path: ['conversations'],
        line: document.lineOf(['conversations']),
        message: `conversations became responses with turns. Expected:\n\n${text}`,
      },
    ],
    `Write it with: ralph-e2e sim convert ${file}`,
  );
}

const v0Schema = z.looseObject({
  conversations: z.record(z.string(), mapping({ turns: z.array(claudelessTurnSchema) })),
  responses: z.array(z.unknown()).optional(),
  tool_execution: z.looseObject({ mode: z.string().optional() }).optional(),
});

/** Of its four modes two are left, and the folder that it was confined to is gone. */
function migrateTools(tools: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { sandbox_root: _, mode, ...rest } = tools;
  if (mode === undefined) return rest;
  return { mode: mode === 'disabled' || mode === 'mock' ? 'mock' : 'live', ...rest };
}
