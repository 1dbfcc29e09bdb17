import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/attack.mjs', import.meta.url));

async function attack(
  ...args: readonly string[]
): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const { exitCode, stdout } = await execa(process.execPath, [SCRIPT, ...args], { reject: false });
  return { code: exitCode, stdout };
}

/** One of each kind; `npm run attack` tries all. */
const SAMPLE = [
  'journal/own-forged',
  'journal/earlier-run-forged',
  'journal/shown-line-dropped',
  'evidence/{events-elsewhere,prompt-appended,start-again,control}',
  'authors/{throw-in-timer,throw-object,patch-json,change-other-scenario}',
  'hidden/{utf16be,memory-link}',
  'selection/{filter-beside,control}',
  'compare/{all-skipped,fifo,run-damaged,control}',
  'environment/{stdout-full,name-too-long,folder-lost-and-file}',
  'targets/{overwritten,put-back-in-attempt,control}',
  'errands/{git-of-the-repo-host,python-of-the-user-bwrap,control-host}',
  'foreign/{resumed-module,passed-beside-failed,control}',
  'sandbox/{hides-an-exit-code-by-debugger,leaves-a-chain-of-forks,control}',
];

test('no attack of a sample turns red into green', async () => {
  const { code, stdout } = await attack(...SAMPLE.flatMap((pattern) => ['--only', pattern]));
  expect(stdout).toMatch(/^\d+ tried, 0 green$/m);
  expect(stdout).not.toContain(': it ');
  expect(code).toBe(0);
});

test('the corpus has more than three hundred ways', async () => {
  const { stdout } = await attack('--list');
  expect(stdout.trim().split('\n').length).toBeGreaterThan(300);
  const { code } = await attack('--only', 'no-such-attack');
  expect(code).toBe(2);
});
