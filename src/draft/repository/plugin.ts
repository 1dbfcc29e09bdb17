import { relative } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { readMarketplace } from '../../kinds/conversation/plugins/marketplace.js';
import { type Plugin, readPlugin, runsAlwaysFor } from '../../kinds/conversation/plugins/plugin.js';
import { chooseUse, type PluginUse } from './plugin-use.js';

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
