import { randomUUID } from 'node:crypto';
import { join, relative, resolve, sep } from 'node:path';
import type { Isolation } from '../domain/evidence/isolation.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { folderHolds } from '../exec/files/resolve-inside.js';
import type { StdioServer } from '../kinds/conversation/mcp-client/stdio-server.js';
import { type KeptKind, MCP_FOLDER, sayInUse } from '../workspace/kept-by-mcp.js';
import { openWorkspaceRoot } from '../workspace/workspace-root.js';
import { Confinement } from './confine.js';
import { ToolError } from './errors.js';
import { MadePlaces, removeFolders } from './made/made-places.js';
import { Sandboxes } from './made/sandboxes.js';
import { openServerFolder, SERVER_MARKER, sweepDeadServers } from './made/server-folder.js';
import { MockTools } from './mock-tools.js';
import { PluginRegistry } from './plugins/registry.js';
import type { LaneSettings } from './prepare-claude.js';
import type { HookExecution } from './session-times.js';
import { SessionManager } from './sessions.js';

/** The settings that the server was started with. */
export interface HarnessSettings extends LaneSettings {
  readonly root: string;
  readonly isolation: Isolation;
  /** The absolute path of the folder for runs, reports and captured artifacts. */
  readonly output: string;
  readonly catalogue: readonly Scenario[];
  readonly ralph: string | undefined;
  readonly model: string | null;
  /** Tools that the agent may use without asking, in addition to edits and the plugins' own tools. */
  readonly allowedTools: readonly string[];
  /** The words that start ralph-e2e again from here. */
  readonly program: readonly string[];
  /** Aborts when the server should end. */
  readonly signal: AbortSignal;
}

/** What is written for conversations, hooks and servers, and needed only as long as they are known. */
const SCRATCH_KINDS = ['sessions', 'hooks', 'homes', 'servers'] as const;
type ScratchKind = (typeof SCRATCH_KINDS)[number];

/**
 * Everything that the tools share, on three levels: the system (plugins, MCP servers, mocks), the sessions (history,
 * stages, hooks; sessions share nothing with each other), and the test (projects, captured artifacts).
 */
export class Harness {
  readonly options: HarnessSettings;
  readonly paths: Confinement;
  readonly plugins: PluginRegistry;
  readonly mocks: MockTools;
  readonly sandboxes: Sandboxes;
  readonly sessions = new SessionManager();
  /** The MCP servers that start_mcp_server started, by their ids. */
  readonly servers = new Map<string, StdioServer>();
  /** Hooks that trigger_hook ran. */
  readonly hookRuns: HookExecution[] = [];
  readonly projects = new MadePlaces();
  /** The folders of conversations that were given none. */
  readonly workspaces = new MadePlaces();
  /** Artifacts and histories that this server wrote. */
  readonly captured = new MadePlaces();
  /** The settings for everything that this server starts: a process that is left says whose it is. */
  readonly lane: LaneSettings;
  /** What ends the handlers that trigger_hook runs. */
  readonly #triggered = new Set<{ readonly end: AbortController; readonly ended: Promise<unknown> }>();
  readonly #folder: string;
  #opening: Promise<unknown> = Promise.resolve();
  #announced = false;

  private constructor(options: HarnessSettings, paths: Confinement, folder: string, sandboxes: Sandboxes) {
    this.options = options;
    this.paths = paths;
    this.#folder = folder;
    this.lane = { ...options, marks: { [SERVER_MARKER]: folder } };
    this.sandboxes = sandboxes;
    this.plugins = new PluginRegistry(this.lane, paths, join(folder, 'plugins'), sandboxes);
    this.mocks = new MockTools(join(folder, 'mocks'));
  }

  static async open(options: HarnessSettings): Promise<Harness> {
    const paths = await Confinement.open(options.root);
    const prepared = await Sandboxes.prepare(options.isolation, options);
    await sweepDeadServers();
    const folder = await openServerFolder();
    return new Harness(options, paths, folder, await prepared(folder));
  }

  /** Runs something that ends when its caller cancels, with the test environment, and with the server. */
  async runEndable<Result>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const end = new AbortController();
    const ended = work(AbortSignal.any([signal, end.signal, this.options.signal]));
    const running = { end, ended: ended.catch(() => {}) };
    this.#triggered.add(running);
    try {
      return await ended;
    } finally {
      this.#triggered.delete(running);
    }
  }

  /** Names a new folder that is removed with the test environment, and when the server ends. */
  scratch(kind: ScratchKind): string {
    return join(this.#folder, kind, randomUUID());
  }

  /** Removes the homes, captured output and installed plugins of conversations that have ended. Returns what is left. */
  async clearScratch(): Promise<readonly string[]> {
    const left = await removeFolders(SCRATCH_KINDS.map((kind) => join(this.#folder, kind)));
    return [...left, ...(await this.plugins.clear())];
  }

  /** Names a folder for what should stay, inside the output folder, which the surrounding repo ignores. */
  async keep(...path: [] | [KeptKind, ...string[]]): Promise<string> {
    // Serialized: openWorkspaceRoot refuses a half-created folder.
    const opened = this.#opening.then(async () => {
      const root = await openWorkspaceRoot(this.options.output);
      if (!this.#announced) await sayInUse(root);
      this.#announced = true;
      return root;
    });
    this.#opening = opened.catch(() => {});
    return join((await opened).path, MCP_FOLDER, ...path);
  }

  /**
   * Refuses to write at a path without links: where this server keeps its own files, and where git finds programs to
   * start.
   */
  requireFree(path: string, what: string): void {
    const output = resolve(this.paths.root, relative(this.options.root, this.options.output));
    const workspaces = join(output, MCP_FOLDER, 'workspaces');
    const isOwn = folderHolds(output, path) && !(path !== workspaces && folderHolds(workspaces, path));
    const isGit = relative(this.paths.root, path).toLowerCase().split(sep).includes('.git');
    if (path !== this.paths.root && !isOwn && !isGit) return;
    const found = isOwn
      ? `${path}, where this server keeps its own files`
      : isGit
        ? `${path}, which belongs to git`
        : 'this folder itself';
    throw new ToolError(
      'InvalidInputError',
      `${what}: expected a path below ${this.paths.root}, found ${found}.`,
      'Choose another path.',
    );
  }

  /** Ends every conversation, server and hook. */
  async endEverything(): Promise<{ readonly sessions: number; readonly servers: number }> {
    for (const { end } of this.#triggered) end.abort();
    await Promise.all([...this.#triggered].map(({ ended }) => ended));
    const sessions = await this.sessions.endAll();
    const running = [...this.servers.values()];
    this.servers.clear();
    await Promise.all(running.map((server) => server.stop()));
    return { sessions, servers: running.length };
  }

  async close(): Promise<void> {
    await this.endEverything();
    await this.sandboxes.close();
    await removeTree(this.#folder);
  }
}
