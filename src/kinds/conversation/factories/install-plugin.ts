import { join, resolve } from 'node:path';
import { BACKENDS, type Environment, removeCredentials } from '../../../backends/index.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { PluginSource } from '../../../domain/scenario/conversation-arrangement.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { removeTree } from '../../../exec/files/remove-tree.js';
import { laneEnvironment } from '../../../lane/environment.js';
import { installFromMarketplace } from '../plugins/claude-plugins.js';
import { layOutPlugins } from '../plugins/lay-out.js';
import { readMarketplace } from '../plugins/marketplace.js';
import { type Plugin, readPlugin } from '../plugins/plugin.js';
import { type Closable, closable, inNewFolder } from './closable.js';

/** A plugin from a marketplace. */
export interface MarketplacePlugin {
  /** The name of the plugin. */
  readonly name: string;
  /** The marketplace's folder. */
  readonly marketplace: string;
}

/** A plugin for sessions, with its commands, agents, skills, hooks and servers. Closing it removes it. */
export interface InstalledPlugin extends Plugin, Closable {
  /** The configuration folder in which Claude Code installed it, or null if sessions load it from its folder. */
  readonly configFolder: string | null;
}

/**
 * Prepares a plugin for sessions: copies its folder or, for a plugin from a marketplace, has Claude Code install it in a
 * separate configuration folder. Open a session to see what Claude Code makes of it.
 */
export function installPlugin(
  source: PluginSource | MarketplacePlugin,
  { executable = BACKENDS.claude.command }: { readonly executable?: string } = {},
): Promise<InstalledPlugin> {
  return inNewFolder(async (folder) => {
    const { path, configFolder } = isOffered(source)
      ? await installReally(source, executable, folder)
      : { path: await copyPlugin(source, folder), configFolder: null };
    return closable({ ...(await readPlugin(path)), configFolder }, () => removeTree(folder));
  });
}

function isOffered(source: PluginSource | MarketplacePlugin): source is MarketplacePlugin {
  return typeof source === 'object' && 'marketplace' in source;
}

/** Copies a plugin, so that a test can change its copy without affecting anybody else. */
async function copyPlugin(source: PluginSource, folder: string): Promise<string> {
  const whole =
    typeof source === 'string' ? { name: (await readPlugin(source)).name, from: source, files: {} } : source;
  await layOutPlugins([whole], join(folder, 'plugins'));
  return join(folder, 'plugins', whole.name);
}

async function installReally(
  { name, marketplace: folderOfMarketplace }: MarketplacePlugin,
  executable: string,
  folder: string,
): Promise<{ readonly path: string; readonly configFolder: string }> {
  const path = resolve(folderOfMarketplace);
  const marketplace = await readMarketplace(path);
  if (marketplace === null || 'problem' in marketplace) {
    const why = marketplace === null ? 'it has no .claude-plugin/marketplace.json' : marketplace.problem;
    throw new KnownError(`${path} is not a marketplace: ${why}.`, {
      hint: "installPlugin also accepts a plugin's own folder.",
    });
  }
  const configFolder = join(folder, 'config');
  await makeFolder(configFolder);
  const cli = { executable, env: installerEnvironment(folder, configFolder), cwd: folder };
  const { installPath } = await installFromMarketplace(cli, name, marketplace);
  return { path: installPath, configFolder };
}

/** Returns an environment without a login, because installing needs none. */
function installerEnvironment(folder: string, configFolder: string): Environment {
  const env = laneEnvironment({ lane: 'scripted', base: process.env, pass: [] });
  return {
    ...removeCredentials(BACKENDS.claude, env, join(folder, 'home')),
    ...BACKENDS.claude.probe.env,
    CLAUDE_CONFIG_DIR: configFolder,
  };
}
