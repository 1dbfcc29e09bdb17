import { expect, test } from 'vitest';
import type { Check } from '../../../../src/domain/check.js';
import type {
  ConversationRecord,
  FileSeen,
  FileSnapshot,
  Turn,
  TurnSnapshot,
} from '../../../../src/domain/evidence/conversation.js';
import { statesKept } from '../../../../src/kinds/conversation/checks/check-turn.js';
import * as checks from '../../../../src/kinds/conversation/checks/index.js';
import { covers } from '../../../coverage/covers.js';
import { makeEvidence } from '../../../domain/support/evidence.js';
import { CALL, HOOK, RECORD, STAGE } from '../support/record.js';

const withTurn = (number: number, change: Partial<Turn>): ConversationRecord => ({
  ...RECORD,
  turns: RECORD.turns.map((turn) => (turn.number === number ? { ...turn, ...change } : turn)),
});

const withSnapshots = (keep: (snapshot: TurnSnapshot) => boolean): ConversationRecord => ({
  ...RECORD,
  snapshots: RECORD.snapshots?.filter(keep),
});

const withFiles = (turn: number, files: readonly FileSnapshot[], truncated = false): ConversationRecord => ({
  ...RECORD,
  snapshots: RECORD.snapshots?.map((snapshot) =>
    snapshot.turn === turn ? { turn, files: [...snapshot.files, ...files], truncated } : snapshot,
  ),
});

