import { expect, test } from 'vitest';
import { decideBash } from '../../../../../src/backends/claude/stand-in/permissions/bash.js';
import { STARTERS } from '../../../../../src/backends/claude/stand-in/permissions/commands.js';
import { contextOf } from './context-of.js';
import { isAllowed, sort } from './sort-commands.js';

test('a line that changes the folder makes git and relative input suspicious, wherever they are', () => {
  const allowed = [
    'cd . && git status',
    'cd src && ls',
    'ls; cd src',
    'cd src && cat < /dev/null',
    'cd src && cat <<< x',
  ];
  const refused = [
    ...['git status && cd src', 'cd src; git status', 'git log; ls; cd src', 'git --version; pushd src'],
    ...['cd src && cat < b.txt', 'cat < a.txt; cd src'],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('a rule sees the whole line if it changes files, or is a pipeline that does more than read', () => {
  const deny = ['Bash(if *)', 'Bash(*|*)'];
  const allowed = ['if true; then ls; fi', 'if true; then make; fi', 'ls | wc'];
  const refused = ['if true; then touch x; fi', 'if true; then ls > x; fi', 'ls | make'];
  expect(sort([...allowed, ...refused], { allow: ['Bash'], deny })).toEqual({ allowed, refused });
  expect(sort([...allowed, ...refused], { allow: ['Bash'], ask: deny })).toEqual({ allowed, refused });
});

test('no prefix allows what changes the meaning of variables, or starts something unseen', () => {
  const refused = [
    ...[
      'declare -i X=1',
      'typeset -n X=Y',
      'unset PATH',
      'env -S "touch x"',
      'env --split-string=ls',
      'env -C src ls',
    ],
    ...['flock a ls', 'strace ls', 'chrt 1 ls', 'taskset 1 ls', 'X=~; ls', 'X=1 | ls', "declare 'a[0]=1'"],
    ...['declare PATH=/x', 'command export PATH=/x', 'export PATH+=:/x; ls', 'time -p ls', 'timeout x ls'],
  ];
  const allowed = ['declare X=1', 'declare -p', 'unset X', 'env A=1 ls', 'export PATH=/x', 'export X=1; ls'];
  const names = [
    'export',
    'command',
    'time',
    'timeout',
    'declare',
    'typeset',
    'unset',
    'env',
    'flock',
    'strace',
    'chrt',
    'taskset',
  ];
  expect(sort([...allowed, ...refused], { allow: names.map((name) => `Bash(${name}:*)`) })).toEqual({
    allowed,
    refused,
  });
});

test('a builtin that sets a variable is suspicious until a shell has run', () => {
  const allow = ['declare', 'export', 'read', 'printf'].map((name) => `Bash(${name}:*)`);
  const decide = (command: string, shellHasRun: boolean) =>
    decideBash(command, { ...contextOf({ allow }), shellHasRun }).allowed;
  for (const command of ['declare X=1', 'export X=1; ls', 'read X', 'printf -v X y']) {
    expect([command, decide(command, false), decide(command, true)]).toEqual([command, false, true]);
  }
  expect(decide('export X=1', false)).toBe(true);
});

test.each(['constructor', 'toString x', 'git constructor', 'timeout 5 valueOf'])(
  '%s needs a rule',
  (command) => {
    expect(isAllowed(command)).toBe(false);
  },
);

test('a denied command is found behind every program that starts others', () => {
  const starters = [...STARTERS, 'env', 'sudo', 'timeout 5', 'nice', 'xargs'];
  const commands = starters.map((name) => `${name} rm x`);
  expect(sort(commands, { allow: ['Bash'], deny: ['Bash(rm:*)'] }).allowed).toEqual([]);
});
