import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSealer } from '../../src/journal/seal.js';
import { acquireLock } from '../../src/workspace/lock.js';
import { runCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, writeEndingRun } from '../support/ending-run.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** Writes a ralph that says of itself that it is real. */
function putRalph(cwd: string): void {
  const path = join(cwd, 'ralph');
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$*" = --version ] && echo 'ralph 2.10.1' && exit\nexec ${STAND_IN} "$@"\n`,
  );
  chmodSync(path, 0o755);
}

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-e2e-test-')));
const output = join(cwd, '.e2e-tests');
let id = '';
const journal = () => join(output, 'runs', id, 'journal.jsonl');

/** One killed run for all tests: a refusal leaves it as it was. */
beforeAll(async () => {
  writeEndingRun(['SIGKILL'], cwd);
  putRalph(cwd);
  await runCli(
    ENDING_CALL.map((word) => (word === 'embedded' ? './ralph' : word)),
    { cwd },
  );
  [id = ''] = readdirSync(join(output, 'runs'));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function refuse(found: RegExp, ...args: string[]): Promise<void> {
  const before = readFileSync(journal(), 'utf8');
  const { code, stdout, stderr } = await runCli(['resume', ...args], { cwd });
  expect(stderr).toMatch(found);
  // A refusal has two lines, and no stack.
  expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(readFileSync(journal(), 'utf8')).toBe(before);
}

const SEALS = /,"seal":"[0-9a-f]{32}"\}$/gm;

/** What somebody does who changes a journal and knows how its lines are sealed. */
function sealAgain(text: string): string {
  const seal = createSealer();
  return text
    .replace(SEALS, '}')
    .split('\n')
    .map((line) => (line === '' ? '' : seal(line)))
    .join('\n');
}

/** Changes a file until the test ends. */
function change(path: string, edit: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, edit(before));
  onTestFinished(() => writeFileSync(path, before));
}

describe('a run is not resumed', () => {
  test('under the id of no run; the others are listed', async () => {
    const { code, stderr } = await runCli(['resume', '2000', '--output', output], { cwd: tempFolder() });
    expect(stderr).toMatch(
      /^error: .*found "2000", which matches no run\.\nChoose one of:\n {2}\d{8}-\S+ {2}sim .*\n$/,
    );
    expect(code).toBe(2);
  });

  test('with other options', () =>
    refuse(/^error: unknown option '--lane'\nSee `ralph-e2e resume --help`\.\n/, '--lane', 'sim'));

  test('while its folder is in use', async () => {
    const lock = await acquireLock({ path: output });
    onTestFinished(() => lock.release());
    await refuse(/cannot be resumed now: expected its folder unused\. Another run is .*: process \d+/);
  });

  test('on another Ralph', async () => {
    change(join(cwd, 'ralph'), (text) => `${text}# rebuilt\n`);
    await refuse(
      /tests ralph 2\.10\.1 \(SHA-256 \w{16}\): expected it at \S+, found a file with SHA-256 \w{16}\.\nPut that Ralph back/,
    );
  });

  test('with another file of scenarios', async () => {
    change(join(cwd, 'mine.mjs'), (text) => `${text}\n`);
    await refuse(
      /was started with other files: expected them as they were, found \S+mine\.mjs \(changed\)\.\n/,
    );
  });

  test('with scenarios that ask something else', async () => {
    change(join(cwd, 'words.mjs'), (text) => text.replace('Say', 'Please say'));
    await refuse(
      /has another catalog .*: expected its 4 tests as they were, found first \[claude\] \(changed\), /,
    );
  });

  test('by somebody who did not start it here, and does not trust it', async () => {
    change(journal(), (text) => sealAgain(text.replace(/"program":\[/, '"program":["evil",')));
    await refuse(
      /may be somebody else's: expected one that you started on this machine, found one from elsewhere with \S+\/ralph, \S+\/mine\.mjs\.\nIf you trust whoever made it, add --trust/,
    );
  });

  test('by another ralph-e2e', async () => {
    change(journal(), (text) =>
      sealAgain(text.replace(/"harnessVersion":"[^"]+"/, '"harnessVersion":"0.0.1"')),
    );
    await refuse(/was started by ralph-e2e 0\.0\.1: expected the same version, found /, '--trust');
  });

  test('if its journal has a bad line', async () => {
    change(journal(), (text) => text.replace('\n', '\nnonsense\n'));
    await refuse(/^error: Line 2 of the journal: expected a record/, id);
  });

  test('if its journal lost a line', async () => {
    change(journal(), (text) => text.replace(/\{"type":"attempt-started"[^\n]*\n/, ''));
    await refuse(/is damaged: .*found the end of attempt 1 of first \[claude\] without its start\.\n/);
  });

  test('in another place', async () => {
    const moved = join(cwd, 'moved');
    renameSync(output, moved);
    const { code, stderr } = await runCli(['resume', '--output', 'moved'], { cwd });
    renameSync(moved, output);
    expect(stderr).toMatch(
      /was made in \S+\.e2e-tests: expected it there, found it in \S+moved\.\nMove it back/,
    );
    expect(code).toBe(2);
  });

  test('once it is finished, which nothing of all this keeps it from', async () => {
    expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
    await refuse(
      /is finished: expected one that was interrupted or killed, found its end and its reports\.\n/,
      id,
    );
  });
});

test('a proof and a folder without runs cannot be resumed', async () => {
  const other = tempFolder();
  expect(await runCli(['resume'], { cwd: other })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: There are no runs in /),
  });
  const prove = ['prove', '--filter', 'claude-connect', '--saboteurs', 'none', '--no-variants', '-q'];
  await runCli(prove, { cwd: other });
  const [proof = ''] = readdirSync(join(other, '.e2e-tests/runs'));
  expect(await runCli(['resume', proof], { cwd: other })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: There are no runs in /),
  });
});
