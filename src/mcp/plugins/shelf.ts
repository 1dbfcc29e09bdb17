import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EntryParts } from '../../backends/claude/plugins/manifest.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import {
  installFromMarketplace,
  listInstalled,
  type PluginCli,
  removeMarketplace,
  uninstallPlugin,
} from '../../kinds/conversation/plugins/claude-plugins.js';
import { locatePlugin, readMarketplace } from '../../kinds/conversation/plugins/marketplace.js';
import { type Plugin, readPlugin } from '../../kinds/conversation/plugins/plugin.js';
import type { ServerStubs } from '../../kinds/conversation/plugins/stub-servers.js';
import { removeTree } from '../../workspace/remove-tree.js';
import { type ClaudeBench, type LaneSettings, layOutProbe } from '../bench.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';
import type { Sandbox } from '../made/sandbox.js';
import { holdParts, holdPlugin } from './confine-plugin.js';
import { judgePlugin, type PluginStatus } from './status.js';
import { copyWithStubs, type StubbedPlugin } from './stubbed-copy.js';

/** How a plugin reaches a conversation: by its folder in each call, or really installed. */
export type InstallMode = 'plugin-dir' | 'marketplace';

/** A plugin that is installed here, or was earlier. */
export interface ShelvedPlugin {
  readonly name: string;
  /** `name@marketplace`; for a folder `name@inline`, as Claude Code writes it. */
  readonly id: string;
  readonly mode: InstallMode;
  /** The folder that it is loaded or installed from. */
  readonly path: string;
  /** Set if that folder is a copy in which scripts play MCP servers. */
  readonly stubbed: StubbedPlugin | null;
  /** What its marketplace declares for it, or null if that is only a link. */
  readonly entry: EntryParts | null;
  readonly marketplace: { readonly name: string; readonly path: string } | null;
  readonly installedAt: string;
  readonly installed: boolean;
  readonly status: PluginStatus;
}

export interface InstallRequest {
  readonly name: string;
  readonly from: string;
  readonly mode: InstallMode;
  readonly force: boolean;
  /** Scripts that play MCP servers of the plugin. */
  readonly stubs: ServerStubs;
}

/** The plugins that conversations of this server get. */
export class PluginShelf {
  readonly #settings: LaneSettings;
  readonly #paths: Confinement;
  readonly #folder: string;
  readonly #sandbox: Sandbox;
  readonly #plugins = new Map<string, ShelvedPlugin>();

  constructor(settings: LaneSettings, paths: Confinement, folder: string, sandbox: Sandbox) {
    this.#settings = settings;
    this.#paths = paths;
    this.#folder = folder;
    this.#sandbox = sandbox;
  }

  get installed(): readonly ShelvedPlugin[] {
    return [...this.#plugins.values()].filter(({ installed }) => installed);
  }

  /** The configuration folder that marketplace plugins are installed into. */
  get configFolder(): string {
    return join(this.#folder, 'config');
  }

  /** Finds a plugin that is or was installed here. */
  get(name: string): ShelvedPlugin {
    const known = this.#plugins.get(name) ?? [...this.#plugins.values()].find(({ id }) => id === name);
    if (known !== undefined) return known;
    throw new ToolError(
      'PluginNotFoundError',
      `Expected the name of an installed plugin, found ${JSON.stringify(name)}.`,
      `Install it with install_plugin. Installed: ${this.installed.map((plugin) => plugin.name).join(', ') || 'none'}.`,
    );
  }

  async install(asked: InstallRequest): Promise<ShelvedPlugin> {
    const origin = await this.#locate(asked);
    const entry = await this.#findEntry(asked);
    // Claude Code reads an entry of a marketplace only if it installs the plugin.
    const request: InstallRequest = entry === null ? asked : { ...asked, mode: 'marketplace' };
    const stubbed = this.#readStubs(request, origin);
    const path = await this.#place(origin, stubbed);
    const before = this.#plugins.get(request.name);
    if (before?.installed && before.path === path && before.mode === request.mode && !request.force) {
      return this.refresh(before.name);
    }
    if (before?.installed) await this.uninstall(before.name, false);
    const plugin = await this.read({ path, entry, stubbed });
    this.#refuseWhatIsNotPlayed(plugin, request.mode);
    const marketplace = request.mode === 'marketplace' ? await this.#installReally(request) : null;
    const shelved: ShelvedPlugin = {
      name: request.name,
      id: `${request.name}@${marketplace?.name ?? 'inline'}`,
      mode: request.mode,
      path,
      stubbed,
      entry,
      marketplace,
      installedAt: new Date().toISOString(),
      installed: true,
      status: await this.#judge(plugin, request.mode),
    };
    this.#plugins.set(request.name, shelved);
    return shelved;
  }

  /** Uninstalls a plugin and returns its last status. */
  async uninstall(name: string, cleanup: boolean): Promise<ShelvedPlugin> {
    const shelved = this.get(name);
    if (!shelved.installed) {
      throw new ToolError(
        'PluginNotFoundError',
        `The plugin ${name} is no longer installed.`,
        'Install it again with install_plugin.',
      );
    }
    if (shelved.mode === 'marketplace') {
      await this.#withCli(async (cli) => {
        const problem = await uninstallPlugin(cli, shelved.id);
        if (problem !== null)
          throw new ToolError('InstallationError', `Could not remove ${shelved.id}: ${problem}`);
        const rest = this.installed.filter(({ id }) => id !== shelved.id);
        const used = rest.some(({ marketplace }) => marketplace?.name === shelved.marketplace?.name);
        if (cleanup && !used && shelved.marketplace !== null)
          await removeMarketplace(cli, shelved.marketplace.name);
      });
    }
    this.#plugins.set(shelved.name, { ...shelved, installed: false });
    return shelved;
  }

