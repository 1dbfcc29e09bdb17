import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { runCli, tempFolder } from '../support/cli.js';

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
      'Without the plugin: 1 of 2 tests passes without the plugin too, and shows nothing about it',
    );
    expect(stdout).toMatch(/has \[claude\] passes without the plugin too; turns 1 \(without: 1\)/);
    expect(stdout).toMatch(/needs \[claude\] fails without the plugin; turns 2 \(without: 2\)/);

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
      /<section id="without-plugin"[\s\S]*has \[claude\]<\/a> <bdi>passes without the plugin too/,
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
