import { join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { isMapping } from '../../../domain/common/json-lines.js';
import { isFile, readJsonFile } from './files.js';
import { type PluginFault, parseBy } from './manifest.js';
import { type PartsReader, pathNotFound } from './parts.js';

/** A handler for an event of Claude Code. */
export interface HookPart {
  readonly event: string;
  readonly matcher: string | null;
  readonly type: string;
  /** The command line, or what another kind of handler uses instead. */
  readonly handler: string;
  readonly timeoutSeconds: number | null;
  /** The permission rule that a call must match, besides the matcher. */
  readonly condition: string | null;
  /** The arguments of a program that runs without a shell; null for a command line. */
  readonly args: readonly string[] | null;
  readonly shell: string | null;
  /** Options that change when or how it runs: `if`, `async`, … */
  readonly options: readonly string[];
}

const flag = z.boolean().optional();
const any = {
  ...{ timeout: z.number().positive().optional(), if: z.string().optional() },
  ...{ async: flag, asyncRewake: flag, once: flag },
};

/** A handler, by where it has what it runs. */
const handlerSchema = z.discriminatedUnion('type', [
  z.looseObject({
    ...{ type: z.literal('command'), command: z.string(), ...any },
    ...{ args: z.array(z.string()).optional(), shell: z.string().optional() },
  }),
  z.looseObject({ type: z.enum(['prompt', 'agent']), prompt: z.string(), ...any }),
  z.looseObject({ type: z.literal('http'), url: z.string(), ...any }),
  z.looseObject({ type: z.literal('mcp_tool'), tool: z.string(), ...any }),
]);
const groupSchema = z.object({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });
const fileSchema = z
  .object({
    description: z.string().optional(),
    hooks: z.unknown().optional(),
    modules: z.unknown().optional(),
  })
  .refine(({ hooks, modules }) => hooks !== null && (hooks ?? modules) !== undefined, {
    error: 'expected "hooks", an object by event',
  });

const OPTIONS = ['if', 'async', 'asyncRewake', 'args', 'once', 'shell'];

/** The events of Claude Code 2.1.325. It drops handlers of any other event without a word. */
const EVENTS = [
  ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'UserPromptExpansion', 'Stop', 'StopFailure'],
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionRequest'],
  ...['PermissionDenied', 'MessageDisplay', 'InstructionsLoaded', 'CwdChanged', 'FileChanged'],
  ...['ConfigChange', 'SubagentStart', 'SubagentStop', 'TaskCreated', 'TaskCompleted', 'TeammateIdle'],
  ...['WorktreeCreate', 'WorktreeRemove', 'Notification', 'PreCompact', 'PostCompact', 'Setup'],
  ...['Elicitation', 'ElicitationResult'],
];

/** Events whose hooks may deny something. */
const GUARDS = ['PreToolUse', 'PermissionRequest'];

/** Takes what is wrong with the hooks of an event, or with a whole object of hooks. */
type Note = (event: string | null, mistake: string) => void;

/**
 * Reads the hooks: hooks/hooks.json, and the files and objects of the manifest besides. Those of an entry replace the
 * plugin's own for the same event, or all of them if there is no manifest. Claude Code drops a malformed handler without a
 * word, but it loads nothing of a plugin if that handler may be what guards it.
 */
export function readHookParts(reader: PartsReader): HookPart[] | PluginFault {
  const { root, manifest, entry } = reader;
  const own = join(root, 'hooks', 'hooks.json');
  const owns = isFile(own) ? [own] : [];
  const named = (manifest.hooks ?? []).filter(
    (source) => typeof source !== 'string' || !owns.includes(resolve(root, source)),
  );
  const guards: string[] = [];
  const note: Note = (event, mistake) => {
    if (event === null || GUARDS.includes(event)) guards.push(mistake);
  };
  // An entry cannot name a file.
  const given = (entry.hooks ?? []).filter((source) => typeof source === 'object');
  const hooks = (given.length === 0 || manifest.isWritten ? [...owns, ...named] : []).flatMap((source) =>
    typeof source === 'string'
      ? readHooksFile(reader, resolve(root, source), note)
      : readEvents(source, 'the manifest', note),
  );
  const added = readEvents(Object.assign({}, ...given), 'the entry of the marketplace', note);
  if (guards.length > 0) return loadFailed(guards.join('; '));
  const replaced = new Set(given.flatMap((events) => Object.keys(events)));
  return [...hooks.filter(({ event }) => !replaced.has(event)), ...added];
}

function loadFailed(mistake: string): PluginFault {
  return { type: 'hook-load-failed', message: `Hook load failed: ${mistake}` };
}

function readHooksFile({ root, faults }: PartsReader, file: string, note: Note): HookPart[] {
  const json = readJsonFile(file);
  const place = relative(root, file);
  if (json === null) {
    faults.push(pathNotFound(file, 'hooks'));
    return [];
  }
  const read = 'mistake' in json ? json : parseBy(fileSchema, json.value);
  if ('mistake' in read) {
    faults.push(loadFailed(`${place}: ${read.mistake}`));
    return [];
  }
  const { hooks, modules } = read.value;
  if (modules !== undefined)
    faults.push(loadFailed(`${place}: modules: expected none, because only Claude Code can load this code`));
  return hooks === undefined ? [] : readEvents(hooks, place, note);
}

function readEvents(events: unknown, place: string, note: Note): HookPart[] {
  if (!isMapping(events)) {
    note(null, `${place}: hooks: expected an object by event`);
    return [];
  }
  return Object.entries(events).flatMap(([event, groups]) => {
    if (!EVENTS.includes(event) || groups === null) return [];
    const read = <Value>(schema: z.ZodType<Value>, value: unknown, at: readonly (string | number)[]) => {
      const parsed = parseBy(schema, value);
      if ('value' in parsed) return [parsed.value];
      note(event, `${place}: ${['hooks', event, ...at].join('.')}: ${parsed.mistake}`);
      return [];
    };
    const [items = []] = read(z.array(z.unknown()), groups, []);
    return items.flatMap((item, index) => {
      const [group] = read(groupSchema, item, [index]);
      const handlers = group?.hooks.flatMap((value, at) => read(handlerSchema, value, [index, 'hooks', at]));
      return (handlers ?? []).map((handler) => toHookPart(event, group?.matcher ?? null, handler));
    });
  });
}

function toHookPart(event: string, matcher: string | null, handler: z.infer<typeof handlerSchema>): HookPart {
  return {
    ...{ event, matcher, type: handler.type, handler: textOf(handler) },
    timeoutSeconds: handler.timeout ?? null,
    condition: handler.if ?? null,
    args: handler.type === 'command' ? (handler.args ?? null) : null,
    shell: handler.type === 'command' ? (handler.shell ?? null) : null,
    options: OPTIONS.filter((key) => (handler[key] ?? false) !== false),
  };
}

function textOf(handler: z.infer<typeof handlerSchema>): string {
  switch (handler.type) {
    case 'command':
      return handler.command;
    case 'http':
      return handler.url;
    case 'mcp_tool':
      return handler.tool;
    default:
      return handler.prompt;
  }
}
