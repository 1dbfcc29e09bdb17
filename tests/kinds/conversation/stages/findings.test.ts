import { expect, test } from 'vitest';
import { listFilesSeen, type SeenCall } from '../../../../src/kinds/conversation/stages/findings.js';
import { covers } from '../../../coverage/covers.js';

const call = (name: string, input: SeenCall['input'], change: Partial<SeenCall> = {}): SeenCall => ({
  ...{ name, input, result: '', isError: false },
  ...change,
});
const turn = (number: number, prompt: string, said: string, ...calls: readonly SeenCall[]) => ({
  ...{ number, prompt, said, calls },
});

test('lists which files a turn mentions, reads and changes', () => {
  covers('C55');
  const turns = [
    turn(
      1,
      'Look at src/a.py.',
      'It uses b.py.',
      call('Read', { file_path: '/w/src/a.py' }, { result: 'import b' }),
    ),
    turn(2, 'Fix it.', 'Done.', call('Edit', { file_path: 'src/a.py' }), call('Bash', { command: 'make' })),
  ];
  const built = { path: 'out.bin', change: 'added', sizeBytes: 1 } as const;
  expect(listFilesSeen(turns, '/w', [{ turn: 2, files: [built], truncated: false }])).toEqual([
    { turn: 1, path: 'src/a.py', how: 'mentioned' },
    { turn: 1, path: 'b.py', how: 'mentioned' },
    { turn: 1, path: 'src/a.py', how: 'read' },
    { turn: 2, path: 'src/a.py', how: 'modified' },
    { turn: 2, path: 'out.bin', how: 'modified' },
  ]);
});

test.each([
  ['a shell command that shows it', call('Bash', { command: 'cd src && cat ./a.py | head -3' }), ['a.py']],
  ['OpenCode', call('read', { filePath: '/w/a.py' }), ['a.py']],
  ['a path outside', call('Read', { file_path: '/else/a.py' }), ['../else/a.py']],
  ['a call that failed', call('Read', { file_path: 'a.py' }, { isError: true }), []],
  ['a search that names it', call('Glob', { path: 'a.py' }, { result: 'a.py' }), []],
  ['a listing that names it', call('Bash', { command: 'ls a.py' }), []],
  ['a shell that writes it', call('Bash', { command: "cat > a.py <<'EOF'\ncat b.py\nEOF" }), []],
  ['a here-document into it', call('Bash', { command: 'cat <<EOF > a.py\nmore b.py\nEOF' }), []],
  ['one into another', call('Bash', { command: 'head a.py > b.py' }), ['a.py']],
  ['an edit in place', call('Bash', { command: 'sed -i s/a/b/ a.py' }), []],
  ['a pattern with a bar', call('Bash', { command: 'grep -E "foo|bar" src/a.py' }), ['src/a.py']],
  ['quotes around it', call('Bash', { command: "sed -n '1p;5p' './src/a.py'" }), ['src/a.py']],
])('reads a file or not: %s', (_what, made, paths) => {
  const read = listFilesSeen([turn(1, '', '', made)], '/w').filter(({ how }) => how === 'read');
  expect(read.map(({ path }) => path)).toEqual(paths);
});

test('every file that a turn mentions counts once, without the dot before it', () => {
  const result = `${'./src/a.py:1\n'.repeat(300)}./src/b.py:1`;
  const seen = listFilesSeen([turn(1, '', '', call('Bash', { command: 'ls' }, { result }))], '/w');
  expect(seen.map(({ path }) => path)).toEqual(['src/a.py', 'src/b.py']);
});
