import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { readMarketplace } from '../../kinds/conversation/plugins/marketplace.js';
import {
  type Plugin,
  type PluginPart,
  readPlugin,
  runsAlwaysFor,
} from '../../kinds/conversation/plugins/plugin.js';

/** A plugin, as far as its first conversation depends on it. */
export interface DraftedPlugin extends Pick<Plugin, 'name' | 'notPlayed'> {
  /** Its folder, relative to the repository; empty if it is the repository. */
  readonly folder: string;
  /** What users can call, with the name of the plugin: commands and skills. */
  readonly offered: readonly string[];
  readonly agents: readonly string[];
  readonly use: PluginUse | null;
  /** The events whose hooks run in every conversation, and those that run when the agent writes a file. */
  readonly hooks: { readonly always: readonly string[]; readonly onWrite: readonly string[] };
}

/** Reads the plugins of a repository: the one that it is, or those of its marketplace. `asked` chooses one of these. */
export async function readDraftedPlugins(folder: string, asked: string | null): Promise<DraftedPlugin[]> {
  const marketplace = await readMarketplace(folder);
  if (marketplace === null) {
    const plugin = await readPlugin(folder);
    if (asked === null || asked === plugin.name) return [await describePlugin(plugin, folder)];
    throw new KnownError(`--plugin ${asked}: expected a plugin of this repository, found ${plugin.name}.`);
  }
  if ('problem' in marketplace)
    throw new KnownError(`Expected a marketplace that can be read, found: ${marketplace.problem}`);
  // Claude Code adds what an entry declares only when it installs the plugin.
  const here = [...marketplace.plugins].filter(
    (entry): entry is [string, string] => entry[1] !== null && !marketplace.entries.has(entry[0]),
  );
  const chosen = here.filter(([name]) => asked === null || name === asked);
  if (chosen.length === 0) {
    const names = here.map(([name]) => name).join(', ') || 'none with a folder and a manifest of its own';
    throw new KnownError(
      `${asked === null ? '' : `--plugin ${asked}: `}expected a plugin of the marketplace ${marketplace.name}, found ${names}.`,
      { hint: 'A plugin is drafted if its source is a folder here and it declares its parts itself.' },
    );
  }
  return Promise.all(chosen.map(async ([, path]) => describePlugin(await readPlugin(path), folder)));
}

async function describePlugin(plugin: Plugin, repository: string): Promise<DraftedPlugin> {
  const { name, path, notPlayed, commands, skills, agents } = plugin;
  return {
    name,
    notPlayed,
    folder: relative(repository, path),
    offered: [...commands, ...skills].filter(({ isListed }) => isListed).map((part) => part.name),
    agents: agents.map((agent) => agent.name),
    use: await chooseUse(plugin),
    hooks: chooseEvents(plugin),
  };
}

const ALWAYS = ['SessionStart', 'UserPromptSubmit', 'Stop'];
const ON_WRITE = ['PreToolUse', 'PostToolUse'];

function chooseEvents({ hooks }: Plugin): DraftedPlugin['hooks'] {
  const having = (events: readonly string[], about: string) =>
    events.filter((event) => hooks.some((hook) => hook.event === event && runsAlwaysFor(hook, about)));
  // A hook that denies the call keeps the next one from running.
  const [onWrite] = having(ON_WRITE, 'Write');
  return { always: having(ALWAYS, 'startup'), onWrite: onWrite === undefined ? [] : [onWrite] };
}

/** How the first conversation uses a plugin: the user calls a part of it, or the agent loads a skill. */
interface PluginUse {
  readonly by: 'user' | 'agent';
  /** The name with the plugin's. */
  readonly name: string;
  /** A line of its text that Claude Code sends as it stands in the file. */
  readonly line: string;
}

/** Chooses a command, or else a skill, whose text the model gets unchanged; null if there is none. */
async function chooseUse(plugin: Plugin): Promise<PluginUse | null> {
  const { commands, skills, path } = plugin;
  const candidates = [
    ...commands.filter(({ isListed }) => isListed).map((part) => ({ part, by: 'user' as const })),
    ...skills.filter(({ isListed }) => isListed).map((part) => ({ part, by: 'user' as const })),
    ...skills.filter(({ isListed }) => !isListed).map((part) => ({ part, by: 'agent' as const })),
  ];
  for (const { part, by } of candidates) {
    const line = findPlainLine(part.body);
    if (line === null || !CALLABLE.test(part.name) || !(await isPlain(part, path))) continue;
    return { by, name: part.name, line };
  }
  return null;
}

/** The name goes into a text of the draft, and Claude Code takes no command with a space. */
const CALLABLE = /^[\w:.-]+$/;

/** A shell command in the text runs when it is called, and a subagent gets the text of a forked part. */
const RUNS_SOMETHING = /!`|```!/;
const FORKS = /^(?:context|agent)[ \t]*:/m;

async function isPlain({ file, body }: PluginPart, folder: string): Promise<boolean> {
  if (RUNS_SOMETHING.test(body)) return false;
  if (file === '') return true;
  const text = await readFile(join(folder, file), 'utf8').catch(() => null);
  return text !== null && !FORKS.test(text.slice(0, text.length - body.length));
}

const LINE_LENGTHS = { least: 12, most: 90 } as const;
/** Arguments, references to files, shell commands and placeholders, which Claude Code replaces. */
const REPLACED = /[$@!{}<>`\\]/;

function findPlainLine(body: string): string | null {
  const lines = body.split('\n').map((line) => line.trim());
  const fits = (line: string) =>
    line.length >= LINE_LENGTHS.least && line.length <= LINE_LENGTHS.most && !REPLACED.test(line);
  const plain = lines.filter(fits);
  return plain.find((line) => !line.startsWith('#')) ?? plain[0] ?? null;
}
