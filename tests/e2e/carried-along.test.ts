import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { runCli, tempFolder } from '../support/cli.js';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;
const PAGE = new URL('../../docs/reports.md', import.meta.url);

const OWN = `
import { completed, loop, onAnyPrompt, scenario } from '${INDEX}';
export const mine = scenario({
  id: 'ID',
  backend: 'claude',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Mine',
  covers: [],
  arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'Work.' }),
  expect: () => ({ ends: completed() }),
  agent: [onAnyPrompt().completes()],
});
`;

/** Runs some tests on a stand-in that ignores the promise, with what a repository carries along. */
async function run(files: Record<string, string>, ...args: string[]) {
  const cwd = tempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const result = await runCli(['claude', '--mock', '--json', '--env', 'RALPH_STANDIN_FAULT', ...args], {
    cwd,
    env: { RALPH_STANDIN_FAULT: 'ignore-completion' },
  });
  const report = result.stdout === '' ? null : reportSchema.parse(JSON.parse(result.stdout));
  return { ...result, report, outcomes: report?.results.map((test) => [test.scenario_id, test.outcome]) };
}

describe('--known-issues', () => {
  const example =
    /```yaml\n(# e2e\/known-issues\.yaml[\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  const filter = ['--filter', 'claude-connect', '--known-issues', 'known.yaml'];

  test('excuses what the page shows, and the command that repeats the test names the file', async () => {
    const { code, outcomes, report } = await run({ 'known.yaml': example }, ...filter);
    expect([code, outcomes]).toEqual([0, [['claude-connect', 'known-issue']]]);
    expect(report?.results[0]?.known_issue?.link).toBe('https://example.com/issues/1');
    expect(report?.results[0]?.repeat_command).toContain('--known-issues known.yaml');
  });

  test('does not excuse what breaks in another way', async () => {
    const other = example.replace('exit code 2', 'exit code 3');
    expect(await run({ 'known.yaml': other }, ...filter)).toMatchObject({
      code: 1,
      outcomes: [['claude-connect', 'failed']],
    });
  });

  test.each([
    [
      'no file',
      {},
      /--known-issues known\.yaml: expected a file with known issues, found no file: it does not exist\./,
    ],
    ['no YAML', { 'known.yaml': '{ a: [' }, /--known-issues known\.yaml: expected YAML or JSON, found/],
    [
      'an unknown scenario',
      { 'known.yaml': example.replace('claude-connect', 'claude-conect') },
      /found "claude-conect"\.\nDid you mean claude-connect\?/,
    ],
    [
      'an unknown check',
      { 'known.yaml': example.replace('ends:', 'end:') },
      /claude-connect: expected the name of a check, found "end"\.\nDid you mean ends\?/,
    ],
    [
      'an unknown field',
      { 'known.yaml': example.replace('reason:', 'reasons:') },
      /--known-issues known\.yaml: claude-connect/,
    ],
    [
      'a version that is none',
      { 'known.yaml': example.replace(/upTo: .*/, 'upTo: latest') },
      /upTo: expected a version such as "2\.11\.0", found "latest"\./,
    ],
    [
      'a pattern that cannot be read',
      { 'known.yaml': example.replace(/ends: .*/, 'ends: /(/') },
      /claude-connect\.breaks\.ends: expected a regular expression/,
    ],
    [
      'an issue without a link',
      { 'known.yaml': example.replace(/ +link: .*\n/, '') },
      /claude-connect\.link: this key is missing: expected a string\.\nWrite, for each scenario: /,
    ],
    ['a list of checks', { 'known.yaml': example.replace(/ends: .*/, '- ends') }, /claude-connect\.breaks: /],
  ])('refuses %s, and exits 2', async (_what, files, message) => {
    const { code, stderr } = await run(files, ...filter);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('--add-scenarios', () => {
  const both = ['--add-scenarios', 'mine.mjs', '--test', 'mine', '--test', 'claude-connect'];

  test('adds to the catalog, and the command that repeats the test names the file', async () => {
    const { outcomes, report } = await run({ 'mine.mjs': OWN.replace('ID', 'mine') }, ...both);
    expect(outcomes?.toSorted()).toEqual([
      ['claude-connect', 'failed'],
      ['mine', 'failed'],
    ]);
    expect(report?.results.map(({ repeat_command }) => repeat_command)).toEqual([
      expect.stringContaining('--add-scenarios mine.mjs'),
      expect.stringContaining('--add-scenarios mine.mjs'),
    ]);
  });

  test.each([
    [
      'an id that the catalog has',
      { 'mine.mjs': OWN.replace('ID', 'claude-connect') },
      /Two scenarios have the id "claude-connect"/,
    ],
    [
      'a file that is not there',
      {},
      /--add-scenarios mine\.mjs: expected a module that exports scenarios, but this file does not exist/,
    ],
  ])('refuses %s, and exits 2', async (_what, files, message) => {
    const { code, stderr } = await run(files, ...both);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
