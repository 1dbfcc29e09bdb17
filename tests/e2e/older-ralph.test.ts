import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, tempFolder } from '../support/cli.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** The stand-in as another version, without the records that Ralph writes only since 2.10.0. */
async function runWithoutSummaries(version: string) {
  const cwd = tempFolder();
  const ralph = join(cwd, 'ralph');
  const script = [
    `[ "$*" = --version ] && echo 'ralph ${version}' && exit`,
    `${STAND_IN} "$@"`,
    'code=$?',
    `[ "$1" != run ] || sed -i '/"iteration.summary"/d' .ralph/events-*.jsonl`,
    'exit $code',
  ];
  writeFileSync(ralph, `#!/bin/sh\n${script.join('\n')}\n`, { mode: 0o755 });
  const args = ['claude', '--mock', '--filter', 'claude-multi-iter', '--json', '--ralph', ralph];
  const { stdout } = await callCli(args, { cwd });
  const [result] = reportSchema.parse(JSON.parse(stdout)).results;
  return {
    outcome: result?.outcome,
    count: result?.assertions.find(({ key }) => key === 'iterations')?.actual,
  };
}

test('the iterations of a ralph that does not record their ends are counted by what it prints', async () => {
  expect(await runWithoutSummaries('2.9.3')).toMatchObject({ outcome: 'passed' });
});

test('a ralph that should record the ends of its iterations and does not fails', async () => {
  expect(await runWithoutSummaries('2.10.1')).toMatchObject({
    outcome: 'failed',
    count: expect.stringMatching(/0 finished/),
  });
});
