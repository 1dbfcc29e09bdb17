import { join, resolve } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from './files.js';
import { cannotRead, type PluginFault, parseBy } from './manifest.js';
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

const any = { timeout: z.number().positive().optional(), if: z.string().optional() };

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
const eventsSchema = z.record(
  z.string(),
  z.array(z.object({ matcher: z.string().nullable().default(null), hooks: z.array(handlerSchema) })),
);
/** Modules are code that only Claude Code can load. */
const fileSchema = z.object({ hooks: eventsSchema, modules: z.never().optional() });

const OPTIONS = ['if', 'async', 'asyncRewake', 'args', 'once', 'shell'];

/**
 * Reads the hooks: hooks/hooks.json, and the files and objects of the manifest besides. Those of an entry replace the
 * plugin's own for the same event. If some cannot be read, Claude Code may load nothing of the plugin: one of them may
 * guard it.
 */
export function readHookParts(reader: PartsReader): HookPart[] | PluginFault {
  const { root, manifest, entry } = reader;
  const own = join(root, 'hooks', 'hooks.json');
  const named = (manifest.hooks ?? []).filter(
    (source) => typeof source !== 'string' || resolve(root, source) !== own,
  );
  const found: z.infer<typeof eventsSchema>[] = [];
  for (const source of [own, ...named]) {
    const read =
      typeof source === 'string'
        ? readHooksFile(reader, resolve(root, source), own)
        : parseBy(eventsSchema, source);
    if ('mistake' in read) return cannotRead('hook-load-failed', `Hook load failed: ${read.mistake}`);
    found.push(read.value);
  }
  // An entry cannot name a file.
  const given = parseBy(eventsSchema, Object.assign({}, ...(entry.hooks ?? []).filter(isObject)));
  if ('mistake' in given) return cannotRead('hook-load-failed', `Hook load failed: ${given.mistake}`);
  const hooks = found.flatMap(listHandlers).filter(({ event }) => !Object.hasOwn(given.value, event));
  return [...hooks, ...listHandlers(given.value)];
}

function isObject(source: unknown): boolean {
  return typeof source === 'object';
}

function readHooksFile(
  { faults }: PartsReader,
  file: string,
  own: string,
): ReturnType<typeof parseBy<z.infer<typeof eventsSchema>>> {
  const json = readJsonFile(file);
  if (json === null) {
    if (file !== own) faults.push(pathNotFound(file, 'hooks'));
    return { value: {} };
  }
  const read = 'mistake' in json ? json : parseBy(fileSchema, json.value);
  return 'mistake' in read ? { mistake: `${file}: ${read.mistake}` } : { value: read.value.hooks };
}

function listHandlers(events: z.infer<typeof eventsSchema>): HookPart[] {
  return Object.entries(events).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks }) =>
      hooks.map((handler) => ({
        ...{ event, matcher, type: handler.type, handler: textOf(handler) },
        timeoutSeconds: handler.timeout ?? null,
        condition: handler.if ?? null,
        args: handler.type === 'command' ? (handler.args ?? null) : null,
        shell: handler.type === 'command' ? (handler.shell ?? null) : null,
        options: OPTIONS.filter((key) => (handler[key] ?? false) !== false),
      })),
    ),
  );
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
