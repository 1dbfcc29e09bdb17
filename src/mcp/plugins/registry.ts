import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EntryParts } from '../../backends/claude/plugins/manifest.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import {
  installFromMarketplace,
  type PluginCli,
  removeInstalled,
} from '../../kinds/conversation/plugins/claude-plugins.js';
import type { Marketplace } from '../../kinds/conversation/plugins/marketplace.js';
import { type Plugin, readPlugin } from '../../kinds/conversation/plugins/plugin.js';
import type { PreparedAgent } from '../../kinds/conversation/session/prepare.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';
import { removeFolders } from '../made/made-places.js';
import type { Sandboxes } from '../made/sandboxes.js';
import { type LaneSettings, layOutProbe } from '../prepare-claude.js';
import { isPlainText, judgeFiles, judgePlugin, type PluginStatus } from './check.js';
import {
  copyWithStubs,
  holdParts,
  holdPlugin,
  type InstallMode,
  type InstallRequest,
  locateOffered,
  type StubbedPlugin,
} from './locate.js';

/** A plugin that is installed here, or was earlier. */
export interface RegisteredPlugin {
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

/** The plugins that conversations of this server get. Claude Code installs and loads them in a home of their own. */
export class PluginRegistry {
  readonly #settings: LaneSettings;
  readonly #paths: Confinement;
  readonly #folder: string;
  readonly #sandboxes: Sandboxes;
  readonly #plugins = new Map<string, RegisteredPlugin>();

  constructor(settings: LaneSettings, paths: Confinement, folder: string, sandboxes: Sandboxes) {
    this.#settings = settings;
    this.#paths = paths;
    this.#folder = folder;
    this.#sandboxes = sandboxes;
  }

