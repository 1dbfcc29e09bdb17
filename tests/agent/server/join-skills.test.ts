import { expect, test } from 'vitest';
import { joinSkillTexts } from '../../../src/agent/server/model/join-skills.js';
import type { Message, ModelRequest } from '../../../src/agent/server/model/request.js';
import { ReceivedTexts } from '../../../src/agent/server/request-log.js';

const request = (messages: readonly Message[]): ModelRequest => ({
  ...{ api: 'messages', model: 'm', stream: false, system: 'Be kind.', messages, tools: [] },
  ...{ json: undefined, maxTokens: null, session: null, continues: null, kept: false },
  ...{ parallel: true, wantsThoughts: false, wantsUsage: true },
});
const SKILL = 'Base directory for this skill: /x\n\nFold it.';
const results = (text: string): Message => ({ role: 'tools', results: [{ id: 't', text, isError: false }] });
const prompt: Message = { role: 'user', text: 'Use it.' };
const calls: Message = { role: 'assistant', text: '', calls: [{ id: 't', name: 'Skill', input: {} }] };

test('the text of a skill belongs to the result of the tool that loaded it', () => {
  const sent = [prompt, calls, results('Launching skill: x'), { role: 'user' as const, text: SKILL }];
  expect(joinSkillTexts(request(sent)).messages).toEqual([
    prompt,
    calls,
    results(`Launching skill: x\n\n${SKILL}`),
  ]);
});

test('the same words from the user are a prompt', () => {
  const sent: Message[] = [{ role: 'user', text: SKILL }];
  expect(joinSkillTexts(request(sent)).messages).toEqual(sent);
});

test('each request counts with what is new in it', () => {
  const received = new ReceivedTexts();
  expect(received.take('c', request([prompt]))).toBe('Be kind.\n\nUse it.');
  expect(received.take('c', request([prompt, calls, results('Done.')]))).toBe('Done.');
  expect(received.take('other', request([prompt]))).toBe('Be kind.\n\nUse it.');
});