  /** Checks a plugin again: its files may have changed. */
  async refresh(name: string): Promise<ShelvedPlugin> {
    const shelved = this.get(name);
    if (!shelved.installed) return shelved;
    const { entry, stubbed, mode } = shelved;
    const path = await this.#place(stubbed?.origin ?? shelved.path, stubbed);
    const status = await this.#judge(await this.read({ path, entry, stubbed }), mode);
    const now = { ...shelved, path, status };
    this.#plugins.set(shelved.name, now);
    return now;
  }

  /** Removes every plugin and everything that was installed for it. Returns whether all of it is gone. */
  async clear(): Promise<boolean> {
    this.#plugins.clear();
    await removeTree(this.#folder);
    return (await statOrNull(this.#folder)) === null;
  }

  /** Reads a plugin as its files are now, held to the root: they may have become links since. */
  async read({ path, entry, stubbed }: Pick<ShelvedPlugin, 'path' | 'entry' | 'stubbed'>): Promise<Plugin> {
    await holdPlugin(this.#paths, stubbed?.origin ?? path);
    const plugin = await readPlugin(path, entry);
    if (stubbed === null) await holdParts(this.#paths, plugin);
    return plugin;
  }

  /** Returns the folder to load. Each copy is a new one, because conversations may use the last one. */
  async #place(origin: string, stubbed: StubbedPlugin | null): Promise<string> {
    if (stubbed === null) return origin;
    await holdPlugin(this.#paths, origin);
    await holdParts(this.#paths, await readPlugin(origin));
    return copyWithStubs(stubbed, join(this.#folder, 'stubbed', randomUUID()));
  }

  #readStubs({ stubs, mode, name }: InstallRequest, origin: string): StubbedPlugin | null {
    if (Object.keys(stubs).length === 0) return null;
    if (mode === 'plugin-dir') return { origin, stubs };
    throw new ToolError(
      'UnsupportedError',
      `${name} is installed from a marketplace, and Claude Code makes its own copy of it then.`,
      'Install the plugin with mode "plugin-dir" from its own folder: stubs change the copy that is loaded.',
    );
  }

  async #findEntry({ name, from }: InstallRequest): Promise<EntryParts | null> {
    const marketplace = await readMarketplace(from);
    return marketplace !== null && 'entries' in marketplace ? (marketplace.entries.get(name) ?? null) : null;
  }

  async #locate({ name, from, mode }: InstallRequest): Promise<string> {
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
    if (path !== null) return path;
    const there =
      marketplace === null ? '' : ` It offers: ${[...marketplace.plugins.keys()].join(', ') || 'nothing'}.`;
    throw new ToolError(
      'PluginNotFoundError',
      `There is no plugin ${JSON.stringify(name)} in ${from}.`,
      `Set marketplace_path to a marketplace, a folder that contains plugins, or the plugin's own folder.${there}`,
    );
  }

  #refuseWhatIsNotPlayed(plugin: Plugin, mode: InstallMode): void {
    if (!LANE_TRAITS[this.#settings.lane].standIns) return;
    const what = mode === 'marketplace' ? 'marketplaces' : plugin.notPlayed;
    if (what === null) return;
    throw new ToolError(
      'UnsupportedError',
      `The stand-in for claude does not support ${what}, which the plugin ${plugin.name} needs.`,
      'Start the server with --lane scripted: it uses the real Claude Code and is also free.',
    );
  }

  async #installReally({ name, from }: InstallRequest): Promise<{ name: string; path: string }> {
    const marketplace = await readMarketplace(from);
    if (marketplace === null || 'problem' in marketplace)
      throw new Error('a marketplace that was there is gone');
    await this.#withCli(async (cli) => {
      const problem = await installFromMarketplace(cli, {
        plugin: name,
        marketplace: marketplace.name,
        path: from,
      });
      if (problem !== null) throw new ToolError('InstallationError', problem);
      const found = (await listInstalled(cli)).some(({ id }) => id === `${name}@${marketplace.name}`);
      if (!found)
        throw new ToolError('InstallationError', 'Claude Code installed the plugin but does not list it.');
    });
    return { name: marketplace.name, path: from };
  }

  #judge(plugin: Plugin, mode: InstallMode): Promise<PluginStatus> {
    return this.#withBench(async (bench, cwd, artifacts) => {
      const cell = await this.#sandbox.openForClaude(bench, artifacts, {
        ...{ cwd, home: join(this.#folder, 'home'), folders: [this.configFolder] },
        readable: [plugin.path],
      });
      try {
        return await judgePlugin({ plugin, mode, bench, cwd, artifacts, cell });
      } finally {
        await cell?.close();
      }
    });
  }

  #withCli(work: (cli: PluginCli) => Promise<void>): Promise<void> {
    return this.#withBench(({ executable, env }, cwd) => work({ executable, env, cwd }));
  }

  async #withBench<Result>(
    work: (bench: ClaudeBench, cwd: string, artifacts: string) => Promise<Result>,
  ): Promise<Result> {
    // Two probes at the same time must not write to the same files.
    const artifacts = join(this.#folder, 'probes', randomUUID());
    const cwd = join(artifacts, 'workspace');
    await makeFolder(cwd);
    await makeFolder(this.configFolder);
    const bench = await layOutProbe(this.#settings, { home: join(this.#folder, 'home'), artifacts });
    try {
      const env = { ...bench.env, CLAUDE_CONFIG_DIR: this.configFolder };
      return await work({ ...bench, env }, cwd, artifacts);
    } finally {
      await bench.close();
    }
  }
}
