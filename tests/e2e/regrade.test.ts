import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { runCli, tempFolder } from '../support/cli.js';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** A scenario with this check. */
const scenario = (wanted: string) => `
import { conversation, fileEquals, onPrompt } from '${INDEX}';

export const shout = conversation({
  id: 'shout',
  tier: 8,
  priority: 'must',
  phase: 'green',
  description: 'The agent writes the word in uppercase',
  covers: [],
  arrange: ({ nonce }) => ({ turns: ['Shout ' + nonce] }),
  expect: ({ nonce }) => ({ ${wanted} }),
  agent: [onPrompt(/Shout (\\w+)/).writes('loud.txt', '{{upper 1}}').says('Done.')],
});
`;

const WRONG = "marked: fileEquals('loud.txt', nonce + '!')";
const RIGHT = "loud: fileEquals('loud.txt', nonce.toUpperCase())";

async function runWrong() {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'mine.mjs'), scenario(WRONG));
  const { code } = await runCli(['--mock', '--scenarios', 'mine.mjs', '-q'], { cwd });
  expect(code).toBe(1);
  const [id = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
  return { cwd, id };
}

async function regrade(cwd: string, ...args: readonly string[]) {
  const { code, stdout } = await runCli(['regrade', ...args, '--scenarios', 'mine.mjs', '--json'], { cwd });
  return { code, report: reportSchema.parse(JSON.parse(stdout)) };
}

test("kept evidence is judged with today's checks and the random values of its attempt", async () => {
  const { cwd, id } = await runWrong();
  const same = await regrade(cwd, id);
  expect([same.code, same.report.origin]).toMatchObject([
    1,
    {
      kind: 'regrade',
      run_id: id,
      changed_scenarios: [],
      tests: [{ test: 'shout [claude]', before: 'failed', now: 'failed' }],
    },
  ]);
  writeFileSync(join(cwd, 'mine.mjs'), scenario(RIGHT));
  const { code, report } = await regrade(cwd, 'latest');
  expect([code, report.origin]).toMatchObject([
    0,
    { run_id: id, changed_scenarios: ['shout [claude]'], tests: [{ before: 'failed', now: 'passed' }] },
  ]);
});

test('the report is one of its own: the run and its reports stay as they are', async () => {
  const { cwd, id } = await runWrong();
  const journal = join(cwd, '.e2e-tests/runs', id, 'journal.jsonl');
  const before = [journal, join(cwd, '.e2e-tests/report.json')].map((path) => readFileSync(path, 'utf8'));
  writeFileSync(join(cwd, 'mine.mjs'), scenario(RIGHT));
  const { stdout } = await runCli(['regrade', id, '--scenarios', 'mine.mjs'], { cwd });
  expect(stdout).toContain(`This is a regrade of run ${id}`);
  expect(stdout).toContain(
    'failed → passed: shout [claude]\n1 scenario changed since that run: shout [claude]',
  );
  expect([journal, join(cwd, '.e2e-tests/report.json')].map((path) => readFileSync(path, 'utf8'))).toEqual(
    before,
  );
  expect(readFileSync(join(cwd, '.e2e-tests/regrades/report.md'), 'utf8')).toContain(`regrade of run ${id}`);
});

test('a journal that was changed since is not judged', async () => {
  const { cwd, id } = await runWrong();
  const path = join(cwd, '.e2e-tests/runs', id, 'journal.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"outcome":"failed"', '"outcome":"passed"'));
  const { code, stderr } = await runCli(['regrade', id], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/is damaged/)]);
});
