import { describe, expect, test } from 'vitest';
import {
  agentSaid,
  eventEmitted,
  fileEquals,
  promptContained,
  turnMentions,
  turnSays,
} from '../../../src/authoring.js';
import { isAskedIn, listUnasked } from '../../../src/domain/checks/asked.js';

describe('is asked for', () => {
  test.each([
    ['a word in the prompt', agentSaid('READY'), 'Say ready.'],
    ['a word in uppercase', agentSaid('NONCE1234'), 'Say nonce1234 in uppercase.'],
    ['a word backwards', agentSaid('4321ecnon'), 'Say nonce1234 spelled backwards.'],
    ['a sum', fileEquals('sum.txt', '777'), 'Write the sum of 111, 222 and 444 to sum.txt.'],
    ['two codes in a row', agentSaid('NONCE12344321ecnon'), 'Say nonce1234 in uppercase, then backwards.'],
    ['the output of a command', fileEquals('out.txt', 'whatever it prints'), 'Run `list > out.txt`.'],
    ['one of several words', turnMentions(1, ['plan', 'strategy']), 'Describe your plan.'],
    ['a sentence', turnSays(1, 'The padding is 24px'), 'Say: `The padding is <n>px`. It is 24px.'],
    ['one alternative of a pattern', turnSays(1, /no plan|without a plan/), 'Say that there is no plan.'],
  ])('%s', (_, check, prompt) => {
    expect(listUnasked([check], [prompt])).toEqual([]);
  });
});

describe('is not asked for', () => {
  test.each([
    ['a word', agentSaid('READY'), 'Say hello.', '"READY"'],
    ['a word in uppercase', agentSaid('NONCE1234'), 'Say nonce1234.', '"NONCE1234"'],
    ['a word backwards', turnSays(1, '4321ecnon'), 'Say nonce1234.', '"4321ecnon"'],
    ['a sum', fileEquals('a.txt', '777'), 'Write 111, 222 and 444 to a.txt.', '"777"'],
    ['another sum', fileEquals('sum.txt', '778'), 'Write the sum of 111, 222 and 444 to sum.txt.', '"778"'],
    ['a file', fileEquals('sum.txt', '1'), 'Count to 1.', '"txt"'],
    ['an event', eventEmitted('work.done'), 'Do the work.', '"done"'],
    [
      'a sentence, even if its words are there',
      turnSays(1, 'The padding is 24px'),
      'Is the card fine? Change the padding to 24px.',
      '"the padding is"',
    ],
  ])('%s', (_, check, prompt, missing) => {
    expect(listUnasked([check], [prompt])).toEqual([expect.stringContaining(missing)]);
  });
});

test('the output of a command is not for the agent to give, nor is what a check of Ralph wants', () => {
  const printed = fileEquals('out.txt', 'list');
  expect(isAskedIn(['Write list to out.txt.'], printed)).toBe(true);
  expect(isAskedIn(['Run `list > out.txt`.'], printed)).toBe(false);
  expect(isAskedIn(['Write something to out.txt.'], printed)).toBe(false);
  expect(isAskedIn(['Say hello.'], promptContained('hello'))).toBe(false);
});
