import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../../exec/files/make-folder.js';
import {
  installFromMarketplace,
  listInstalled,
  type PluginCli,
  removeMarketplace,
  uninstallPlugin,
} from '../../kinds/conversation/plugins/claude-plugins.js';
import type { Marketplace } from '../../kinds/conversation/plugins/marketplace.js';
import type { Plugin } from '../../kinds/conversation/plugins/plugin.js';
import { type ClaudeBench, type LaneSettings, layOutProbe } from '../bench.js';
import { ToolError } from '../errors.js';
import { removeFolders } from '../made/remove-folders.js';
import type { Sandbox } from '../made/sandbox.js';
import type { InstallMode } from './locate.js';
import { judgePlugin, type PluginStatus } from './status.js';

/** Asks Claude Code about plugins, and has it install them, in a home of their own. */
export class PluginBench {
  readonly #settings: LaneSettings;
  readonly #folder: string;
  readonly #sandbox: Sandbox;

  constructor(settings: LaneSettings, folder: string, sandbox: Sandbox) {
    this.#settings = settings;
    this.#folder = folder;
    this.#sandbox = sandbox;
  }

  /** The configuration folder that marketplace plugins are installed into. */
  get configFolder(): string {
    return join(this.#folder, 'config');
  }

  /** A new folder for a copy of a plugin. */
  newCopyFolder(): string {
    return join(this.#folder, 'copies', randomUUID());
  }

  judge(plugin: Plugin, mode: InstallMode): Promise<PluginStatus> {
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

  /** Has Claude Code install a plugin from a marketplace. */
  async install(plugin: string, { name, path }: Marketplace): Promise<void> {
    await this.#withCli(async (cli) => {
      const problem = await installFromMarketplace(cli, { plugin, marketplace: name, path });
      if (problem !== null) throw new ToolError('InstallationError', problem);
      const found = (await listInstalled(cli)).some(({ id }) => id === `${plugin}@${name}`);
      if (!found)
        throw new ToolError('InstallationError', 'Claude Code installed the plugin but does not list it.');
    });
  }

  /** Has Claude Code remove a plugin. */
  async uninstall(id: string): Promise<void> {
    await this.#withCli(async (cli) => {
      const problem = await uninstallPlugin(cli, id);
      if (problem !== null) throw new ToolError('InstallationError', `Could not remove ${id}: ${problem}`);
    });
  }

  /** Has Claude Code forget a marketplace. */
  async forget(marketplace: string): Promise<void> {
    await this.#withCli(async (cli) => {
      const problem = await removeMarketplace(cli, marketplace);
      if (problem === null) return;
      throw new ToolError('InstallationError', `Could not remove the marketplace ${marketplace}: ${problem}`);
    });
  }

  /** Removes everything that was installed. Returns the paths that are still there. */
  clear(): Promise<readonly string[]> {
    return removeFolders([this.#folder]);
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
