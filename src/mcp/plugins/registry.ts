import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { EntryParts } from '../../backends/claude/plugins/manifest.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import type { Marketplace } from '../../kinds/conversation/plugins/marketplace.js';
import { type Plugin, readPlugin } from '../../kinds/conversation/plugins/plugin.js';
import type { Confinement } from '../confine.js';
import { ToolError } from '../errors.js';
import type { Sandbox } from '../made/sandbox.js';
import type { LaneSettings } from '../prepare-claude.js';
import { PluginInstaller, type PluginStatus } from './check.js';
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

/** The plugins that conversations of this server get. */
export class PluginRegistry {
  readonly #settings: LaneSettings;
  readonly #paths: Confinement;
  readonly #installer: PluginInstaller;
  readonly #copies: StubbedCopies;
  readonly #plugins = new Map<string, RegisteredPlugin>();

  /** `isOpen` says whether an open conversation has loaded a folder. */
  constructor(
    settings: LaneSettings,
    paths: Confinement,
    folder: string,
    sandbox: Sandbox,
    isOpen: (path: string) => boolean,
  ) {
    this.#settings = settings;
    this.#paths = paths;
    this.#installer = new PluginInstaller(settings, folder, sandbox);
    this.#copies = new StubbedCopies(() => this.#installer.newCopyFolder(), isOpen);
  }

  get installed(): readonly RegisteredPlugin[] {
    return [...this.#plugins.values()].filter(({ installed }) => installed);
  }

  /** The configuration folder that marketplace plugins are installed into. */
  get configFolder(): string {
    return this.#installer.configFolder;
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
    const path = await this.#place(origin, stubbed, before?.path ?? null);
    if (before?.installed && before.path === path && before.mode === request.mode && !request.force) {
      return this.refresh(before.name);
    }
    try {
      if (before?.installed) await this.uninstall(before.name, false);
      return await this.#add({ path, entry, stubbed }, request, marketplace);
    } catch (error) {
      await this.#copies.leave(path);
      throw error;
    } finally {
      if (before !== undefined && before.path !== path) await this.#copies.leave(before.path);
    }
  }

  async #add(
    place: Pick<RegisteredPlugin, 'path' | 'entry' | 'stubbed'>,
    request: InstallRequest,
    marketplace: Marketplace | null,
  ): Promise<RegisteredPlugin> {
    const plugin = await this.read(place);
    this.#refuseWhatIsNotPlayed(plugin, request.mode);
    const market = request.mode === 'marketplace' ? marketplace : null;
    if (market !== null) await this.#installer.install(request.name, market);
    const registered: RegisteredPlugin = {
      ...place,
      name: request.name,
      id: `${request.name}@${market?.name ?? 'inline'}`,
      mode: request.mode,
      marketplace: market === null ? null : { name: market.name, path: market.path },
      installedAt: new Date().toISOString(),
      installed: true,
      status: await this.#installer.judge(plugin, request.mode),
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
    if (registered.mode === 'marketplace') await this.#installer.uninstall(registered.id);
    this.#plugins.set(registered.name, { ...registered, installed: false });
    const market = registered.marketplace?.name;
    const isUsed = this.installed.some(({ marketplace }) => marketplace?.name === market);
    if (cleanup && market !== undefined && !isUsed) await this.#installer.forget(market);
    return registered;
  }

  /** Checks a plugin again: its files may have changed. */
  async refresh(name: string): Promise<RegisteredPlugin> {
    const registered = this.get(name);
    if (!registered.installed) return registered;
    const { entry, stubbed, mode } = registered;
    const path = await this.#place(stubbed?.origin ?? registered.path, stubbed, registered.path);
    const status = await this.#installer.judge(await this.read({ path, entry, stubbed }), mode);
    const now = { ...registered, path, status };
    this.#plugins.set(registered.name, now);
    if (path !== registered.path) await this.#copies.leave(registered.path);
    return now;
  }

  /** Removes every plugin and everything that was installed for it. Returns the paths that are still there. */
  async clear(): Promise<readonly string[]> {
    this.#plugins.clear();
    return this.#installer.clear();
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

  /** Returns the folder to load. */
  async #place(origin: string, stubbed: StubbedPlugin | null, last: string | null): Promise<string> {
    if (stubbed === null) return origin;
    await holdPlugin(this.#paths, origin);
    await holdParts(this.#paths, await readPlugin(origin));
    return this.#copies.place(stubbed, last);
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

/** The copies of plugins in which scripts play servers. Conversations load them, so that none changes once it is made. */
export class StubbedCopies {
  readonly #newFolder: () => string;
  readonly #isOpen: (copy: string) => boolean;
  /** What each copy was made from. */
  readonly #made = new Map<string, string>();
  /** Copies that are not installed any more. */
  readonly #left = new Set<string>();

  constructor(newFolder: () => string, isOpen: (copy: string) => boolean) {
    this.#newFolder = newFolder;
    this.#isOpen = isOpen;
  }

  /** Returns a copy of a plugin as it is now: the last one if nothing has changed since. */
  async place(plugin: StubbedPlugin, last: string | null): Promise<string> {
    const print = await takePrint(plugin);
    if (last !== null && this.#made.get(last) === print && existsSync(last)) return last;
    const folder = this.#newFolder();
    try {
      const copy = await copyWithStubs(plugin, folder);
      this.#made.set(copy, print);
      return copy;
    } catch (error) {
      await removeTree(folder);
      throw error;
    }
  }

  /** Removes a copy and all earlier ones, as soon as no open conversation uses them. */
  async leave(copy: string): Promise<void> {
    if (this.#made.has(copy)) this.#left.add(copy);
    for (const left of this.#left) {
      if (this.#isOpen(left)) continue;
      this.#left.delete(left);
      this.#made.delete(left);
      await removeTree(dirname(left));
    }
  }
}

/** Identifies the files of a plugin and its stubs, without reading the files. */
async function takePrint({ origin, stubs }: StubbedPlugin): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(stubs));
  const entries = await readdir(origin, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of paths) {
    // A link may stay the same while its file changes.
    const both = [await lstat(path), await stat(path).catch(() => null)];
    const facts = both.map((found) =>
      found === null ? null : [found.ino, found.mode, found.size, found.ctimeMs],
    );
    hash.update(JSON.stringify([relative(origin, path), facts]));
  }
  return hash.digest('hex');
}
