import { expect, test } from 'vitest';
import type { CheckResult } from '../../../../src/domain/check.js';
import type { ConversationRecord, Turn } from '../../../../src/domain/evidence/conversation.js';
import { analysis } from '../../../../src/harness/analysis.js';
import {
  callDenied,
  hookBlocked,
  hookLogged,
  pluginFailed,
  turnEnded,
} from '../../../../src/kinds/conversation/checks/index.js';
import { attempt, held, broken as red } from '../../../report/support/journal.js';
import { HOOK, RECORD, STAGE } from '../support/record.js';

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'scripted',
  agentIsHonest: false,
} as const;
const [FIRST] = RECORD.turns;
if (FIRST === undefined) throw new Error('the record has no turn');
const CALM: ConversationRecord = {
  ...RECORD,
  planned: 1,
  turns: [{ ...FIRST, hooks: [] }],
  init: RECORD.init && { ...RECORD.init, pluginErrors: [] },
};

function diagnosisOf(
  conversation: ConversationRecord,
  broken: Partial<CheckResult>,
  ...others: readonly Partial<CheckResult>[]
) {
  const failed = attempt({
    outcome: 'failed',
    // Nothing here is ralph's: its rules must not see a loop without an end or a prompt without an objective.
    evidence: { conversation, termination: null, promptText: 'said', configYaml: '' },
    checks: [{ category: 'PromptEffectiveness', passed: false, ...broken }, ...others],
  });
  const [diagnosis] = analysis.diagnose(
    [{ scenarioId: 'talk', backend: 'claude', planned: null, attempts: [failed] }],
    RUN,
  );
  return diagnosis;
}

const withTurn = (change: Partial<Turn>): ConversationRecord => ({
  ...CALM,
  turns: CALM.turns.map((turn) => ({ ...turn, ...change })),
});

test.each<[string, string, ConversationRecord, Partial<CheckResult>]>([
  ['session-did-not-start', 'ConfigurationError', { ...CALM, startError: 'exit 70' }, {}],
  ['plugin-not-loaded', 'ConfigurationError', RECORD, { kind: 'turnSays' }],
  [
    'command-unknown',
    'ConfigurationError',
    withTurn({ outcome: { kind: 'unknown-command', command: '/nosuch' } }),
    { kind: 'turnsCompleted' },
  ],
  [
    'command-unknown',
    'ConfigurationError',
    withTurn({ outcome: { kind: 'ambiguous-command', command: '/plan', meanings: 'a:plan, b:plan' } }),
    { kind: 'turnsCompleted' },
  ],
  ['plugin-works-after-all', 'AssertionMismatch', CALM, { kind: 'pluginFailed' }],
  ['plugin-part-missing', 'ConfigurationError', CALM, { kind: 'commandsOffered' }],
  [
    'session-broke-off',
    'UnexpectedTermination',
    withTurn({ outcome: { kind: 'crashed', detail: 'exit 139' } }),
    { kind: 'turnsCompleted' },
  ],
  ['hook-stopped-it', 'PromptIneffective', withTurn({ hooks: [HOOK] }), { kind: 'commitsMade' }],
  [
    'stage-without-a-trace',
    'PromptIneffective',
    { ...CALM, stages: [{ ...STAGE, proofs: ['declared'] }] },
    { kind: 'stageReached' },
  ],
  ['tool-never-called', 'PromptIneffective', withTurn({ calls: [] }), red(hookLogged('PreToolUse'))],
  ['hook-left-no-record', 'EventMissing', withTurn({ calls: [] }), red(hookLogged('Stop'))],
  ['hook-left-no-record', 'EventMissing', CALM, red(hookLogged('PreToolUse'))],
])('%s', (rule, type, conversation, broken) => {
  expect(diagnosisOf(conversation, broken)).toMatchObject({ rule, failure_type: type });
});

test('a hook that should have blocked and a plugin error that should have been there explain nothing', () => {
  expect(diagnosisOf(withTurn({ hooks: [HOOK] }), { kind: 'hookBlocked' })?.rule).not.toBe('hook-stopped-it');
  expect(diagnosisOf(RECORD, { kind: 'pluginFailed' })?.rule).not.toBe('plugin-not-loaded');
});

test('what a check of the scenario wants explains nothing that is broken besides', () => {
  const wanted = held(pluginFailed('broken'));
  expect(diagnosisOf(RECORD, { kind: 'turnSays' }, wanted)?.rule).not.toBe('plugin-not-loaded');
  const lost = withTurn({ outcome: { kind: 'unknown-command', command: '/nosuch' } });
  const ends = (turn: number) => held(turnEnded(turn, 'unknown-command'));
  expect(diagnosisOf(lost, { kind: 'turnSays' }, ends(1))?.rule).not.toBe('command-unknown');
  expect(diagnosisOf(lost, { kind: 'turnSays' }, ends(2))?.rule).toBe('command-unknown');
});

test.each([
  ['hookBlocked expects it', held(hookBlocked(1, 'PreToolUse', 'no plan')), false],
  ['hookBlocked expects it by tool', held(hookBlocked(1, 'PreToolUse:Bash', /no p/)), false],
  ['callDenied expects it', held(callDenied(1, 'Bash')), false],
  ['hookBlocked expects another reason', held(hookBlocked(1, 'PreToolUse', 'no tests')), true],
  ['hookBlocked expects another hook', held(hookBlocked(1, 'PostToolUse', 'no plan')), true],
  ['callDenied expects another tool', held(callDenied(1, 'Read')), true],
  ['a check expects it in another turn', held(hookBlocked(2, 'PreToolUse', 'no plan')), true],
  ['the check that expects it failed', { ...held(callDenied(1, 'Bash')), passed: false }, true],
])('a block is a cause only if no passed check expects it: %s', (_, check, isCause) => {
  const [call] = RECORD.turns[1]?.calls ?? [];
  const guarded = withTurn({ hooks: [HOOK], calls: call === undefined ? [] : [call], denied: ['c2'] });
  const { rule } = diagnosisOf(guarded, { kind: 'commitsMade' }, check) ?? {};
  expect(rule === 'hook-stopped-it').toBe(isCause);
});

test('a prompt that a hook should block is no cause, and neither is a block after the first divergence', () => {
  const blocked = withTurn({ outcome: { kind: 'blocked', reason: 'tests first' } });
  const cause = (...checks: readonly Partial<CheckResult>[]) =>
    diagnosisOf(blocked, { kind: 'commitsMade' }, ...checks)?.rule;
  expect(cause()).toBe('hook-stopped-it');
  expect(cause(held(turnEnded(1, 'blocked')))).not.toBe('hook-stopped-it');
  expect(cause(held(hookBlocked(1, 'UserPromptSubmit', 'tests first')))).not.toBe('hook-stopped-it');

  const [turn] = CALM.turns;
  if (turn === undefined) throw new Error('the record has no turn');
  const later = { ...CALM, turns: [turn, { ...turn, number: 2, hooks: [HOOK] }] };
  const failing = (number: number) => diagnosisOf(later, { kind: 'turnUses', about: { turn: number } })?.rule;
  expect(failing(2)).toBe('hook-stopped-it');
  expect(failing(1)).not.toBe('hook-stopped-it');
});