  get installed(): readonly RegisteredPlugin[] {
    return [...this.#plugins.values()].filter(({ installed }) => installed);
  }

  /** The configuration folder that marketplace plugins are installed into. */
  get configFolder(): string {
    return join(this.#folder, 'config');
  }

  /** Finds a plugin that is or was installed here. */
  get(name: string): RegisteredPlugin {
    const known = this.#plugins.get(name) ?? [...this.#plugins.values()].find(({ id }) => id === name);
    if (known !== undefined) return known;
    throw new ToolError(
      'PluginNotFoundError',
      `Expected the name of an installed plugin, found ${JSON.stringify(name)}.`,
      `Install it with install_plugin. Installed: ${this.installed.map((plugin) => plugin.name).join(', ') || 'none'}.`,
    );
  }

  async install(asked: InstallRequest): Promise<RegisteredPlugin> {
    const { path: origin, entry, marketplace } = await locateOffered(this.#paths, asked);
    // Claude Code reads an entry of a marketplace only if it installs the plugin.
    const request: InstallRequest = entry === null ? asked : { ...asked, mode: 'marketplace' };
    const stubbed = this.#readStubs(request, origin);
    const before = this.#plugins.get(request.name);
    const path = await this.#place(origin, stubbed);
    if (before?.installed && before.path === path && before.mode === request.mode && !request.force) {
      return this.refresh(before.name);
    }
    if (before?.installed) await this.uninstall(before.name, false);
    return this.#add({ path, entry, stubbed }, request, marketplace);
  }

  async #add(
    place: Pick<RegisteredPlugin, 'path' | 'entry' | 'stubbed'>,
    request: InstallRequest,
    marketplace: Marketplace | null,
  ): Promise<RegisteredPlugin> {
    const plugin = await this.read(place);
    this.#refuseWhatIsNotPlayed(plugin, request.mode);
    const market = request.mode === 'marketplace' ? marketplace : null;
    if (market !== null) await this.#withCli((cli) => installFromMarketplace(cli, request.name, market));
    const registered: RegisteredPlugin = {
      ...place,
      name: request.name,
      id: `${request.name}@${market?.name ?? 'inline'}`,
      mode: request.mode,
      marketplace: market === null ? null : { name: market.name, path: market.path },
      installedAt: new Date().toISOString(),
      installed: true,
      status: await this.#judge(plugin, request.mode),
    };
    this.#plugins.set(request.name, registered);
    return registered;
  }

  /** Uninstalls a plugin and returns its last status. */
  async uninstall(name: string, cleanup: boolean): Promise<RegisteredPlugin> {
    const registered = this.get(name);
    if (!registered.installed) {
      throw new ToolError(
        'PluginNotFoundError',
        `The plugin ${name} is no longer installed.`,
        'Install it again with install_plugin.',
      );
    }
    if (registered.mode === 'marketplace')
      await this.#withCli((cli) => removeInstalled(cli, 'uninstall', registered.id));
    this.#plugins.set(registered.name, { ...registered, installed: false });
    const market = registered.marketplace?.name;
    const isUsed = this.installed.some(({ marketplace }) => marketplace?.name === market);
    if (cleanup && market !== undefined && !isUsed)
      await this.#withCli((cli) => removeInstalled(cli, 'marketplace', 'remove', market));
    return registered;
  }

  /** Checks a plugin again: its files may have changed. */
  async refresh(name: string): Promise<RegisteredPlugin> {
    const registered = this.get(name);
    if (!registered.installed) return registered;
    const { entry, stubbed, mode } = registered;
    const path = await this.#place(stubbed?.origin ?? registered.path, stubbed);
    const status = await this.#judge(await this.read({ path, entry, stubbed }), mode);
    const now = { ...registered, path, status };
    this.#plugins.set(registered.name, now);
    return now;
  }

  /** Removes every plugin and everything that was installed for it. Returns the paths that are still there. */
  async clear(): Promise<readonly string[]> {
    this.#plugins.clear();
    return removeFolders([this.#folder]);
  }

  /** Reads a plugin as its files are now, held to the root: they may have become links since. */
  async read({
    path,
    entry,
    stubbed,
  }: Pick<RegisteredPlugin, 'path' | 'entry' | 'stubbed'>): Promise<Plugin> {
    await holdPlugin(this.#paths, stubbed?.origin ?? path);
    const plugin = await readPlugin(path, entry);
    if (stubbed === null) await holdParts(this.#paths, plugin);
    return plugin;
  }

  /** Returns the folder to load: for stubs a new copy, because an open conversation may have loaded the last one. */
  async #place(origin: string, stubbed: StubbedPlugin | null): Promise<string> {
    if (stubbed === null) return origin;
    await holdPlugin(this.#paths, origin);
    await holdParts(this.#paths, await readPlugin(origin));
    return copyWithStubs(stubbed, join(this.#folder, 'copies', randomUUID()));
  }

  async #judge(plugin: Plugin, mode: InstallMode): Promise<PluginStatus> {
    if (LANE_TRAITS[this.#settings.lane].standIns && isPlainText(plugin)) return judgeFiles(plugin);
    return this.#withSetup(async (laneSetup, cwd, artifacts) => {
      const sandbox = await this.#sandboxes.openForClaude(laneSetup, artifacts, {
        ...{ cwd, home: join(this.#folder, 'home'), folders: [this.configFolder] },
        readable: [plugin.path],
      });
      try {
        return await judgePlugin(plugin, mode, { laneSetup, cwd, artifacts, sandbox });
      } finally {
        await sandbox?.close();
      }
    });
  }

  /** Runs commands of `claude plugin` in the configuration folder. */
  #withCli(work: (cli: PluginCli) => Promise<unknown>): Promise<unknown> {
    return this.#withSetup(({ executable, env }, cwd) => work({ executable, env, cwd }));
  }

  async #withSetup<Result>(
    work: (laneSetup: PreparedAgent, cwd: string, artifacts: string) => Promise<Result>,
  ): Promise<Result> {
    // Two probes at the same time must not write to the same files.
    const artifacts = join(this.#folder, 'probes', randomUUID());
    const cwd = join(artifacts, 'workspace');
    await makeFolder(cwd);
    await makeFolder(this.configFolder);
    const laneSetup = await layOutProbe(this.#settings, { home: join(this.#folder, 'home'), artifacts });
    try {
      const env = { ...laneSetup.env, CLAUDE_CONFIG_DIR: this.configFolder };
      return await work({ ...laneSetup, env }, cwd, artifacts);
    } finally {
      await laneSetup.close();
    }
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
}
