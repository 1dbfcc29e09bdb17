import { expect, test } from 'vitest';
import { StdioServer } from '../../src/mcp/stdio-client.js';
import { covers } from '../coverage/covers.js';
import { tempFolder } from '../support/cli.js';
import { runningWith } from './support/processes.js';

test.skipIf(process.platform !== 'linux')(
  'a server that never answers is given up at its limit, and ended',
  async () => {
    covers('A4');
    const folder = tempFolder();
    const program = 'setInterval(() => {}, 1e6)';
    const started = StdioServer.start({
      ...{
        command: process.execPath,
        args: ['-e', program, folder],
        cwd: folder,
        env: {},
        artifacts: folder,
      },
      ...{ secrets: [], signal: new AbortController().signal, cell: undefined, answerSeconds: 0.5 },
    });
    await expect(started).rejects.toMatchObject({
      errorName: 'ServerFailedError',
      message: 'The MCP server does not answer: no answer to initialize within 0.5 s.',
    });
    expect(runningWith(folder)).toEqual([]);
  },
);
