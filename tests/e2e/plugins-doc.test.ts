import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli, tempFolder } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = readFileSync(join(ROOT, 'docs/plugins.md'), 'utf8');

/** The files of the page: a path on a line of its own, then a block. */
function writeFilesOf(document: string): string {
  const cwd = tempFolder();
  for (const [, path = '', text = ''] of document.matchAll(/^`([\w./-]+)`\n\n```\w+\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules', 'ralph-e2e'));
  return cwd;
}

test('the first test of docs/plugins.md passes as it stands there', async () => {
  const cwd = writeFilesOf(DOCUMENT);
  const { code, stdout } = await runCli(['--mock', '--scenarios', 'greeting.mjs'], { cwd });
  expect(stdout).toMatch(/✅ greeting \[claude\]/);
  expect(code).toBe(0);
});

test('with the real Claude Code it needs no ralph, and says what it does need', async () => {
  const cwd = writeFilesOf(DOCUMENT);
  const { code, stdout, stderr } = await runCli(
    ['claude', '--lane', 'scripted', '--scenarios', 'greeting.mjs'],
    { cwd },
  );
  expect(stderr).not.toContain('No ralph');
  expect(stdout).toMatch(/claude.*not/);
  expect(code).toBe(2);
});

test('it fails in the turn that the page says when the agent forgets what comes next', async () => {
  const cwd = writeFilesOf(DOCUMENT.replace(String.raw`Written.\n\nNEXT: /hello:leave`, 'Written.'));
  const { code } = await runCli(['--mock', '--scenarios', 'greeting.mjs'], { cwd });
  expect(readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8')).toContain('❌ **turn 1 suggests /leave**');
  expect(code).toBe(1);
});

test('its proof leaves one check open', async () => {
  const cwd = writeFilesOf(DOCUMENT);
  const { code, stdout } = await runCli(['prove', '--scenarios', 'greeting.mjs', '--json'], { cwd });
  const proof = JSON.parse(stdout);
  expect(proof.survivors).toEqual([]);
  expect(
    proof.unkilled_checks
      .filter(({ scenario }: { scenario: string }) => scenario === 'greeting')
      .map(({ check }: { check: string }) => check),
  ).toEqual(['plugin hello loads without errors']);
  expect(code).toBe(1);
});

test('the test of its own at the end of the page passes, notices a plugin that changed, and leaves nothing', () => {
  const cwd = writeFilesOf(DOCUMENT);
  const place = join(cwd, 'tmp');
  mkdirSync(place);
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const run = () =>
    spawnSync(process.execPath, ['--test', '--test-reporter', 'tap', 'greeting.test.mjs'], {
      cwd,
      env: { ...rest, TMPDIR: place },
      encoding: 'utf8',
    });
  const good = run();
  expect(good.stdout).toMatch(/^# pass 1$/m);
  expect(good.status).toBe(0);
  writeFileSync(join(cwd, 'hello/commands/greet.md'), 'Write a greeting for nobody into greeting.txt.\n');
  expect(run().stdout).toMatch(/^# fail 1$/m);
  expect(readdirSync(place)).toEqual([]);
});
