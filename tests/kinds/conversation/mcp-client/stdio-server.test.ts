import { createRequire, syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import {
  ServerFailedError,
  StdioServer,
} from '../../../../src/kinds/conversation/mcp-client/stdio-server.js';
import { covers } from '../../../coverage/covers.js';
import { runningWith } from '../../../mcp/support/processes.js';
import { tempFolder } from '../../../support/cli.js';

const timers: typeof import('node:timers/promises') = createRequire(import.meta.url)('node:timers/promises');

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Lets every limit of 10 s and more be over at once. */
function skipLongWaits(): void {
  const { setTimeout: wait } = timers;
  vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, ...rest) =>
    wait(ms >= 10_000 ? 0 : ms, ...rest),
  );
  syncBuiltinESMExports();
}

test.skipIf(process.platform !== 'linux').each([
  ['its limit', { answerSeconds: 0.5 }, '0.5 s'],
  ['30 s if it has none', {}, '30 s'],
])('a server that never answers is given up at %s, and ended', async (_what, limit, shown) => {
  covers('A4');
  if (!('answerSeconds' in limit)) skipLongWaits();
  const folder = tempFolder();
  const started = StdioServer.start({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1e6)', folder],
    ...{ cwd: folder, env: {}, artifacts: folder, sandbox: undefined },
    ...{ secrets: [], signal: new AbortController().signal, ...limit },
  });
  await expect(started).rejects.toThrow(
    new ServerFailedError(`The MCP server does not answer: no answer to initialize within ${shown}.`),
  );
  expect(runningWith(folder)).toEqual([]);
});
