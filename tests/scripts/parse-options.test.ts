import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));
const read = (name: string) => readFileSync(join(SCRIPTS, name), 'utf8');
const all = readdirSync(SCRIPTS).filter((name) => name.endsWith('.mjs'));
const withOptions = all.filter((name) => read(name).includes('parseOptions(import.meta.url'));

function run(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(SCRIPTS, name), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('scripts read their options in one place', () => {
  expect(all.filter((name) => /\bparseArgs\(/.test(read(name)))).toEqual(['parse-options.mjs']);
  expect(withOptions).toContain('plugins.mjs');
});

test.each(withOptions)('%s prints its comment as help', (name) => {
  const { status, stdout, stderr } = run(name, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n').filter((line) => line !== '').length).toBeGreaterThan(1);
  expect(read(name).startsWith(`// ${stdout.split('\n')[0]}\n`)).toBe(true);
});

test.each(withOptions)('%s refuses an unknown option without a stack trace', (name) => {
  const help = `See its options: node scripts/${name} --help\n`;
  const { status, stdout, stderr } = run(name, '--no-such-option', '3');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^scripts\/\S+: expected --\S.*; found: Unknown option '--no-such-option'\.\n/);
  expect(stderr.split('\n').slice(1).join('\n')).toBe(help);
});
