import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Scenario, turnSays } from '../../src/authoring.js';
import { findEarlierRun } from '../../src/cli/input/find-runs.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { type HarnessOptions, runHarness } from '../../src/harness/harness.js';
import { conversation } from '../../src/index.js';
import { runCli, tempFolder } from '../support/cli.js';
import { liveRun } from '../support/live-run.js';

/** A test that needs its plugin, one that only has it, and one without any. */
const TESTS = `
import { conversation, fileContains, onPrompt, pluginLoaded, turnSays } from 'ralph-e2e';

const hello = {
  name: 'hello',
  files: {
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'hello', version: '1.0.0', description: 'Greets' }),
    'commands/greet.md': 'Write a greeting for $ARGUMENTS into greeting.txt.',
  },
};
const answers = onPrompt(/Say (\\w+) in uppercase/).says('{{upper 1}}');
const ask = (nonce) => \`Say \${nonce} in uppercase.\`;

export const needs = conversation({
  id: 'needs',
  description: 'The command writes a greeting, and the agent answers',
  arrange: ({ nonce }) => ({ plugins: [hello], turns: [\`/greet \${nonce}\`, ask(nonce)] }),
  expect: ({ nonce }) => ({
    loaded: pluginLoaded('hello'),
    greeting: fileContains('greeting.txt', 'Hello'),
    answer: turnSays(2, nonce.toUpperCase()),
  }),
  agent: [onPrompt(/greeting for (\\w+) into/).writes('greeting.txt', 'Hello, {{1}}').says('Written.'), answers],
});

export const has = conversation({
  id: 'has',
  description: 'The agent answers',
  arrange: ({ nonce }) => ({ plugins: [hello], turns: [ask(nonce)] }),
  expect: ({ nonce }) => [turnSays(1, nonce.toUpperCase())],
  agent: [answers],
});

export const none = conversation({
  id: 'none',
  description: 'The agent answers without a plugin',
  arrange: ({ nonce }) => ({ turns: [ask(nonce)] }),
  expect: ({ nonce }) => [turnSays(1, nonce.toUpperCase())],
  agent: [answers],
});
`;

function writeTests(): string {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'tests.mjs'), TESTS);
  return cwd;
}

const CALL = ['--mock', '--scenarios', 'tests.mjs', '--without-plugin', '--report', 'markdown,json,html'];

describe('--without-plugin', () => {
  test('compares each test of a plugin with itself, and leaves the verdict alone', async () => {
    const cwd = writeTests();
    const { code, stdout } = await runCli(CALL, { cwd });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(
      'The same tests without their plugins: 1 of 2 tests passes without the plugin too, and shows nothing about it.',
    );
    expect(stdout).toMatch(
      /has \[claude\] passes without the plugin too\n[^[]*Figures: turns 1 \(without: 1\)/,
    );
    expect(stdout).toMatch(/needs \[claude\] fails without the plugin\n[^[]*Figures: turns 2 \(without: 2\)/);

    const folder = join(cwd, '.e2e-tests');
    const report = reportSchema.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
    const baselines = Object.fromEntries(
      report.results.map(({ scenario_id, baseline }) => [scenario_id, baseline]),
    );
    const answer = expect.stringMatching(/^turn \d says /);
    expect(baselines).toMatchObject({
      needs: {
        outcome: 'failed',
        also_without: [answer],
        only_with: ['plugin hello loads without errors', expect.stringContaining('greeting.txt')],
        only_without: [],
        with_plugin: { turns: 2, tool_calls: 1, cost_usd: null },
        without_plugin: { turns: 2, tool_calls: 0, cost_usd: null },
      },
      has: { outcome: 'passed', also_without: [answer], only_with: [] },
      none: null,
    });
    expect(report.summary).toMatchObject({ total: 3, passed: 3, failed: 0 });
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toMatch(
      /## 🔌 Without the plugin\n[\s\S]*\| `has \[claude\]` passes without the plugin too \|/,
    );
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(
      /<section id="without-plugin"[\s\S]*has \[claude\]<\/code><\/a> <bdi>passes without the plugin too/,
    );
  });

  test.each<{ flags: readonly string[]; error: RegExp }>([
    { flags: ['--test', 'none'], error: /expected a test with a plugin, found none among the chosen ones/ },
    { flags: ['--shard', '1/2'], error: /--without-plugin and --shard cannot be combined/ },
  ])('refuses $flags', async ({ flags, error }) => {
    const { code, stderr } = await runCli([...CALL, ...flags], { cwd: writeTests() });
    expect(stderr).toMatch(error);
    expect(code).toBe(2);
  });
});

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Puts a claude on a PATH that is logged in, answers each prompt with `hello`, and says what that cost. */
function writeClaude(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(folder, 'script.yml'), 'default: hello\n');
  writeFileSync(
    join(bin, 'claude'),
    `#!/bin/sh
case "$*" in
  --version) echo '2.1.0 (Claude Code)' ;;
  *'auth status') echo '{"loggedIn":true}' ;;
  *) exec '${process.execPath}' '${CLI}' sim claude --script '${join(folder, 'script.yml')}' -- "$@" ;;
esac
`,
  );
  chmodSync(join(bin, 'claude'), 0o755);
  return bin;
}

function greeting(id: string): Scenario {
  const manifest = JSON.stringify({ name: 'hello', version: '1.0.0', description: 'Greets' });
  return conversation({
    id,
    description: 'The agent greets',
    arrange: () => ({
      plugins: [{ name: 'hello', files: { '.claude-plugin/plugin.json': manifest } }],
      turns: ['Say hello.'],
    }),
    expect: () => [turnSays(1, 'hello')],
    agent: [],
  });
}

test('what the arm without the plugin cost is in the report, and counts for --max-cost after resume', async () => {
  const folder = tempFolder();
  const options = {
    ...liveRun(folder, writeClaude(folder)),
    ...{ catalogue: [greeting('one'), greeting('two')], backends: ['claude'], jobs: 1, withoutPlugin: true },
  } satisfies HarnessOptions;
  const interrupt = new AbortController();
  const events: JournalEvent[] = [];
  const first = await runHarness({
    ...options,
    signal: interrupt.signal,
    onEvent: (event) => {
      events.push(event);
      if (event.type === 'baseline-finished') interrupt.abort();
    },
  });
  const paid = events.flatMap((event) => ('spending' in event && event.spending ? [event.spending.usd] : []));
  expect(paid).toHaveLength(3);
  const [sum, arm] = [paid.reduce((total, usd) => total + usd, 0), paid.at(-1) ?? 0];
  expect(arm).toBeGreaterThan(0);
  expect(first.report.spending?.cost_usd).toBeCloseTo(sum, 9);

  const started: JournalEvent['type'][] = [];
  const resume = await findEarlierRun(options.output, undefined);
  const onEvent = ({ type }: JournalEvent) => started.push(type);
  // The rest of the budget is less than what the first arm cost.
  await runHarness({ ...options, resume, maxUsd: sum - arm / 2, onEvent });
  expect(started).not.toContain('baseline-finished');
});
