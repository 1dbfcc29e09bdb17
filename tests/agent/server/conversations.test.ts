import { expect, test } from 'vitest';
import { responses } from '../../../src/agent/server/apis/responses.js';
import { Conversations } from '../../../src/agent/server/conversations.js';

test.each([
  ['many', { conversations: 2, characters: 1_000_000 }, 10, [false, true, true]],
  ['long', { conversations: 100, characters: 5000 }, 2000, [false, true, true]],
  ['longer than all may be', { conversations: 100, characters: 5 }, 2000, [false, false, true]],
])('the oldest conversations are dropped if they are %s', (_, most, length, known) => {
  const kept = new Conversations(most);
  const url = new URL('http://localhost/v1/responses');
  const request = (input: string, previous?: string) =>
    responses.parse({ model: 'm', input, previous_response_id: previous }, url);
  for (const letter of ['a', 'b', 'c'])
    kept.keep(`resp_${letter}`, letter, request(letter.repeat(length)).messages);
  const found = ['a', 'b', 'c'].map((letter) => kept.complete(request('x', `resp_${letter}`))?.session);
  expect(found.map((session) => session !== undefined)).toEqual(known);
});
