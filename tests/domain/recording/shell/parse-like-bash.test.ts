// Starts programs, or takes seconds: in the project `whole`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderCommandLine } from '../../../../src/domain/recording/shell/command-line.js';
import { parseCommand } from '../../../../src/domain/recording/shell/parse.js';
import { tempFolder } from '../../../support/cli.js';

/** A small generator with a seed: the same cases in each run. */
function draw(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const PIECES = [
  ...['a', 'b1', '2', '-n', '=', ':', ',', '.', '/', '%s', '!', '#', '^', '@', 'é', ']', '[', '[ ', '-'],
  ...[
    ' ',
    ' ',
    ' ',
    '\t',
    '\\ ',
    '\\\n',
    '\\a',
    '\\\\',
    "\\'",
    '\\"',
    '\\$',
    '\n',
    ';',
    ' && ',
    ' || ',
    ' | ',
  ],
  ...[
    "'",
    '"',
    "'a b'",
    '"a b"',
    `"it's"`,
    `'"'`,
    '"\\""',
    '"\\a"',
    '"\\\n"',
    '"$"',
    '"$ "',
    "''",
    '""',
    "$'",
    '$x',
    '`',
  ],
  ...[
    ' >o',
    ' 2>&1',
    ' >>o',
    ' <o',
    ' 1>o',
    ' 2>o',
    ' <<',
    "<<'E'\n",
    "<<'E' ",
    '\nE\n',
    '*',
    '~',
    '{',
    '&',
    '(',
    ')',
    '\r',
  ],
];
const PROGRAMS = ['p ', 'r ', 'f ', 'p a ', "r <<'E'\n\nx $y\nE\n"];

/** Programs that print what they get: p its arguments, r also its input, f and unknown ones fail. */
const PRELUDE = `
p() { printf '<%s>' "$#" "$@"; }
r() { p "$@"; IFS= read -r -d '' text; printf '{%s}' "$text"; }
f() { p "$@"; return 1; }
command_not_found_handle() { f "$@"; }
for source in "$@"; do
  ( eval "$source" ) 2> /dev/null < /dev/null
  if [ -f o ]; then IFS= read -r -d '' text < o; printf '[%s]' "\${text//line [0-9]*: /}"; rm -f o; fi
  printf '\\0'
done`;

/** Runs each source in the same bash, and returns what it prints and writes to the file `o`. */
function runAll(sources: readonly string[]): string[] {
  const { stdout } = spawnSync('/bin/bash', ['-c', PRELUDE, 'bash', ...sources], {
    cwd: tempFolder(),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    input: '',
  });
  return stdout
    .replaceAll(/line \d+: /g, '')
    .split('\0')
    .slice(0, -1);
}

describe.skipIf(!existsSync('/bin/bash'))('what the parser understands', () => {
  const pick = draw(20261117);
  const cases = Array.from({ length: 12_000 }, () => {
    const first = PROGRAMS[pick(PROGRAMS.length)] ?? '';
    return first + Array.from({ length: 1 + pick(9) }, () => PIECES[pick(PIECES.length)] ?? '').join('');
  });
  const understood = [...new Set(cases)].flatMap((source) => {
    const line = parseCommand(source);
    return line === null ? [] : [{ source, line }];
  });

  test('bash does the same with it as with what is written from the parsed words', () => {
    expect(understood.length).toBeGreaterThan(1000);
    const before = runAll(understood.map(({ source }) => source));
    const after = runAll(understood.map(({ line }) => renderCommandLine(line)));
    const differing = understood.flatMap(({ source }, index) =>
      before[index] === after[index] ? [] : [{ source, bash: before[index], ours: after[index] }],
    );
    expect(differing).toEqual([]);
  });

  test('the words of a single command are the arguments that bash passes', () => {
    const single = understood.flatMap(({ source, line: [first, ...more] }) => {
      const [command, ...others] = first?.commands ?? [];
      const isPlain = command?.words[0] === 'p' && command.redirects.length === 0;
      return isPlain && more.length + others.length === 0 ? [{ source, words: command.words.slice(1) }] : [];
    });
    expect(single.length).toBeGreaterThan(200);
    const printed = runAll(single.map(({ source }) => source));
    expect(printed).toEqual(
      single.map(({ words }) => [words.length, ...words].map((word) => `<${word}>`).join('')),
    );
  });
});
