import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { posixPath } from '../support/posix-path.js';

const BUGS = fileURLToPath(new URL('../../examples/bugs', import.meta.url));
const INTERPRETERS = /\b(?:perl|python3?|node|ruby|php|lua|tclsh|jq|bash|zsh|gawk)\b/g;

test.each(readdirSync(BUGS))('the reproduction of %s needs sh, git and Ralph alone', (id) => {
  const files = readdirSync(join(BUGS, id), { recursive: true, encoding: 'utf8', withFileTypes: true });
  const scripts = files.filter((file) => file.isFile() && !file.name.endsWith('.md'));
  const text = scripts.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
  expect(text).toContain('#!/bin/sh');
  expect(text.match(INTERPRETERS)).toBeNull();
});

test('a program that never starts the agent is no Ralph that breaks a promise', () => {
  const run = join(BUGS, 'memory-blank-lines', 'run.sh');
  const { status, stderr } = spawnSync('sh', [run, '/bin/false'], {
    env: { PATH: posixPath() },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, 'Ralph did not start the agent\n']);
});
