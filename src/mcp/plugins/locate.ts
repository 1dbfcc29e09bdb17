import { join } from 'node:path';
import type { EntryParts } from '../../backends/claude/plugins/manifest.js';
import {
  locatePlugin,
  type Marketplace,
  readMarketplace,
} from '../../kinds/conversation/plugins/marketplace.js';
import type { ServerStubs } from '../../kinds/conversation/plugins/stub-servers.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';

/** How a plugin reaches a conversation: by its folder in each call, or really installed. */
export type InstallMode = 'plugin-dir' | 'marketplace';

export interface InstallRequest {
  readonly name: string;
  readonly from: string;
  readonly mode: InstallMode;
  readonly force: boolean;
  /** Scripts that play MCP servers of the plugin. */
  readonly stubs: ServerStubs;
}

/** Where a plugin is, and what its marketplace declares for it. */
export interface LocatedPlugin {
  readonly path: string;
  /** What its marketplace declares for it, or null if that is only a link. */
  readonly entry: EntryParts | null;
  /** The marketplace that offers it, or null for a plain folder. */
  readonly marketplace: Marketplace | null;
}

/** Finds a plugin that is asked for, or says why it cannot be found. Reads nothing outside the root. */
export async function locateOffered(
  paths: Confinement,
  { name, from, mode }: InstallRequest,
): Promise<LocatedPlugin> {
  for (const file of ['marketplace.json', 'plugin.json'])
    await paths.inside(join(from, '.claude-plugin', file), `${file} of ${from}`);
  const marketplace = await readMarketplace(from);
  if (marketplace !== null && 'problem' in marketplace) {
    throw new ToolError('PluginInvalidError', `Cannot read the marketplace file: ${marketplace.problem}`);
  }
  if (mode === 'marketplace' && marketplace === null) {
    throw new ToolError(
      'InstallationError',
      `${from} is not a marketplace: it has no .claude-plugin/marketplace.json.`,
      'Use mode "plugin-dir" for a plain folder.',
    );
  }
  const path = await locatePlugin(name, from);
  if (path !== null) return { path, entry: marketplace?.entries.get(name) ?? null, marketplace };
  const there =
    marketplace === null ? '' : ` It offers: ${[...marketplace.plugins.keys()].join(', ') || 'nothing'}.`;
  throw new ToolError(
    'PluginNotFoundError',
    `There is no plugin ${JSON.stringify(name)} in ${from}.`,
    `Set marketplace_path to a marketplace, a folder that contains plugins, or the plugin's own folder.${there}`,
  );
}
