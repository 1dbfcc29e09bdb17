import { join, resolve } from 'node:path';
import * as z from 'zod';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Lane } from '../../../domain/vocabulary.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { packageRoot } from '../../../exec/files/package-root.js';
import { removeTree } from '../../../exec/files/remove-tree.js';
import { knownSecrets } from '../../../lane/secrets.js';
import { StdioServer } from '../mcp-client/stdio-server.js';
import { type Closable, closable, findFolder, inNewFolder } from './closable.js';

/** The options of `connectHarness`. */
export interface HarnessRequest {
  /** The folder in which the tools read and write. Default: a new folder, which is removed in the end. */
  readonly root?: string;
  /** The lane; `sim` by default, so that a test must ask for what costs money. */
  readonly lane?: Lane;
  /** The file that says what the agent says and does in the offline lanes. */
  readonly script?: string;
  /** Other options of `ralph-e2e mcp`, such as `['--isolation', 'bwrap']`. */
  readonly args?: readonly string[];
  /** How long a call may take, in seconds; 600 by default. */
  readonly seconds?: number;
  /** Whether saved artifacts and histories stay when it is closed; false by default. */
  readonly keepArtifacts?: boolean;
}

/** The MCP tools of ralph-e2e. Closing it removes what they made, and ends the server and everything it started. */
export interface ConnectedHarness extends Closable {
  /** The folder in which the tools read and write. */
  readonly root: string;
  /** The names of the tools. */
  readonly tools: readonly string[];
  /**
   * Calls a tool and returns its result. A tool that fails rejects with a `HarnessCallError`, a server that does not
   * answer in time or has ended with another error that says so.
   */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

/** A call of a tool that failed. */
export class HarnessCallError extends KnownError {
  /** Its name in docs/mcp.md, such as `PluginNotFoundError`. */
  readonly errorName: string;

  constructor({ error_name, error, hint }: z.infer<typeof failureSchema>) {
    super(error, hint === null ? {} : { hint });
    this.errorName = error_name;
  }
}

const resultSchema = z.object({
  isError: z.boolean().default(false),
  structuredContent: z.record(z.string(), z.unknown()),
});
const failureSchema = z.object({ error_name: z.string(), error: z.string(), hint: z.string().nullable() });

/** Starts `ralph-e2e mcp` and connects to it. */
export function connectHarness(request: HarnessRequest = {}): Promise<ConnectedHarness> {
  return inNewFolder(async (folder) => {
    const own = join(folder, 'root');
    await makeFolder(own);
    const root = request.root === undefined ? own : await findFolder(request.root, 'a folder');
    const server = await startHarness(request, root, folder);
    const call: ConnectedHarness['call'] = (tool, input = {}) => callTool(server, tool, input);
    const close = () => leave(server, call, request).finally(() => removeTree(folder));
    try {
      return closable({ root, tools: await server.listTools(), call }, close);
    } catch (error) {
      await server.stop();
      throw error;
    }
  });
}

async function startHarness(request: HarnessRequest, root: string, folder: string): Promise<StdioServer> {
  const { lane = 'sim', script, args = [], seconds = 600 } = request;
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const own = ['mcp', '--root', root, '--lane', lane];
  const played = script === undefined ? [] : ['--script', resolve(script)];
  return StdioServer.start({
    command: process.execPath,
    args: [join(packageRoot(), 'dist/cli.js'), ...own, ...played, ...args],
    cwd: root,
    env,
    artifacts: folder,
    secrets: await knownSecrets({ base: env }, env),
    signal: new AbortController().signal,
    answerSeconds: seconds,
    sandbox: undefined,
  });
}

async function callTool(server: StdioServer, name: string, input: Readonly<Record<string, unknown>>) {
  const call = { name, arguments: input };
  const { isError, structuredContent } = await server.request('tools/call', call, resultSchema);
  if (isError) throw new HarnessCallError(failureSchema.parse(structuredContent));
  return structuredContent;
}

/** Removes what the tools made, and ends the server. One that has ended by itself can remove nothing any more. */
async function leave(server: StdioServer, call: ConnectedHarness['call'], { keepArtifacts }: HarnessRequest) {
  try {
    const { left } = resetSchema.parse(
      await call('reset_test_environment', { clear_artifacts: keepArtifacts !== true }),
    );
    if (left.length > 0)
      throw new KnownError(
        `Expected everything that the tools made to be removed, found ${left.join(', ')}.`,
      );
  } catch (error) {
    if (server.ended === null) throw error;
  } finally {
    await server.leave();
  }
}

const resetSchema = z.object({ left: z.array(z.string()) });
