import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireProgram } from './programs.js';
import { becomeNewUser, packInto, ROOT } from './support/packed-package.js';
import {
  type Desk,
  followSteps,
  readRows,
  readSection,
  readSteps,
  runInShell,
} from './support/walkthrough.js';

/** The page is followed in an empty folder with nothing but the packed package. */
const SECTION = readSection(join(ROOT, 'docs/plugins.md'), 'From nothing to a first test');
const STEPS = readSteps(SECTION);

const user = becomeNewUser();
afterAll(user.leave);
let desk: Desk;
beforeAll(() => {
  packInto(user.folder);
  desk = followSteps(STEPS, user.folder, user.env);
});

test('its files and commands lead to the output that it shows', () => {
  expect(STEPS.map((step) => step.do)).toEqual(['run', 'write', 'write', 'write', 'run', 'compare']);
  expect(desk.printed).toContain('✅ greeting [claude]');
});

test('without the line that it says to take away, the report names the turn', () => {
  const file = join(desk.cwd, 'greeting.mjs');
  const whole = readFileSync(file, 'utf8');
  const forgetful = whole.replace(String.raw`\n\nNEXT: /hello:leave`, '');
  expect(forgetful).not.toBe(whole);
  writeFileSync(file, forgetful);
  try {
    const command = STEPS.findLast((step) => step.do === 'run')?.script.trim();
    runInShell(`${command} || test $? = 1`, desk.cwd, user.env);
  } finally {
    writeFileSync(file, whole);
  }
  const report = readFileSync(join(desk.cwd, '.e2e-tests/report.md'), 'utf8');
  expect(report).toContain('❌ **turn 1 suggests /leave**');
});

// The live lane costs tokens and needs an account.
const free = readRows(SECTION).filter((row) => row.at(-1) === 'nothing');

test('two of its lanes are free', () => expect(free).toHaveLength(2));

test.each(free)('%s passes on %s', (command) => {
  const script = command.replaceAll('`', '');
  const { printed } = runInShell(script, desk.cwd, user.withProgram(requireProgram('claude')));
  expect(printed).toContain('✅ greeting [claude]');
});

test('its proof leaves one check open', () => {
  const command = /`(npx ralph-e2e prove [^`]+)`/.exec(SECTION)?.[1];
  const { printed } = runInShell(`${command} || test $? = 1`, desk.cwd, user.env);
  expect(printed.match(/ unkilled$/gm)).toHaveLength(1);
});
