import { expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { listTests } from '../../../src/cli/commands/list.js';
import { readRunCall } from '../../../src/cli/input/run-call.js';
import { startCli, tempFolder } from '../../support/cli.js';

test('the built program lists what the scenarios say, from the index that the build made', async () => {
  const flags = { suite: 'all', lane: 'sim' } as const;
  const args = ['--suite', 'all', '--lane', 'sim', '--list', '--json'];
  const { stdout } = await startCli(args, { cwd: tempFolder() }).done;
  const list = await listTests(catalogue, readRunCall([], flags, []), { json: true });
  expect(stdout).toBe(`${list}\n`);
});
