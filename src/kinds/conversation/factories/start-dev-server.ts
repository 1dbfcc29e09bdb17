import { realpath } from 'node:fs/promises';
import { KnownError } from '../../../domain/common/known-error.js';
import type { DevServer } from '../../../domain/scenario/conversation-arrangement.js';
import { removeTree } from '../../../exec/files/remove-tree.js';
import { laneEnvironment } from '../../../lane/environment.js';
import { startServer } from '../dev-server.js';
import type { TestProject } from '../projects/create-test-project.js';
import { type Closable, closable, inNewFolder } from './closable.js';

/** The options of `startDevServer`: those of `devServer` in a conversation, with a default for `run`. */
export interface DevServerOptions extends Partial<DevServer> {
  /** Variables in addition to the usual ones; PORT is always set. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A server that answers. Closing it ends it and everything that it started. */
export interface StartedDevServer extends Closable {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** How it ended by itself; null while it runs. */
  endedEarly(): string | null;
}

/** Starts the server of a project and waits until it answers. A web app of `createProject` needs no command. */
export function startDevServer(
  project: string | (Pick<TestProject, 'path'> & Partial<Pick<TestProject, 'serveCommand'>>),
  { run, env = {}, ...options }: DevServerOptions = {},
): Promise<StartedDevServer> {
  return inNewFolder(async (folder) => {
    const path = typeof project === 'string' ? project : project.path;
    const command = run ?? (typeof project === 'string' ? null : project.serveCommand);
    if (command == null) {
      throw new KnownError(`Expected a command that serves ${path}, but none is known.`, {
        hint: "Pass one, such as run: ['npm', 'run', 'dev'].",
      });
    }
    const server = await startServer(
      { ...options, run: command },
      {
        cwd: await realpath(path),
        env: { ...laneEnvironment({ lane: 'scripted', base: process.env, pass: [] }), ...env },
        artifacts: folder,
        secrets: [],
      },
    );
    const { url, port, record, end } = server;
    const endedEarly = () => record().endedEarly;
    return closable({ url, port, endedEarly }, () => end().finally(() => removeTree(folder)));
  });
}
