import { dirname, join } from 'node:path';
import { pathExists } from 'fs-extra/esm';
import { LOGIN_FILES } from '../../backends/index.js';
import type { Isolation } from '../../domain/evidence/isolation.js';
import { ensureFile } from '../../exec/files/make-folder.js';
import { prepareEnclosure } from '../../isolation/enclosure.js';
import type { Enclosure, Sandbox } from '../../isolation/launch.js';
import { hookLogPath } from '../../kinds/conversation/hook-log.js';
import type { PreparedAgent } from '../../kinds/conversation/session/prepare.js';
import type { LaneSettings } from '../prepare-claude.js';

/** What a program needs inside of a sandbox. */
export interface SandboxNeeds {
  readonly cwd: string;
  readonly home?: string;
  /** Other folders that it writes to. */
  readonly folders?: readonly string[];
  readonly readable: readonly string[];
  readonly ports?: readonly number[];
}

/** What isolates the programs that the tools start: agents with their hooks and servers, `trigger_hook`, `start_mcp_server`. */
export class Sandboxes {
  readonly #enclosure: Enclosure | undefined;
  readonly #folder: string;

  private constructor(enclosure: Enclosure | undefined, folder: string) {
    this.#enclosure = enclosure;
    this.#folder = folder;
  }

  /** Checks that the isolation works, and throws if not. `folder` is the server's own. */
  static async prepare(
    isolation: Isolation,
    { lane, env, executable }: LaneSettings,
  ): Promise<(folder: string) => Promise<Sandboxes>> {
    const enclose = await prepareEnclosure({ isolation, lane, env, logins: LOGIN_FILES });
    return async (folder) => {
      const journal = join(folder, 'holder.json');
      const program = executable ?? process.execPath;
      return new Sandboxes(await enclose({ folder, run: folder, journal, program }), folder);
    };
  }

  /** Opens a sandbox for a program, which also writes to `files`; undefined on the host. The caller closes it. */
  async open(
    { cwd, home, folders = [], readable, ports = [] }: SandboxNeeds,
    files: readonly string[] = [],
  ): Promise<Sandbox | undefined> {
    // The folders around the project are empty inside.
    const around = [dirname(dirname(cwd)), dirname(cwd)].filter((path) => path !== '/');
    return this.#enclosure?.open({
      folders: [cwd, ...(home === undefined ? [] : [home]), ...folders],
      ...{ files, readable, ports },
      around: [...around, this.#folder],
    });
  }

  /** Opens a sandbox for Claude Code on its setup. */
  async openForClaude(
    laneSetup: PreparedAgent,
    artifacts: string,
    needs: SandboxNeeds,
  ): Promise<Sandbox | undefined> {
    if (this.#enclosure === undefined) return undefined;
    const files = [...(laneSetup.agentLog === null ? [] : [laneSetup.agentLog]), hookLogPath(artifacts)];
    for (const file of files) ensureFile(file);
    const script = join(artifacts, 'agent-script.json');
    const model = laneSetup.modelUrl === null ? [] : [Number(new URL(laneSetup.modelUrl).port)];
    return this.open(
      {
        ...needs,
        readable: [...((await pathExists(script)) ? [script] : []), ...needs.readable],
        ports: model,
      },
      files,
    );
  }

  async close(): Promise<void> {
    await this.#enclosure?.close();
  }
}
