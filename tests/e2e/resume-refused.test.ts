import { chmodSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { acquireLock } from '../../src/workspace/lock.js';
import { runCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, writeEndingRun } from '../support/ending-run.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** A ralph that says of itself that it is real. */
function putRalph(cwd: string, note = ''): string {
  const path = join(cwd, 'ralph');
  writeFileSync(
    path,
    `#!/bin/sh\n# ${note}\n[ "$*" = --version ] && echo 'ralph 2.10.1' && exit\nexec ${STAND_IN} "$@"\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** Changes a file while something is tried, and brings it back. */
async function during(
  path: string,
  change: (text: string) => string,
  tried: () => Promise<void>,
): Promise<void> {
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, change(before));
  await tried();
  writeFileSync(path, before);
}

test('a run is resumed only with everything that it started with; each refusal says what differs', async () => {
  const cwd = writeEndingRun('SIGKILL');
  putRalph(cwd);
  const call = ENDING_CALL.map((word) => (word === 'embedded' ? './ralph' : word));
  await runCli(call, { cwd });
  const output = join(cwd, '.e2e-tests');
  const [id = ''] = readdirSync(join(output, 'runs'));
  const journal = join(output, 'runs', id, 'journal.jsonl');
  const before = readFileSync(journal, 'utf8');
  const refuse = async (found: RegExp, ...args: string[]) => {
    const { code, stdout, stderr } = await runCli(['resume', ...args], { cwd });
    expect(stderr).toMatch(found);
    // A refusal has two lines, and no stack.
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  };

  await refuse(/^error: .*found "2000", which matches no run\.\nChoose one of: /, '2000');
  await refuse(/^error: unknown option '--lane'\nSee `ralph-e2e resume --help`\.\n/, '--lane', 'sim');
  const lock = await acquireLock({ path: output });
  await refuse(
    /cannot be resumed now: expected its folder unused\. Another run is using this folder: process \d+/,
  );
  lock.release();
  await during(
    join(cwd, 'ralph'),
    (text) => `${text}# rebuilt\n`,
    () =>
      refuse(
        /tests ralph 2\.10\.1 \(SHA-256 \w{16}\): expected it at \S+, found a file with SHA-256 \w{16}\.\nPut that Ralph back/,
      ),
  );
  await during(
    join(cwd, 'mine.mjs'),
    (text) => `${text}\n`,
    () =>
      refuse(/was started with other files: expected them as they were, found \S+mine\.mjs \(changed\)\.\n/),
  );
  await during(
    join(cwd, 'words.mjs'),
    (text) => text.replace('Say', 'Please say'),
    () =>
      refuse(
        /has another catalog .*: expected its 4 tests as they were, found first \[claude\] \(changed\), /,
      ),
  );
  await during(
    journal,
    (text) => text.replace(/"harnessVersion":"[^"]+"/, '"harnessVersion":"0.0.1"'),
    () => refuse(/was started by ralph-e2e 0\.0\.1: expected the same version, found /),
  );
  await during(
    journal,
    (text) => text.replace('"minor":6', '"minor":5').replace(/"call":\{.*?\},"files"/, '"files"'),
    () => refuse(/has format 1\.5: expected 1\.6 or newer, which records the options/),
  );
  await during(
    journal,
    (text) => text.replace('\n', '\nnonsense\n'),
    () => refuse(/^error: Line 2 of the journal: expected a record/, id),
  );
  await during(
    journal,
    (text) => text.replace(/\{"type":"attempt-started"[^\n]*\n/, ''),
    () => refuse(/is damaged: .*found the end of attempt 1 of first \[claude\] without its start\.\n/),
  );
  renameSync(output, join(cwd, 'moved'));
  await refuse(
    /was made in \S+\.e2e-tests: expected it there, found it in \S+moved\.\nMove the folder back/,
    '--output',
    'moved',
  );
  renameSync(join(cwd, 'moved'), output);

  expect(readFileSync(journal, 'utf8')).toBe(before);
  expect((await runCli(['resume', '-q'], { cwd })).code).toBe(1);
  await refuse(
    /is finished: expected one that was interrupted or killed, found its end and its reports\.\n/,
    id,
  );
});

test('a proof and a folder without runs cannot be resumed', async () => {
  const cwd = tempFolder();
  expect(await runCli(['resume'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: There are no runs in /),
  });
  await runCli(['prove', '--filter', 'claude-connect', '--saboteurs', 'none', '--no-variants', '-q'], {
    cwd,
  });
  const [id = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
  expect(await runCli(['resume', id], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /recorded nothing: .* It is a proof, or it was killed before its first record\.\n/,
    ),
  });
});
