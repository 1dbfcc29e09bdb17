import { describe, expect, test } from 'vitest';
import { renderCommandLine } from '../../../../src/domain/recording/shell/command-line.js';
import { parseCommand } from '../../../../src/domain/recording/shell/parse.js';

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
