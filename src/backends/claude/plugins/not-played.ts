import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asMapping } from '../../../agent/stand-in/json.js';
import { STUB_MARK } from '../../../domain/stub/mark.js';
import type { PluginContent } from './read-plugin.js';

/** What a manifest can contain that changes a session, and the stand-in ignores. */
const KEYS = [
  ...['dependencies', 'userConfig', 'channels', 'lspServers', 'outputStyles', 'settings', 'experimental'],
  ...['monitors', 'themes', 'workflows', 'defaultEnabled'],
];
const FILES = ['.lsp.json', 'output-styles', 'monitors', 'themes', 'workflows', 'settings.json'];

/** Events that happen in turns that the stand-in plays, and whose hooks it does not run. */
const REFUSED_EVENTS = [
  ...['UserPromptExpansion', 'PostToolBatch', 'MessageDisplay', 'PermissionRequest', 'PermissionDenied'],
  ...['StopFailure', 'InstructionsLoaded', 'CwdChanged', 'FileChanged', 'ConfigChange'],
];

/** Tools that a script can answer for, and the events that the real program would have then. */
const EVENTS_AFTER: Readonly<Record<string, readonly string[]>> = {
  Task: ['SubagentStart', 'SubagentStop'],
  Agent: ['SubagentStart', 'SubagentStop'],
  TaskCreate: ['TaskCreated'],
  TaskUpdate: ['TaskCompleted'],
  EnterWorktree: ['WorktreeCreate'],
  ExitWorktree: ['WorktreeRemove'],
};

/** Whether the stand-in refuses a session that has hooks for an event. */
export function isRefusedEvent(event: string): boolean {
  return REFUSED_EVENTS.includes(event);
}

/** Whether the real program would run the hooks of an event, which the stand-in does not, because of a tool. */
export function isUnplayedAfter(event: string, tool: string): boolean {
  return EVENTS_AFTER[tool]?.includes(event) === true;
}

/** Whether a script plays a server. */
function isStubServer(server: unknown): boolean {
  return asMapping(asMapping(server).env)[STUB_MARK] !== undefined;
}

/** Finds what a plugin has that the stand-in does not play, so that it is refused by name, or returns null. */
export function findNotPlayed({ manifest, servers, hooks }: PluginContent, root: string): string | null {
  const server = Object.keys(servers).find((name) => !isStubServer(servers[name]));
  if (server !== undefined) return `MCP servers (${server})`;
  const key = KEYS.find((name) => manifest.keys.includes(name));
  if (key !== undefined) return `"${key}" in its manifest`;
  const file = FILES.find((name) => existsSync(join(root, name)));
  if (file !== undefined) return file;
  for (const { event, type, options } of hooks) {
    if (isRefusedEvent(event)) return `a ${event} hook`;
    if (type !== 'command') return `a ${event} hook of the type "${type}"`;
    if (options.length > 0) return `a ${event} hook with "${options[0]}"`;
  }
  return null;
}
