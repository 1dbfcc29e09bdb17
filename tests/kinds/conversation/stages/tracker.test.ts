import { describe, expect, it } from 'vitest';
import type { CallRecord, Turn } from '../../../../src/domain/evidence/conversation.js';
import { findRepeatedCalls, findUnknownFiles } from '../../../../src/kinds/conversation/stages/findings.js';
import {
  listVisits,
  StageTracker,
  type WorkspaceChange,
} from '../../../../src/kinds/conversation/stages/tracker.js';
import { agentLoop, epti, visualIteration } from '../../../../src/kinds/conversation/workflows.js';
import { covers } from '../../../coverage/covers.js';

const NOTHING: WorkspaceChange = { filesChanged: [], commits: [] };

function call(
  name: string,
  input: Record<string, unknown> = {},
  fields: Partial<CallRecord> = {},
): CallRecord {
  return { id: name, name, input, result: '', isError: false, parent: null, ...fields };
}

function turn(command: string | null, fields: Partial<Turn> = {}): Turn {
  return {
    number: 1,
    asked: '',
    sent: '',
    command: command === null ? null : { name: command, args: '' },
    startedAt: '2026-01-01T10:00:00.000Z',
    durationMs: 1,
    outcome: { kind: 'completed' },
    text: '',
    calls: [],
    hooks: [],
    denied: [],
    inputTokens: 0,
    outputTokens: 0,
    totalCostUsd: 0,
    ...fields,
  };
}

