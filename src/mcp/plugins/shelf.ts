import type { EntryParts } from '../../backends/claude/plugins/manifest.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { type Plugin, readPlugin } from '../../kinds/conversation/plugins/plugin.js';
import type { LaneSettings } from '../bench.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';
import type { Sandbox } from '../made/sandbox.js';
import { holdParts, holdPlugin } from './confine-plugin.js';
import { type InstallMode, type InstallRequest, locateOffered } from './locate.js';
import { PluginBench } from './plugin-bench.js';
import type { PluginStatus } from './status.js';

/** A plugin that is installed here, or was earlier. */
export interface ShelvedPlugin {
  readonly name: string;
  /** `name@marketplace`; for a folder `name@inline`, as Claude Code writes it. */
  readonly id: string;
  readonly mode: InstallMode;
  /** The folder that it came from. */
  readonly path: string;
  /** What its marketplace declares for it, or null if that is only a link. */
  readonly entry: EntryParts | null;
  readonly marketplace: { readonly name: string; readonly path: string } | null;
  readonly installedAt: string;
  readonly installed: boolean;
  readonly status: PluginStatus;
}

/** The plugins that conversations of this server get. */
export class PluginShelf {
  readonly #settings: LaneSettings;
  readonly #paths: Confinement;
  readonly #bench: PluginBench;
  readonly #plugins = new Map<string, ShelvedPlugin>();

  constructor(settings: LaneSettings, paths: Confinement, folder: string, sandbox: Sandbox) {
    this.#settings = settings;
    this.#paths = paths;
    this.#bench = new PluginBench(settings, folder, sandbox);
  }

  get installed(): readonly ShelvedPlugin[] {
    return [...this.#plugins.values()].filter(({ installed }) => installed);
  }

  /** The configuration folder that marketplace plugins are installed into. */
  get configFolder(): string {
    return this.#bench.configFolder;
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
    const { path, entry, marketplace } = await locateOffered(this.#paths, asked);
    // Claude Code reads an entry of a marketplace only if it installs the plugin.
    const request: InstallRequest = entry === null ? asked : { ...asked, mode: 'marketplace' };
    const before = this.#plugins.get(request.name);
    if (before?.installed && before.path === path && before.mode === request.mode && !request.force) {
      return this.refresh(before.name);
    }
    if (before?.installed) await this.uninstall(before.name, false);
    const plugin = await this.#read(path, entry);
    this.#refuseWhatIsNotPlayed(plugin, request.mode);
    const market = request.mode === 'marketplace' ? marketplace : null;
    if (market !== null) await this.#bench.install(request.name, market);
    const shelved: ShelvedPlugin = {
      name: request.name,
      id: `${request.name}@${market?.name ?? 'inline'}`,
      mode: request.mode,
      path,
      entry,
      marketplace: market === null ? null : { name: market.name, path: market.path },
      installedAt: new Date().toISOString(),
      installed: true,
      status: await this.#bench.judge(plugin, request.mode),
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
      const market = shelved.marketplace?.name ?? null;
      const used = this.installed.some(
        ({ id, marketplace }) => id !== shelved.id && marketplace?.name === market,
      );
      await this.#bench.uninstall(shelved.id, cleanup && !used ? market : null);
    }
    this.#plugins.set(shelved.name, { ...shelved, installed: false });
    return shelved;
  }

  /** Checks a plugin again: its files may have changed. */
  async refresh(name: string): Promise<ShelvedPlugin> {
    const shelved = this.get(name);
    if (!shelved.installed) return shelved;
    const now = {
      ...shelved,
      status: await this.#bench.judge(await this.#read(shelved.path, shelved.entry), shelved.mode),
    };
    this.#plugins.set(shelved.name, now);
    return now;
  }

  /** Removes every plugin and everything that was installed for it. Returns whether all of it is gone. */
  async clear(): Promise<boolean> {
    this.#plugins.clear();
    return this.#bench.clear();
  }

  /** Reads a plugin, held to the root: its files may have become links since. */
  async #read(path: string, entry: EntryParts | null): Promise<Plugin> {
    await holdPlugin(this.#paths, path);
    const plugin = await readPlugin(path, entry);
    await holdParts(this.#paths, plugin);
    return plugin;
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
