import { basename, resolve } from 'node:path';
import * as z from 'zod';
import type { HookPart } from '../../../backends/claude/plugins/hooks.js';
import type { EntryParts } from '../../../backends/claude/plugins/manifest.js';
import { findNotPlayed } from '../../../backends/claude/plugins/not-played.js';
import { type PluginContent, readPluginContent } from '../../../backends/claude/plugins/read-plugin.js';
import { matchesHook } from '../../../backends/claude/plugins/running-hooks.js';
import { findObjections } from '../../../backends/claude/plugins/validate.js';

/** A command, agent or skill of a plugin. */
export interface PluginPart {
  /** The name with its plugin, as Claude Code lists it: `agent-loop:plan`. */
  readonly name: string;
  /** Other names that Claude Code accepts: those that the file declares with `name:`. */
  readonly aliases: readonly string[];
  /** Empty if the manifest contains the text. */
  readonly file: string;
  readonly description: string;
  /** The names of its arguments. */
  readonly argumentNames: readonly string[];
  /** The text below the head. */
  readonly body: string;
  /** False for skills that only the model can use. */
  readonly isListed: boolean;
  /** Whether Claude Code also lists it among the skills. */
  readonly isListedSkill: boolean;
}

/** The content of a plugin's folder. It does not show whether Claude Code loads the plugin. */
export interface Plugin {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  readonly path: string;
  readonly commands: readonly PluginPart[];
  readonly agents: readonly PluginPart[];
  readonly skills: readonly PluginPart[];
  readonly hooks: readonly PluginHook[];
  readonly servers: Readonly<Record<string, ServerConfig>>;
  /** False if its folder cannot be read as a plugin: Claude Code loads none of it then. */
  readonly isLoadable: boolean;
  /** What a session reports, and what `claude plugin validate` objects to, as far as the files show it. */
  readonly problems: readonly string[];
  /** What it has that the stand-in for claude does not play, or null. */
  readonly notPlayed: string | null;
}

/** Reads the folder of a plugin by the rules of Claude Code. `entry` is what its marketplace says about it. */
export async function readPlugin(folder: string, entry: EntryParts | null = null): Promise<Plugin> {
  const path = resolve(folder);
  const content = readPluginContent(path, entry);
  if ('fault' in content) {
    const { name, fault } = content;
    return { ...nothing(path, name ?? basename(path)), problems: [`${fault.type}: ${fault.message}`] };
  }
  const { name, version, description } = content.manifest;
  const isCommand = ({ kind }: PluginContent['slash'][number]) => kind === 'command';
  return {
    name,
    version,
    description,
    path,
    commands: content.slash.filter(isCommand),
    skills: content.slash.filter((part) => !isCommand(part)),
    agents: content.agents.map((agent) => ({ ...agent, ...AGENT })),
    hooks: content.hooks.map(toPluginHook),
    servers: readServerConfigs(content.servers),
    isLoadable: true,
    problems: [...content.faults, ...findObjections(path, content.manifest)].map(
      ({ type, message }) => `${type}: ${message}`,
    ),
    notPlayed: findNotPlayed(content, path),
  };
}

/** What an agent has not, unlike a command. */
const AGENT = { aliases: [], argumentNames: [], isListed: true, isListedSkill: false };

function nothing(path: string, name: string): Omit<Plugin, 'problems'> {
  const none = { commands: [], agents: [], skills: [], hooks: [], servers: {}, notPlayed: null };
  return { isLoadable: false, name, version: null, description: '', path, ...none };
}

function readServerConfigs(
  servers: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ServerConfig>> {
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, server]) => {
      const read = serverConfigSchema.safeParse(server);
      return read.success ? [[name, read.data]] : [];
    }),
  );
}

/** A handler of a plugin for an event of Claude Code. */
export interface PluginHook {
  /** The event with its matcher, `PreToolUse:Bash`, or only the event. */
  readonly name: string;
  readonly event: string;
  readonly matcher: string | null;
  /** The command line, or what another kind of handler has instead: a prompt, an address. */
  readonly handler: string;
  /** The arguments of a program that runs without a shell; null for a command line. */
  readonly args: readonly string[] | null;
  /** What it has that only Claude Code can run, or null. */
  readonly onlyInClaude: string | null;
  readonly timeoutSeconds: number | null;
  /** The permission rule that a call must match, besides the matcher. */
  readonly condition: string | null;
}

/** Describes a handler that Claude Code registers. */
function toPluginHook(part: HookPart): PluginHook {
  const { event, matcher } = part;
  const plain = matcher === null || matcher === '' || matcher === '*';
  return { ...part, name: plain ? event : `${event}:${matcher}`, onlyInClaude: findOnlyInClaude(part) };
}

function findOnlyInClaude({ type, shell, options, condition }: HookPart): string | null {
  if (type !== 'command') return `the type "${type}"`;
  if ((condition ?? '') !== '') return `the condition "if": ${JSON.stringify(condition)}`;
  if (shell === 'powershell') return '"shell": "powershell"';
  const late = options.find((option) => option === 'async' || option === 'asyncRewake');
  return late === undefined ? null : `"${late}"`;
}

/** Whether a hook runs whenever its event is about this. One with a condition runs for some calls only. */
export function runsAlwaysFor({ matcher, condition }: PluginHook, about: string): boolean {
  return (condition ?? '') === '' && matchesHook(matcher ?? '', about);
}

/** How to reach an MCP server, as in a `.mcp.json`. */
export const serverConfigSchema = z.union([
  z.object({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ type: z.enum(['http', 'sse', 'ws']), url: z.string() }),
]);
type ServerConfig = z.infer<typeof serverConfigSchema>;

/** Replaces `${CLAUDE_PLUGIN_ROOT}` and environment variables in a text, as Claude Code does. */
export function fillVariables(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{(\w+)(?::-([^{}]{0,200}))?\}/g, (whole, name: string, fallback?: string) => {
    return variables[name] ?? fallback ?? whole;
  });
}