/** Each check with the smallest change of the record that it must notice. */
const CASES: readonly (readonly [Check, ConversationRecord])[] = [
  [checks.turnsCompleted({ but: [2] }), withTurn(1, { outcome: { kind: 'cancelled' } })],
  [checks.turnsCompleted({ but: [2] }), { ...RECORD, planned: 3 }],
  [checks.turnEnded(2, 'blocked', 'tests first'), withTurn(2, { outcome: { kind: 'completed' } })],
  [checks.turnEnded(2, 'blocked', 'tests first'), withTurn(2, { outcome: { kind: 'blocked', reason: 'x' } })],
  [checks.turnMentions(1, ['systematic', 'look'], { all: true }), withTurn(1, { text: 'systematic' })],
  [checks.turnSays(1, /^A sys/), withTurn(1, { text: 'B' })],
  [checks.turnSuggests(1, '/plan'), withTurn(1, { text: 'I plan ahead' })],
  [checks.turnUses(1, 'read'), withTurn(1, { calls: [{ ...CALL, isError: true }] })],
  [checks.turnAvoids(1, 'write'), withTurn(1, { calls: [{ ...CALL, name: 'Write' }] })],
  [checks.toolAnswered(1, 'Read', 'def'), withTurn(1, { calls: [{ ...CALL, result: 'x' }] })],
  [
    checks.toolAnswered(2, 'Bash', 'no plan', { failed: true }),
    withTurn(2, { calls: [{ ...CALL, name: 'Bash' }] }),
  ],
  [checks.turnHandlesError(1, 'file_not_found'), withTurn(1, { text: 'All is well.' })],
  [checks.turnIsSpecific(1, 1), withTurn(1, { text: 'Padding is too big.' })],
  [
    checks.stageReached('exploring', { turn: 1 }),
    { ...RECORD, stages: [{ ...STAGE, proofs: ['commanded'] }] },
  ],
  [checks.stageReached('exploring', { turn: 1 }), { ...RECORD, stages: [{ ...STAGE, turn: 2 }] }],
  [
    checks.stageReached('exploring', { trigger: '/agent-loop:explore' }),
    { ...RECORD, stages: [{ ...STAGE, trigger: '/agent-loop:explore-more' }] },
  ],
  [
    checks.stageReached('exploring', { trigger: /explore/ }),
    { ...RECORD, stages: [{ ...STAGE, trigger: 'the agent declared it' }] },
  ],
  [checks.fileAfterTurn(0, 'a.py', 'def add'), withSnapshots(({ turn }) => turn !== 0)],
  [checks.fileAfterTurn(1, 'a.py', /def s/), withSnapshots(({ turn }) => turn !== 1)],
  [checks.fileAfterTurn(2, 'a.py', null), withSnapshots(({ turn }) => turn !== 2)],
  [checks.fileAfterTurn(2, 'a.py', null), { ...RECORD, turns: RECORD.turns.slice(0, 1) }],
  [checks.fileAfterTurn(2, 'b.py', null), { ...RECORD, snapshots: undefined }],
  [checks.turnChanges(1, '*.py'), withSnapshots(({ turn }) => turn !== 1)],
  [checks.turnChangesOnly(1, '*.py'), withFiles(1, [{ path: 'b.md', change: 'added', sizeBytes: 1 }])],
  [checks.turnChangesOnly(2, 'a.py'), withFiles(2, [], true)],
  [checks.turnChangesOnly(2, 'a.py'), withSnapshots(({ turn }) => turn !== 2)],
  [checks.commandsWere('/explore'), withTurn(1, { command: { name: 'agent-loop:plan', args: '' } })],
  [checks.commandsWere('agent-loop:explore'), withTurn(2, { outcome: { kind: 'completed' } })],
  [checks.devServerRan(), { ...RECORD, devServer: undefined }],
  [
    checks.devServerRan(),
    { ...RECORD, devServer: RECORD.devServer && { ...RECORD.devServer, endedEarly: 'exit 1' } },
  ],
  [checks.stagesWere('idle', 'exploring'), { ...RECORD, stages: [{ ...STAGE, to: 'planning' }] }],
  [checks.noStageSkipped(), { ...RECORD, stages: [{ ...STAGE, valid: false }] }],
  [checks.noStageSkipped(), { ...RECORD, stages: [] }],
  [checks.stageNotReached('coding'), { ...RECORD, stages: [{ ...STAGE, to: 'coding' }] }],
  [checks.commitsMade(1), { ...RECORD, commits: [] }],
  [checks.commitsMade(1), { ...RECORD, commits: [...RECORD.commits, ...RECORD.commits] }],
  ...(
    [
      [{ message: /^fix/ }, { message: 'Fixed' }],
      [{ touches: 'tests/**' }, { paths: ['a.py'] }],
      [{ only: 'tests/**' }, { paths: ['tests/a.py', 'a.py'] }],
      [{ turn: 1 }, { turn: 2 }],
    ] as const
  ).map(([wanted, change]) => {
    const [commit] = RECORD.commits;
    const commits = commit === undefined ? [] : [{ ...commit, ...change }];
    return [checks.commitIs(1, wanted), { ...RECORD, commits }] as const;
  }),
  [checks.hookRan(1, 'PostToolUse', { says: 'seen' }), withTurn(1, { hooks: [] })],
  [checks.hookBlocked(2, 'PreToolUse', 'no plan'), withTurn(2, { hooks: [{ ...HOOK, blocked: false }] })],
  [checks.hookBlocked(2, 'PreToolUse', 'no plan'), withTurn(2, { denied: [] })],
  [checks.callDenied(2, 'Bash'), withTurn(2, { denied: [] })],
  [checks.hookLogged('Stop'), { ...RECORD, hookLog: [] }],
  [checks.modelReceived(1, 'Be kind'), withTurn(1, { received: ['Be rude'] })],
  [checks.modelReceived(1, 'Be kind', { request: 1 }), withTurn(1, { received: ['Hello', 'Be kind'] })],
  [checks.modelReceived(1, 'Be kind'), withTurn(1, { received: [] })],
  [checks.pluginLoaded('agent-loop'), { ...RECORD, init: RECORD.init && { ...RECORD.init, plugins: [] } }],
  [
    checks.pluginLoaded('agent-loop'),
    {
      ...RECORD,
      init: RECORD.init && {
        ...RECORD.init,
        pluginErrors: [{ plugin: 'agent-loop@inline', type: 'hook-load-failed', message: 'bad' }],
      },
    },
  ],
  [
    checks.pluginFailed('Path not found'),
    { ...RECORD, init: RECORD.init && { ...RECORD.init, pluginErrors: [] } },
  ],
  [checks.commandsOffered('agent-loop:plan'), { ...RECORD, commands: [{ name: 'plan', description: '' }] }],
  [
    checks.componentsOffered({ agents: ['agent-loop:workflow-agent'] }),
    { ...RECORD, init: RECORD.init && { ...RECORD.init, agents: [] } },
  ],
  [
    checks.componentsOffered({ skills: ['agent-loop:code-exploration'] }),
    { ...RECORD, init: RECORD.init && { ...RECORD.init, skills: [] } },
  ],
  [
    checks.mcpServerIs('browser', 'connected'),
    {
      ...RECORD,
      init: RECORD.init && {
        ...RECORD.init,
        mcpServers: [{ name: 'plugin:visual:browser', status: 'failed' }],
      },
    },
  ],
  [
    checks.nothingOdd('unknown-file'),
    { ...RECORD, findings: [{ kind: 'unknown-file', turn: 1, path: 'b.py', exists: false }] },
  ],
  [checks.oddityFound('repeated-call', 2), { ...RECORD, findings: [] }],
  ...(
    [{ how: 'mentioned' }, { turn: 2 }, { path: 'b.py' }] as const satisfies readonly Partial<FileSeen>[]
  ).map(
    (change) =>
      [
        checks.fileSeen(1, 'a.py', 'read'),
        { ...RECORD, filesSeen: RECORD.filesSeen?.map((file) => ({ ...file, ...change })) },
      ] as const,
  ),
  [checks.fileSeen(1, 'a.py', 'read'), { ...RECORD, filesSeen: undefined }],
  [statesKept(), { ...RECORD, illegalSteps: ['text in IDLE'] }],
  [statesKept(), { ...RECORD, startError: 'exit 1' }],
];