describe('stages', () => {
  it('go from idle to complete, each with its evidence', () => {
    const tracker = new StageTracker(agentLoop);
    tracker.take(turn('agent-loop:explore', { calls: [call('Read')] }), NOTHING);
    tracker.take(turn('agent-loop:plan'), { ...NOTHING, filesChanged: ['PLAN.md'] });
    tracker.take(turn('agent-loop:code', { calls: [call('Edit')] }), NOTHING);
    tracker.take(turn('agent-loop:commit'), {
      ...NOTHING,
      commits: [{ message: 'fix: add', paths: ['a.py'] }],
    });
    expect(tracker.changes.map(({ from, to }) => `${from}>${to}`)).toEqual([
      'idle>exploring',
      'exploring>planning',
      'planning>coding',
      'coding>committing',
      'committing>complete',
    ]);
    expect(tracker.changes.every(({ valid, proofs }) => valid && proofs.includes('observed'))).toBe(true);
  });

  it('have the time at which they began and ended, and what led to them', () => {
    covers('C61', 'C62');
    const tracker = new StageTracker(agentLoop);
    const at = (minute: number, durationMs: number) => ({
      startedAt: `2026-01-01T10:0${minute}:00.000Z`,
      durationMs,
    });
    tracker.take(turn('agent-loop:explore', { ...at(1, 5_000), calls: [call('Read')] }), NOTHING);
    tracker.take(turn(null, { ...at(2, 1_000), text: 'STAGE: planning' }), NOTHING);
    tracker.take(turn('agent-loop:commit', at(3, 2_500)), {
      ...NOTHING,
      commits: [{ message: 'fix: add', paths: ['a.py'] }],
    });
    expect(listVisits({ stage: 'idle', at: '2026-01-01T10:00:00.000Z' }, tracker.changes)).toEqual([
      {
        stage: 'idle',
        enteredAt: '2026-01-01T10:00:00.000Z',
        leftAt: '2026-01-01T10:01:05.000Z',
        trigger: null,
      },
      {
        stage: 'exploring',
        enteredAt: '2026-01-01T10:01:05.000Z',
        leftAt: '2026-01-01T10:02:01.000Z',
        trigger: '/agent-loop:explore',
      },
      {
        stage: 'planning',
        enteredAt: '2026-01-01T10:02:01.000Z',
        leftAt: '2026-01-01T10:03:02.500Z',
        trigger: 'the agent declared it',
      },
      {
        stage: 'committing',
        enteredAt: '2026-01-01T10:03:02.500Z',
        leftAt: '2026-01-01T10:03:02.500Z',
        trigger: '/agent-loop:commit',
      },
      {
        stage: 'complete',
        enteredAt: '2026-01-01T10:03:02.500Z',
        leftAt: null,
        trigger: 'the evidence was seen',
      },
    ]);
  });

  it('are only commanded if the workspace shows no evidence', () => {
    const tracker = new StageTracker(agentLoop);
    tracker.take(turn('agent-loop:explore', { calls: [call('Read', {}, { isError: true })] }), NOTHING);
    expect(tracker.changes[0]?.proofs).toEqual(['commanded']);
  });

  it('do not move when a hook blocked the command', () => {
    const tracker = new StageTracker(epti);
    tracker.take(turn('epti:implement', { outcome: { kind: 'blocked', reason: 'tests first' } }), NOTHING);
    expect(tracker.stage).toBe('idle');
  });

  it('that are skipped are invalid', () => {
    covers('C63');
    const tracker = new StageTracker(epti);
    const [change] = tracker.take(turn('epti:implement', { calls: [call('Write')] }), NOTHING);
    expect(change).toMatchObject({ to: 'implementing', valid: false });
  });

  it('of a test commit need a commit with tests and nothing else', () => {
    const commit = (paths: string[]): WorkspaceChange => ({ ...NOTHING, commits: [{ message: 'm', paths }] });
    for (const [paths, stage] of [
      [['tests/test_a.py'], 'committed-tests'],
      [['operations_test.go', 'src/add.test.ts'], 'committed-tests'],
      [['tests/test_a.py', 'a.py'], 'committing-tests'],
      [['operations_test.go', 'operations.go'], 'committing-tests'],
    ] as const) {
      const tracker = new StageTracker(epti);
      tracker.take(turn('epti:commit-tests'), commit([...paths]));
      expect(tracker.stage).toBe(stage);
    }
  });

  it('count their iterations', () => {
    const tracker = new StageTracker(visualIteration);
    for (const command of ['screenshot', 'feedback', 'refine', 'screenshot'])
      tracker.take(turn(command), NOTHING);
    expect(tracker.stage).toBe('capturing-iteration-2');
    expect(tracker.changes.every(({ valid }) => valid)).toBe(true);
  });

  it.each([
    'STAGE: feedback-provided',
    '**STAGE: feedback-provided**',
    '**STAGE:** feedback-provided',
    '`STAGE: feedback-provided`',
    'STAGE: `feedback-provided`',
  ])('may be declared by the agent: %s', (line) => {
    const tracker = new StageTracker(visualIteration);
    tracker.take(turn('screenshot'), NOTHING);
    tracker.take(turn('feedback'), NOTHING);
    tracker.take(turn(null, { text: `All listed.\n${line}` }), NOTHING);
    expect(tracker.changes.at(-1)).toMatchObject({
      to: 'feedback-provided',
      proofs: ['declared'],
      valid: true,
    });
  });
});

describe('findings', () => {
  const seen = (calls: readonly CallRecord[], said = '') => [{ number: 1, prompt: '', said, calls }];

  it('report the same call made again and again', () => {
    covers('C60');
    const read = call('Read', { file_path: 'a.py' });
    expect(findRepeatedCalls(seen([read, read, read]))).toMatchObject([{ kind: 'repeated-call', times: 3 }]);
    expect(findRepeatedCalls(seen([read, read, call('Edit'), read]))).toEqual([]);
  });

  it('report the same error twice in a row', () => {
    const failing = call('Read', { file_path: 'b.py' }, { isError: true });
    expect(findRepeatedCalls(seen([failing, failing]))).toMatchObject([{ kind: 'repeated-error' }]);
    expect(findRepeatedCalls(seen([failing, call('Edit'), failing]))).toEqual([]);
  });

  it('report files that the agent cannot know', () => {
    covers('C57');
    const read = call('Read', { file_path: 'src/a.py' });
    const found = findUnknownFiles(seen([read], 'I changed src/a.py and src/ghost.py.'), () => false);
    expect(found).toEqual([{ kind: 'unknown-file', turn: 1, path: 'src/ghost.py', exists: false }]);
  });
});
