import { expect, test } from 'vitest';
import {
  ServerFailedError,
  StdioServer,
} from '../../../../src/kinds/conversation/mcp-client/stdio-server.js';
import { covers } from '../../../coverage/covers.js';
import { runningWith } from '../../../mcp/support/processes.js';
import { tempFolder } from '../../../support/cli.js';

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
    await expect(started).rejects.toThrow(
      new ServerFailedError('The MCP server does not answer: no answer to initialize within 0.5 s.'),
    );
    expect(runningWith(folder)).toEqual([]);
  },
);
