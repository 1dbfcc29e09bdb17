import { join, relative, resolve } from 'node:path';
import { asList, asRecord, readJsonFile } from './files.js';
import { isHookEvent } from './hook-events.js';
import { findGroupMistake, findGuardMistake, findHandlerMistake } from './hook-shapes.js';
import type { PluginFault } from './manifest.js';
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

/** Where each kind of handler has what it runs. */
const TEXTS: Readonly<Record<string, string>> = {
  command: 'command',
  prompt: 'prompt',
  agent: 'prompt',
  http: 'url',
  mcp_tool: 'tool',
};

const OPTIONS = ['if', 'async', 'asyncRewake', 'args', 'once', 'shell'];

/**
 * Reads the hooks: hooks/hooks.json, and the files and objects of the manifest besides. Those of an entry replace the
 * plugin's own for the same event, or all of them if there is no manifest.
 */
export function readHookParts(reader: PartsReader): HookPart[] | PluginFault {
  const { root, manifest, entry } = reader;
  const own = join(root, 'hooks', 'hooks.json');
  const hooks: HookPart[] = [];
  const named = asList(manifest.hooks).filter((path) => !isSameFile(path, root, own));
  // An entry cannot name a file.
  const given = asRecord(entry?.hooks);
  for (const source of given === null || manifest.isWritten ? [own, ...named] : []) {
    const inline = asRecord(source);
    const read = inline === null ? readHooksFile(reader, resolve(root, String(source)), own) : inline;
    if (read === null) continue;
    const mistake = findGuardMistake(read);
    if (mistake !== null) return { type: 'generic-error', message: `Failed to load plugin: ${mistake}` };
    hooks.push(...readEvents(read));
  }
  if (given === null) return hooks;
  return [...hooks.filter(({ event }) => !Object.hasOwn(given, event)), ...readEvents(given)];
}

function isSameFile(path: unknown, root: string, own: string): boolean {
  return typeof path === 'string' && resolve(root, path) === own;
}

/** Returns the events of a file, or what is there instead of an object. */
function readHooksFile(reader: PartsReader, file: string, own: string): unknown {
  const json = readJsonFile(file);
  if (json === null) {
    if (file !== own) reader.faults.push(pathNotFound(file, 'hooks'));
    return null;
  }
  const why = 'mistake' in json ? json.mistake : findFileMistake(json.value);
  if (why !== null) {
    reader.faults.push({ type: 'hook-load-failed', message: `Hook load failed: ${why}` });
    return null;
  }
  const content = 'mistake' in json ? null : asRecord(json.value);
  if (content?.modules !== undefined)
    reader.objections.push(`${relative(reader.root, file)}: has hooks modules, which are not read`);
  return content?.hooks ?? null;
}

function findFileMistake(value: unknown): string | null {
  const content = asRecord(value);
  if (content === null) return 'Invalid input: expected object';
  const { description, hooks, modules } = content;
  if (description !== undefined && typeof description !== 'string')
    return 'description: Invalid input: expected string';
  if (hooks === null) return 'hooks: Invalid input: expected record, received null';
  if (hooks !== undefined || modules !== undefined) return null;
  return "hooks.json must have 'hooks' (the hook matchers) or 'modules' (hooks modules), or both";
}

/** Reads what Claude Code registers: it drops other events, and malformed groups and handlers, without a word. */
function readEvents(events: unknown): HookPart[] {
  return Object.entries(asRecord(events) ?? {}).flatMap(([event, groups]) => {
    if (!isHookEvent(event) || !Array.isArray(groups)) return [];
    return groups.flatMap((group) => {
      const { matcher, hooks } = asRecord(group) ?? {};
      if (findGroupMistake(group) !== null || !Array.isArray(hooks)) return [];
      return hooks.flatMap((handler) =>
        readHandler(event, typeof matcher === 'string' ? matcher : null, handler),
      );
    });
  });
}

function readHandler(event: string, matcher: string | null, value: unknown): HookPart[] {
  const handler = asRecord(value);
  if (handler === null || findHandlerMistake(handler) !== null) return [];
  const { type, timeout, if: condition, args, shell } = handler;
  return [
    {
      ...{ event, matcher, type: String(type), handler: String(handler[TEXTS[String(type)] ?? '']) },
      timeoutSeconds: typeof timeout === 'number' ? timeout : null,
      condition: typeof condition === 'string' ? condition : null,
      args: Array.isArray(args) ? args.map(String) : null,
      shell: typeof shell === 'string' ? shell : null,
      options: OPTIONS.filter((key) => handler[key] !== undefined && handler[key] !== false),
    },
  ];
}