test.each(CASES.map(([check, worse]) => [check.kind, check, worse] as const))(
  '%s: green as it should be, red on the smallest change',
  (_, check, worse) => {
    covers('C49', 'C50');
    expect(check.judge(makeEvidence({ conversation: RECORD }))).toMatchObject({ passed: true });
    const verdict = check.judge(makeEvidence({ conversation: worse }));
    expect(verdict.passed).toBe(false);
    expect(verdict.expected).not.toBe('');
    expect(verdict.actual).not.toBe('');
  },
);

test('a chain of commands needs a suggestion of each, by an answer since the one before', () => {
  covers('C65');
  const judge = (...texts: readonly string[]) => {
    const names = ['agent-loop:explore', null, 'agent-loop:plan', 'agent-loop:code'];
    const turns = names.map((name, index): Turn => {
      const [turn] = RECORD.turns;
      if (turn === undefined) throw new Error('the record has a turn');
      return {
        ...turn,
        number: index + 1,
        command: name === null ? null : { name, args: '' },
        text: texts[index] ?? '',
      };
    });
    return checks.commandsChained().judge(makeEvidence({ conversation: { ...RECORD, turns } }));
  };
  expect(judge('Read.', 'NEXT: /agent-loop:plan', 'Then run /code.')).toMatchObject({ passed: true });
  expect(judge('Read.', 'I plan to.', 'Then run /code.')).toMatchObject({
    passed: false,
    actual:
      'turn 1: /agent-loop:explore (completed, not suggested), turn 3: /agent-loop:plan (completed, not suggested), turn 4: /agent-loop:code (completed, suggested in turn 3)',
  });
  // What was suggested before the last command does not lead from it.
  expect(judge('First /plan, then /code.', '', 'Planned.').passed).toBe(false);
  expect(
    checks.commandsChained().judge(makeEvidence({ conversation: { ...RECORD, turns: [] } })).passed,
  ).toBe(false);
});

test('every check on conversations is among the cases', () => {
  const shown = new Set(['commandsChained', ...CASES.map(([{ kind }]) => kind)]);
  expect(Object.keys(checks).filter((name) => !shown.has(name))).toEqual([]);
});

test('a turn that did not take place, a CLI that did not start and a run of another kind fail', () => {
  const check = checks.turnSays(3, 'x');
  const judge = (conversation: ConversationRecord | undefined) => check.judge(makeEvidence({ conversation }));
  expect(judge(RECORD).actual).toBe(
    'the conversation ended after turn 2: blocked by a hook: commit tests first',
  );
  expect(judge({ ...RECORD, turns: [], startError: 'exit 70' }).actual).toMatch(/did not start: exit 70/);
  expect(judge(undefined)).toMatchObject({ passed: false, actual: 'a run of another kind' });
});
