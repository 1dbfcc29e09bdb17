import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

const SECRET = 'correct-horse-battery-staple-42';
const KEY_SHAPED = 'sk-ant-api03-ABCDEFGHIJKLMNOPQRSTUVWX';

test('no credential that an agent prints, emits or writes is in anything that the harness writes', async () => {
  const cwd = tempFolder();
  const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers');
  const leaky = readFileSync(join(bin, 'claude'), 'utf8').replace(
    'const sum',
    `const leak = process.env.ANTHROPIC_API_KEY + ' ${KEY_SHAPED}';
say('leak: ' + leak); console.error(leak);
require('node:fs').mkdirSync('.ralph/agent', { recursive: true });
require('node:fs').writeFileSync('leak.txt', leak);
require('node:fs').writeFileSync('.ralph/agent/scratchpad.md', leak);
require('node:child_process').execFileSync(process.env.RALPH_BIN, ['emit', 'leak.event', leak]);
const sum`,
  );
  writeFileSync(join(bin, 'claude'), leaky);
  chmodSync(join(bin, 'claude'), 0o755);
  const { code, stdout, stderr } = await callCli(
    ['claude', '--ralph', 'embedded', '--filter', 'claude-connect', '--json', '--verbose'],
    { cwd, env: { PATH: `${bin}:${bareSystemPath()}`, ANTHROPIC_API_KEY: SECRET } },
  );
  expect(code).toBe(0);
  expect(stdout).toContain('[redacted]');
  const written = [stdout, stderr, ...readAll(join(cwd, '.e2e-tests'))];
  expect(written.filter((text) => text.includes(SECRET) || text.includes(KEY_SHAPED))).toEqual([]);
});

/** Every file that is there after the run; the workspace is gone, since the scenario passed. */
function readAll(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));
}
