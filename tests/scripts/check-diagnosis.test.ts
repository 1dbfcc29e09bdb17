import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/cli.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/check-diagnosis.mjs', import.meta.url));

interface Saboteur {
  readonly name?: string;
  readonly origin?: 'own' | 'built-in';
  readonly verdict?: string;
  readonly failure?: string | null;
  readonly diagnosed?: string | null;
}

/** Writes a proof with these saboteurs and has the script judge it. */
function check(saboteurs: readonly Saboteur[], ...args: string[]) {
  const folder = tempFolder();
  const proof = {
    lane: 'sim',
    target: { kind: 'stand-in', version: '2.10.1' },
    scenarios: [
      {
        id: 'hat-single',
        saboteurs: saboteurs.map((saboteur) => ({
          name: 'says it',
          origin: 'own',
          verdict: 'noticed',
          breaks: 'agent',
          failure: 'EventMissing',
          diagnosed: 'EventMissing',
          ...saboteur,
        })),
      },
    ],
  };
  writeFileSync(join(folder, 'prove.json'), JSON.stringify(proof));
  writeFileSync(join(folder, 'page.md'), PAGE);
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, 'prove.json', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, page: readFileSync(join(folder, 'page.md'), 'utf8') };
}

const PAGE = 'before\n<!-- misses: begin -->\nold\n<!-- misses: end -->\nafter\n';
const RIGHT = Array.from({ length: 19 }, (): Saboteur => ({}));
const MISS: Saboteur = { name: 'lies', diagnosed: 'Unknown' };

test('says how many are right, and names the misses', () => {
  const { status, stdout } = check([...RIGHT, MISS]);
  expect(stdout).toContain('19 of 20 right (95.0 %)');
  expect(stdout).toContain('hat-single: lies: EventMissing, diagnosed as Unknown');
  expect(status).toBe(0);
});

test('nothing to judge is not green', () => {
  expect(check([])).toMatchObject({ status: 1 });
});

test.each([
  ['built-in ones', { ...MISS, origin: 'built-in' }],
  ['those that nobody noticed', { ...MISS, verdict: 'survived' }],
  ['those without a type', { ...MISS, failure: null }],
] satisfies [string, Saboteur][])('does not count %s', (_, saboteur) => {
  const { status, stdout } = check([{}, saboteur]);
  expect(stdout).toContain('1 of 1 right (100.0 %)');
  expect(status).toBe(0);
});

test('writes the table of misses into the page, between its marks', () => {
  const { page } = check([...RIGHT, MISS], '--write', 'page.md');
  expect(page).toMatch(
    /^before\n<!-- misses: begin -->\n19 of 20 right \(95\.0 %\), in the sim lane on the stand-in 2\.10\.1\.\n/,
  );
  expect(page).toContain('| `hat-single` | lies | agent | EventMissing | Unknown |');
  expect(page).toMatch(/<!-- misses: end -->\nafter\n$/);
  expect(page).not.toContain('old');
});

test.each([[['--write']], [['--rewrite', 'page.md']]])('says how it is called: %j', (args) => {
  const { status, stderr } = check([{}], ...args);
  expect(stderr).toContain('usage: node scripts/check-diagnosis.mjs');
  expect(status).toBe(2);
});
