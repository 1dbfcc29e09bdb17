import { expect, test } from 'vitest';
import { responses } from '../../../src/agent/server/apis/responses.js';
import { KeptConversations } from '../../../src/agent/server/kept-conversations.js';
import { makeReply } from '../../../src/agent/server/model/reply.js';

test.each([
  ['many', { conversations: 2, characters: 1_000_000 }, 10, [false, true, true]],
  ['long', { conversations: 100, characters: 5000 }, 2000, [false, true, true]],
  ['longer than all may be', { conversations: 100, characters: 5 }, 2000, [false, false, true]],
])('the oldest conversations are dropped if they are %s', (_, most, length, known) => {
  const kept = new KeptConversations(most);
  const url = new URL('http://localhost/v1/responses');
  const replies = ['a', 'b', 'c'].map((letter) => {
    const reply = makeReply(['Hi.']);
    kept.keep(responses.parse({ model: 'm', input: letter.repeat(length) }, url), letter, reply, responses);
    return reply;
  });
  expect(replies.map((reply) => kept.find(responses.replyId(reply)) !== null)).toEqual(known);
});
