import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { assembleIterations } from '../../../../src/kinds/ralph/evidence/iterations.js';
import { readTranscript } from '../../../../src/kinds/ralph/evidence/transcript.js';

const output = (number: number, line: string) => ({ number, hat: 'ralph', lines: [line], stderr: [] });

test('the form of an answer distinguishes Claude from a CLI that prints plain text', async () => {
  const spoken = '{"type":"assistant","message":{"content":[{"type":"text","text":"Hello."}]}}';
  const { iterations } = await assembleIterations([output(1, spoken), output(2, 'Hello.')], [], {
    durations: new Map(),
  });
  expect(iterations.map(({ form, said }) => [form, said])).toEqual([
    ['claude-stream', 'Hello.'],
    ['text', 'Hello.'],
  ]);
});

test('the boundaries between the text blocks of an answer are kept', async () => {
  const spoken = (text: string) =>
    JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
  const said = async (...texts: readonly string[]) => {
    const lines = texts.map(spoken);
    return (await assembleIterations([{ ...output(1, ''), lines }], [], { durations: new Map() }))
      .iterations[0];
  };
  expect(await said('one\ntwo', 'three')).toMatchObject({ said: 'one\ntwo\nthree', textLengths: [7, 5] });
  expect((await said('alone'))?.textLengths).toBeUndefined();
  expect((await said('x'.repeat(70_000), 'cut'))?.textLengths).toBeUndefined();
});

test('a text that is not complete says so', async () => {
  const head = `${'='.repeat(79)}\n ITERATION 1 | 🎭 ralph | 0s elapsed | 1/5\n${'='.repeat(79)}\n`;
  const saidCut = async (body: string) => {
    const transcript = await readTranscript(Readable.from([Buffer.from(head + body)]));
    const { iterations } = await assembleIterations(transcript, [], { durations: new Map() });
    return iterations.map((iteration) => iteration.saidCut);
  };
  expect(await saidCut('short\n')).toEqual([undefined]);
  expect(await saidCut('x\n'.repeat(40_000))).toEqual([true]);
  // Claude's text is short. Some lines in the middle are dropped, and it may have said more there.
  const spoken = '{"type":"assistant","message":{"content":[{"type":"text","text":"Hello."}]}}\n';
  const other = `{"type":"user","note":"${'x'.repeat(1000)}"}\n`;
  expect(await saidCut(spoken + other.repeat(3000))).toEqual([true]);
});

const INIT = '{"type":"system","subtype":"init","tools":["Bash"],"permissionMode":"bypassPermissions"}';
const CALL =
  '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}';
const ANSWER =
  '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}';
const WORDS = '{"type":"assistant","message":{"content":[{"type":"text","text":"Hello."}]}}';
const END = '{"type":"result","is_error":false,"result":"Hello."}';

test.each([
  ['whole', [INIT, CALL, ANSWER, WORDS, END], true],
  ['without its end', [INIT, CALL, ANSWER, WORDS], false],
  ['without its words', [INIT, CALL, ANSWER, END], false],
  ['without the result of a call', [INIT, CALL, WORDS, END], false],
  ['without a call', [INIT, ANSWER, WORDS, END], false],
  ['with an error', [INIT, WORDS, END.replace('false', 'true')], false],
])('an answer that arrives %s', async (_, lines, whole) => {
  const { iterations } = await assembleIterations([{ ...output(1, ''), lines }], [], {
    durations: new Map(),
  });
  expect(iterations[0]?.cli).toEqual({ tools: ['Bash'], permissionMode: 'bypassPermissions', whole });
});

test('the footer of an iteration says how long it took, and an agent that prints one does not', async () => {
  const rule = '='.repeat(79);
  const head = (number: number) =>
    `${rule}\n ITERATION ${number} | 🎭 ralph | 0s elapsed | ${number}/5\n${rule}\n`;
  const stdout = [
    head(1),
    '[iter 1/5 done] dur=9s total=9s budget=1%\nmore words\n',
    '[iter 1/5 done] dur=1h 2m 3s total=1h 2m 3s budget=20%\n',
    head(2),
    'still working\n',
  ].join('');
  const transcript = await readTranscript(Readable.from([Buffer.from(stdout)]));
  expect(transcript.map(({ number, seconds }) => [number, seconds])).toEqual([
    [1, 3723],
    [2, undefined],
  ]);
});

test('an iteration without a duration is finished only if the loop ended in order', async () => {
  const begun = [output(1, 'One.'), output(2, 'Two.')];
  const finished = async (allFinished: boolean) => {
    const durations = new Map([[1, 3]]);
    const { iterations } = await assembleIterations(begun, [], { durations, allFinished });
    return iterations.map((iteration) => [iteration.durationSeconds, iteration.finished]);
  };
  expect(await finished(true)).toEqual([
    [3, undefined],
    [null, true],
  ]);
  expect(await finished(false)).toEqual([
    [3, undefined],
    [null, undefined],
  ]);
});
