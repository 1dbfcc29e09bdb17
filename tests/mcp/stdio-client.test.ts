import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StdioServer } from '../../src/mcp/stdio-client.js';
import { covers } from '../coverage/covers.js';
import { tempFolder } from '../support/cli.js';
import { isAlive } from './support/processes.js';

test('a server that never answers is given up at its limit, and ended', async () => {
  covers('A4');
  const folder = tempFolder();
  const program = `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`;
  const started = StdioServer.start({
    ...{ command: process.execPath, args: ['-e', program], cwd: folder, env: {}, artifacts: folder },
    ...{ secrets: [], signal: new AbortController().signal, cell: undefined, answerSeconds: 5 },
  });
  await expect(started).rejects.toMatchObject({
    errorName: 'ServerFailedError',
    message: 'The MCP server does not answer: no answer to initialize within 5 s.',
  });
  expect(isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
});
