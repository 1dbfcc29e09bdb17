import { expect, it } from 'vitest';
import { assignFault } from '../../../src/analyze/fault/assign.js';
import { fileEquals, pluginLoaded, turnSays } from '../../../src/authoring.js';
import { type Check, judgeAll, nameChecks } from '../../../src/domain/check.js';
import type { ConversationRecord, Turn } from '../../../src/domain/evidence/conversation.js';
import { attempt } from '../../report/support/journal.js';

const TURN: Turn = {
  number: 1,
  asked: 'Say nonce1234 in uppercase, and write it to out.txt.',
  sent: 'Say nonce1234 in uppercase, and write it to out.txt.',
  command: null,
  startedAt: '2026-01-20T14:30:00.000Z',
  durationMs: 1,
  outcome: { kind: 'completed' },
  text: 'Done.',
  calls: [],
  hooks: [],
  denied: [],
  inputTokens: 1,
  outputTokens: 1,
  totalCostUsd: 0,
};

const INIT = { version: '2', model: 'm', permissionMode: 'default', tools: [], agents: [], skills: [] };

/** Whose fault the failures of one turn are: the agent's, or nobody's as far as the agent goes. */
function blames(
  turn: Partial<Turn>,
  {
    checks = [turnSays(1, 'NONCE1234')],
    talk = {},
  }: { checks?: Check[]; talk?: Partial<ConversationRecord> } = {},
): boolean {
  const conversation: ConversationRecord = {
    sessionId: 's',
    planned: 1,
    startError: null,
    turns: [{ ...TURN, ...turn }],
    init: { ...INIT, mcpServers: [], plugins: [], pluginErrors: [] },
    commands: [],
    workflow: null,
    stage: null,
    stages: [],
    commits: [],
    findings: [],
    hookLog: [],
    illegalSteps: [],
    ...talk,
  };
  const { evidence } = attempt({
    evidence: { conversation, iterations: [], files: [], exit: { kind: 'exited', code: 0 } },
  });
  if (evidence === null) throw new Error('an attempt with evidence expected');
  return assignFault({ checks: judgeAll(nameChecks(checks), evidence), evidence }).whose === 'agent';
}

it('a plain turn that lacks what the user asked for is the fault of the agent', () => {
  expect(blames({})).toBe(true);
  expect(blames({}, { checks: [fileEquals('out.txt', 'NONCE1234')] })).toBe(true);
});

const HOOK = {
  id: 'h',
  name: 'UserPromptSubmit',
  event: 'UserPromptSubmit',
  stdout: '',
  stderr: '',
  exitCode: 0,
  outcome: 'success',
  callId: null,
  blocked: false,
  reason: null,
};

it.each<[string, Parameters<typeof blames>]>([
  ['a command of a plugin took its part', [{ command: { name: 'epti:plan', args: '' } }]],
  ['a hook took its part', [{ hooks: [HOOK] }]],
  ['a call was refused', [{ denied: ['call-1'] }]],
  ['the turn did not end with an answer', [{ outcome: { kind: 'cancelled' } }]],
  ['the session ended early', [{}, { talk: { planned: 2 } }]],
  [
    'a server did not start',
    [
      {},
      {
        talk: {
          init: { ...INIT, mcpServers: [{ name: 's', status: 'failed' }], plugins: [], pluginErrors: [] },
        },
      },
    ],
  ],
  ['the user did not ask for it', [{}, { checks: [turnSays(1, 'NONCE9999')] }]],
  ['a check on the CLI failed too', [{}, { checks: [turnSays(1, 'NONCE1234'), pluginLoaded('epti')] }]],
])('it is not the fault of the agent if %s', (_, given) => {
  expect(blames(...given)).toBe(false);
});
