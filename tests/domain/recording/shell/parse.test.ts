import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderCommandLine } from '../../../../src/domain/recording/shell/command-line.js';
import { parseCommand } from '../../../../src/domain/recording/shell/parse.js';
import { tempFolder } from '../../../support/cli.js';

const wordsOf = (source: string) =>
  parseCommand(source)?.flatMap(({ commands }) => commands.map(({ words }) => words));

describe('words are those that the program gets', () => {
  test.each([
    [
      'quotes',
      `ralph emit a.b 'it is "so"' "don't" x\\ y`,
      ['ralph', 'emit', 'a.b', 'it is "so"', "don't", 'x y'],
    ],
    ['a backslash before a line feed', 'echo a\\\nb "c\\\nd"', ['echo', 'ab', 'cd']],
    ['a dollar sign that means itself', 'echo "5 $"', ['echo', '5 $']],
    ['a comment', 'echo a #b', ['echo', 'a']],
    ['no comment', 'echo a#b', ['echo', 'a#b']],
    ['an empty word', `echo '' ""`, ['echo', '', '']],
    [
      'the path of Ralph in its variable',
      '"$RALPH_BIN" tools memory list',
      ['ralph', 'tools', 'memory', 'list'],
    ],
  ])('%s', (_, source, words) => {
    expect(wordsOf(source)).toEqual([words]);
  });
});

test('connectors, pipes, redirections and here-documents are kept', () => {
  const source = "cat > a.txt <<'EOF' && echo x 2>&1 | tee -a b || false\n$HOME `id`\nEOF\necho y >> c 2> d";
  expect(parseCommand(source)).toEqual([
    {
      after: ';',
      commands: [
        {
          words: ['cat'],
          redirects: [
            { kind: 'write', from: '1', append: false, path: 'a.txt' },
            { kind: 'text', text: '$HOME `id`\n' },
          ],
        },
      ],
    },
    {
      after: '&&',
      commands: [
        { words: ['echo', 'x'], redirects: [{ kind: 'join', from: '2', to: '1' }] },
        { words: ['tee', '-a', 'b'], redirects: [] },
      ],
    },
    { after: '||', commands: [{ words: ['false'], redirects: [] }] },
    {
      after: ';',
      commands: [
        {
          words: ['echo', 'y'],
          redirects: [
            { kind: 'write', from: '1', append: true, path: 'c' },
            { kind: 'write', from: '2', append: false, path: 'd' },
          ],
        },
      ],
    },
  ]);
});

test('an id that Ralph printed can be used later', () => {
  const source = 'id=$(ralph tools task add "A" --format quiet); ralph tools task close "$id,${id}"';
  const line = parseCommand(source) ?? [];
  expect(line.map(({ commands }) => commands[0])).toEqual([
    { keeps: 'id', words: ['ralph', 'tools', 'task', 'add', 'A', '--format', 'quiet'], redirects: [] },
    {
      words: ['ralph', 'tools', 'task', 'close', { parts: [{ kept: 'id' }, ',', { kept: 'id' }] }],
      redirects: [],
    },
  ]);
  expect(renderCommandLine(line)).toBe(
    `kept_id=$('ralph' 'tools' 'task' 'add' 'A' '--format' 'quiet'); 'ralph' 'tools' 'task' 'close' "$kept_id"','"$kept_id"`,
  );
});

test.each([
  ...[
    'echo $HOME',
    'echo "$HOME"',
    'echo ${x}',
    'echo $(id)',
    'echo `id`',
    'echo "`id`"',
    `echo $'a'`,
    'echo $"a"',
  ],
  ...[
    'echo *.txt',
    'echo a?',
    'echo [ab]',
    'echo {a,b}',
    'cat ~/x',
    'a=1 cat x',
    'a=1',
    'PATH=. cat x',
    'a+=1 x',
  ],
  ...['sleep 1 &', '(cat x)', '{ cat x; }', 'cat <(id)', 'cat >(id)', 'f() { id; }', '! cat x', '[[ -f x ]]'],
  ...['for i in 1; do id; done', 'if true; then id; fi', 'while true; do id; done', 'time id', 'coproc id'],
  ...[
    'cat <<EOF\n$(id)\nEOF',
    "cat <<-'EOF'\n\tEOF\nid",
    "cat <<'E'OF\nEOF",
    "cat <<'EOF'x\nEOF\nid\nEOFx",
    "cat <<'EOF'",
  ],
  ...[
    'cat <<< x',
    'echo x &> y',
    'echo x >& y',
    'echo x >| y',
    'cat <> x',
    'echo x 3> y',
    'exec 3<&0',
    'echo x |& cat',
  ],
  ...[
    "echo 'unfinished",
    'echo "unfinished',
    'echo x\\',
    'echo x &&',
    '&& echo x',
    'echo x ;; echo y',
    '; echo',
    '',
    'echo \0',
  ],
  ...[
    'id=$(id',
    'id=$(id) cat x',
    'ID=$(id); echo "$ID"',
    'echo "$id"',
    'x=$((1))',
    'x=$(a | b)',
    'x=$(a; b)',
    'x=$(a $(b))',
  ],
])('%j is not understood', (source) => {
  expect(parseCommand(source)).toBeNull();
});

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
