import { expect, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../../../src/agent/builder.js';
import { ask, serve, type Turn } from '../../support/model-client.js';

const HELLO = [{ user: 'hello' }];
const UNREAD = 'File has not been read yet. Read it first before writing to it.';

test('a file that must be read first is read, then changed', async () => {
  const { url } = await serve([onPrompt('hello').edits('a.txt', 'x', 'y').says('Changed.')]);
  const edit = await ask(url, 'messages', HELLO);
  const turns = [...HELLO, { heard: edit }, { result: UNREAD, of: edit }];
  const read = await ask(url, 'messages', turns);
  const afterRead = [...turns, { heard: read }, { result: '1\tx', of: read }];
  const again = await ask(url, 'messages', afterRead);
  const end = await ask(url, 'messages', [...afterRead, { heard: again }, { result: 'ok', of: again }]);
  expect([edit, read, again].map(({ tools }) => tools[0]?.name)).toEqual(['Edit', 'Read', 'Edit']);
  expect(end.text).toBe('Changed.');
});

test.each<[string, string[], (turn: number) => string]>([
  ['stays forbidden after it was read', ['Edit', 'Read', 'Edit', 'Bash'], () => UNREAD],
  [
    'must be read again for another change',
    ['Edit', 'Read', 'Edit', 'Bash'],
    (turn) => (turn === 1 ? 'Permission to use Read has been denied.' : UNREAD),
  ],
])('a file that %s is tried once, and the loop goes on', async (_, names, resultOf) => {
  const { url } = await serve([onPrompt('hello').edits('a.txt', 'x', 'y').runs('ls').says('Went on.')]);
  expect(await playLoop(url, resultOf)).toEqual({ names, text: 'Went on.' });
});

test('files of one answer that must be read first are read together, and only they are changed again', async () => {
  const { url } = await serve([
    onPrompt('hello')
      .together((rule) => rule.writes('a.txt', 'a').runs('ls').writes('b.txt', 'b'))
      .says('Changed.'),
  ]);
  const resultOf = (turn: number, position: number) => (turn === 0 && position !== 1 ? UNREAD : 'ok');
  expect(await playLoop(url, resultOf)).toEqual({
    names: ['Write', 'Bash', 'Write', 'Read', 'Read', 'Write', 'Write'],
    text: 'Changed.',
  });
});

test('a tool that the script calls by its own name is called once', async () => {
  const input = { file_path: '/a.txt', content: 'a' };
  const { url } = await serve([onPrompt('hello').calls('Write', input).says('Went on.')]);
  expect(await playLoop(url, () => UNREAD)).toEqual({ names: ['Write'], text: 'Went on.' });
});

test.each([0, 1, 2])(
  'a rule for a result takes over, whichever of the parallel tools has it (%i)',
  async (failing) => {
    const { url } = await serve([
      onPrompt('hello')
        .together((rule) => rule.runs('a').runs('b').runs('c'))
        .says('All is well.'),
      onAnyPrompt()
        .when({ toolResult: { regex: 'error: (\\w+)' } })
        .runs('fix {{1}}')
        .says('It was {{1}}.'),
    ]);
    const resultOf = (turn: number, position: number) =>
      turn === 0 && position === failing ? 'error: E42' : 'ok';
    expect(await playLoop(url, resultOf)).toEqual({
      names: ['Bash', 'Bash', 'Bash', 'Bash'],
      text: 'It was E42.',
    });
  },
);

/** Answers every tool of the model until it stops asking, at most ten times. */
async function playLoop(url: string, resultOf: (turn: number, position: number) => string) {
  const names: string[] = [];
  let turns: Turn[] = HELLO;
  for (let turn = 0; turn < 10; turn += 1) {
    const heard = await ask(url, 'messages', turns, { stream: false });
    if (heard.tools.length === 0) return { names, text: heard.text };
    names.push(...heard.tools.map(({ name }) => name));
    const results = heard.tools.map((tool, index) => ({
      result: resultOf(turn, index),
      of: { ...heard, tools: [tool] },
    }));
    turns = [...turns, { heard }, ...results];
  }
  return { names, text: 'never ends' };
}
