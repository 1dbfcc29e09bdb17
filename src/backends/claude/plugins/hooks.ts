import { join, relative, resolve } from 'node:path';
import { asList, asRecord, readJsonFile } from './files.js';
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
  /** Options that change when or how it runs: `if`, `async`, … */
  readonly options: readonly string[];
}

/** The events of Claude Code 2.1.325. It drops handlers of any other event without a word. */
const HOOK_EVENTS: readonly string[] = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification', 'UserPromptSubmit'],
  ...['UserPromptExpansion', 'SessionStart', 'SessionEnd', 'Stop', 'StopFailure', 'SubagentStart'],
  ...['SubagentStop', 'PreCompact', 'PostCompact', 'PermissionRequest', 'PermissionDenied', 'Setup'],
  ...['TeammateIdle', 'TaskCreated', 'TaskCompleted', 'Elicitation', 'ElicitationResult', 'ConfigChange'],
  ...[
    'WorktreeCreate',
    'WorktreeRemove',
    'InstructionsLoaded',
    'CwdChanged',
    'FileChanged',
    'MessageDisplay',
  ],
];

/** What each kind of handler must have. */
const HANDLERS: Readonly<Record<string, string>> = {
  command: 'command',
  prompt: 'prompt',
  agent: 'prompt',
  http: 'url',
  mcp_tool: 'tool',
};

const OPTIONS = ['if', 'async', 'asyncRewake', 'args', 'once', 'shell'];

/** Reads the hooks: hooks/hooks.json, and the files and objects of the manifest besides. */
export function readHookParts(reader: PartsReader): HookPart[] | PluginFault {
  const { root, manifest, entry } = reader;
  const own = join(root, 'hooks', 'hooks.json');
  const hooks: HookPart[] = [];
  const named = asList(manifest.hooks).filter((path) => !isSameFile(path, root, own));
  // An entry of a marketplace can only contain them, and then the plugin's own do not count.
  const given = asRecord(entry?.hooks);
  const sources = given === null ? [own, ...named] : [given];
  for (const source of sources) {
    const inline = asRecord(source);
    const read = inline === null ? readHooksFile(reader, resolve(root, String(source)), own) : inline;
    if (read === null) continue;
    if (Array.isArray(read)) {
      const message = 'Failed to load plugin: hooks: must be an object mapping event names to matcher arrays';
      return { type: 'generic-error', message };
    }
    hooks.push(...readEvents(read));
  }
  return hooks;
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
  const content = 'mistake' in json ? null : asRecord(json.value);
  if (content?.hooks !== undefined) return content.hooks;
  if (content?.modules !== undefined) {
    reader.objections.push(`${relative(reader.root, file)}: has hooks modules, which are not read`);
    return null;
  }
  const why =
    'mistake' in json
      ? json.mistake
      : "hooks.json must have 'hooks' (the hook matchers) or 'modules' (hooks modules), or both";
  reader.faults.push({ type: 'hook-load-failed', message: `Hook load failed: ${why}` });
  return null;
}

function readEvents(events: unknown): HookPart[] {
  return Object.entries(asRecord(events) ?? {}).flatMap(([event, groups]) => {
    if (!HOOK_EVENTS.includes(event) || !Array.isArray(groups)) return [];
    return groups.flatMap((group) => {
      const { matcher, hooks } = asRecord(group) ?? {};
      if (!Array.isArray(hooks) || (matcher !== undefined && typeof matcher !== 'string')) return [];
      return hooks.flatMap((handler) => readHandler(event, matcher ?? null, handler));
    });
  });
}

function readHandler(event: string, matcher: string | null, value: unknown): HookPart[] {
  const handler = asRecord(value) ?? {};
  const { type, timeout } = handler;
  const text = handler[HANDLERS[String(type)] ?? ''];
  if (typeof type !== 'string' || typeof text !== 'string') return [];
  if (timeout !== undefined && (typeof timeout !== 'number' || timeout <= 0)) return [];
  const options = OPTIONS.filter((key) => handler[key] !== undefined && handler[key] !== false);
  return [{ event, matcher, type, handler: text, timeoutSeconds: timeout ?? null, options }];
}
