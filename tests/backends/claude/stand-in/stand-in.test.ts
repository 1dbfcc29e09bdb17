import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../src/agent/builder.js';
import { runStandIn } from '../../../../src/agent/stand-in/run-stand-in.js';
import { claudeStandIn } from '../../../../src/backends/claude/stand-in/stand-in.js';
import { tempFolder } from '../../../support/cli.js';

const SKIP = ['--dangerously-skip-permissions', '-p', 'hi'];

/** A call by somebody who may or may not be root: tests run as either. */
async function call(argv: readonly string[], isRoot: boolean, env: Readonly<Record<string, string>> = {}) {
  const cwd = tempFolder();
  const script = join(cwd, 'script.json');
  writeFileSync(script, JSON.stringify({ format: 1, rules: [onAnyPrompt().says('Hi.').rule] }));
  const written = { stdout: '', stderr: '' };
  const status = await runStandIn(claudeStandIn, {
    argv,
    cwd,
    env: { HOME: cwd, RALPH_E2E_AGENT_SCRIPT: script, ...env },
    isRoot,
    write: (stream, text) => {
      written[stream] += text;
    },
    readInput: async () => ({ text: '' }),
    readLines: async function* () {},
  });
  return { status, ...written };
}

const REFUSED = {
  status: 1,
  stdout: '',
  stderr: '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n',
};
const BYPASS = JSON.stringify({ permissions: { defaultMode: 'bypassPermissions' } });
const PLAYED = { status: 0, stdout: 'Hi.\n', stderr: '' };

test.each([
  [SKIP, true, {}, REFUSED],
  [['-p', '--permission-mode', 'bypassPermissions', 'hi'], true, {}, REFUSED],
  // The refusal comes before the missing prompt is noticed.
  [['-p', '--dangerously-skip-permissions'], true, {}, REFUSED],
  [SKIP, true, { IS_SANDBOX: 'true' }, REFUSED],
  [SKIP, true, { IS_SANDBOX: '1' }, PLAYED],
  [SKIP, false, {}, PLAYED],
  [['-p', '--settings', BYPASS, 'hi'], true, {}, REFUSED],
  [['-p', '--settings', BYPASS, 'hi'], false, {}, PLAYED],
  [['-p', 'hi'], true, {}, PLAYED],
])('%j, root: %j, %j', async (argv, isRoot, env, expected) => {
  expect(await call(argv, isRoot, env)).toEqual(expected);
});

test.each([
  [['-p', ''], /^Error: Input must be provided either through stdin/],
  [['-p', ' '], /^Error: Input must be provided either through stdin/],
])('%j exits with 1 and says why', async (argv, message) => {
  const { status, stdout, stderr } = await call(argv, false);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim()).toMatch(message);
});

test('a replay of messages without a stream is refused by name', async () => {
  const { status, stderr } = await call(['-p', '--replay-user-messages', 'hi'], false);
  expect([status, stderr]).toEqual([70, expect.stringContaining('without --input-format=stream-json')]);
});

test('a sandbox in the settings is refused by name', async () => {
  const sandbox = JSON.stringify({ sandbox: { enabled: true } });
  const { status, stderr } = await call(['-p', '--settings', sandbox, 'hi'], false);
  expect([status, stderr]).toEqual([70, expect.stringContaining('a sandbox (--settings)')]);
});
