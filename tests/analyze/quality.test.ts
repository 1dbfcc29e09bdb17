import { describe, expect, it } from 'vitest';
import { assess } from '../../src/analyze/quality.js';
import type { AttemptFinished, Planned } from '../../src/domain/attempt.js';
import type { Evidence } from '../../src/domain/evidence/evidence.js';
import type { PassedAnalysis } from '../../src/domain/report/analysis.js';
import { findUsual, type Metric, type Usual } from '../../src/domain/report/expectation.js';
import type { Lane } from '../../src/domain/vocabulary.js';
import { attempt, captured, iteration, journal } from '../report/support/journal.js';

function assessed(
  evidence: Partial<Evidence>,
  {
    planned = {},
    durationSeconds = 1,
    before = [],
    usual,
    lane = 'live',
  }: {
    planned?: Partial<Planned>;
    durationSeconds?: number;
    before?: AttemptFinished[];
    usual?: Usual;
    lane?: Lane;
  } = {},
): PassedAnalysis {
  const [started] = journal({ tests: [planned] });
  const plan = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
  const attempts = [...before, attempt({ attempt: before.length + 1, durationSeconds, evidence })];
  const execution = { scenarioId: 'hat-single', backend: 'claude' as const, planned: plan, attempts };
  return assess(
    { ...execution, ...(usual && { usual }) },
    { target: TARGET, lane, agentIsHonest: lane !== 'live' },
  );
}

function iterations(count: number): Partial<Evidence> {
  return { termination: { reason: 'completed', status: '', iterations: count, exitCode: 0 } };
}

const TARGET = { kind: 'real', path: '/opt/ralph', version: '2.10.1' } as const;
const MALFORMED = { malformedLines: [{ file: 'events.jsonl', line: 2, text: '{' }] };
const FAILED = attempt({ outcome: 'failed', checks: [{ name: 'it works', passed: false }] });

describe('the quality of a test that passed', () => {
  it.each([
    ['as expected', assessed(iterations(3), { planned: { expectedIterations: 3 } }), 'Optimal', []],
    ['fewer iterations', assessed(iterations(2), { planned: { expectedIterations: 3 } }), 'Optimal', []],
    ['no expectation', assessed(iterations(9)), 'Optimal', []],
    [
      'a few iterations more',
      assessed(iterations(5), { planned: { expectedIterations: 3 } }),
      'Good',
      ['ExcessiveIterations'],
    ],
    [
      'far more iterations',
      assessed(iterations(7), { planned: { expectedIterations: 3 } }),
      'Acceptable',
      ['ExcessiveIterations'],
    ],
    [
      'half of its time',
      assessed({}, { planned: { timeoutSeconds: 10 }, durationSeconds: 5 }),
      'Optimal',
      [],
    ],
    [
      'more than half of its time',
      assessed({}, { planned: { timeoutSeconds: 10 }, durationSeconds: 6 }),
      'Good',
      ['SlowExecution'],
    ],
    [
      'nearly all of its time',
      assessed({}, { planned: { timeoutSeconds: 10 }, durationSeconds: 9 }),
      'Acceptable',
      ['SlowExecution'],
    ],
    ['lines that cannot be read', assessed(MALFORMED), 'Good', ['UnexpectedOutput']],
    ['a retry', assessed({}, { before: [FAILED] }), 'Acceptable', ['PromptStruggle']],
    [
      'a retry and unreadable lines',
      assessed(MALFORMED, { before: [FAILED] }),
      'Suboptimal',
      ['PromptStruggle', 'UnexpectedOutput'],
    ],
    [
      'a tool that failed',
      assessed({
        iterations: [
          iteration({ toolCalls: [{ id: null, name: 'Bash', input: '', result: 'no', isError: true }] }),
        ],
      }),
      'Good',
      ['PromptStruggle'],
    ],
    [
      'something deprecated',
      assessed({ stderr: captured('Warning: x is deprecated', 'stderr') }),
      'Good',
      ['DeprecationUsed'],
    ],
    [
      'very many tokens',
      assessed({ usage: { model: null, turns: 1, inputTokens: 250_000, outputTokens: 1, costUsd: 1 } }),
      'Good',
      ['ResourceIntensive'],
    ],
  ])('%s', (_, { quality_score, warnings }, score, categories) => {
    expect(quality_score).toBe(score);
    expect(warnings.map(({ category }) => category)).toEqual(categories);
  });

  it('comes with metrics', () => {
    const { metrics } = assessed(
      {
        ...iterations(2),
        iterations: [
          iteration({ toolCalls: [{ id: null, name: 'Bash', input: '', result: null, isError: false }] }),
        ],
        events: [
          { topic: 'a', payload: null, timestamp: '', hat: null, iteration: 1, source: 'agent' },
          { topic: 'loop.terminate', payload: null, timestamp: '', hat: null, iteration: 1, source: 'ralph' },
        ],
        usage: { model: null, turns: 1, inputTokens: 10, outputTokens: 5, costUsd: 0.25 },
      },
      { planned: { expectedIterations: 3 }, durationSeconds: 2, before: [FAILED] },
    );
    expect(metrics).toMatchObject({
      duration_seconds: 2,
      iterations_used: 2,
      iterations_expected: 3,
      tokens_estimated: 15,
      cost_usd: 0.25,
      events_emitted: 1,
      tool_calls: 1,
      retries_needed: 1,
    });
  });

  it.each([
    ['optimal', 'Optimal', 0],
    ['acceptable', 'Good', 1],
    ['concerning', 'Acceptable', 1],
  ] as const)('is judged by the criteria of the scenario: %s', (grade, score, warnings) => {
    const [started] = journal({ tests: [{}] });
    const planned = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
    const quality = [{ name: 'Few calls', optimal: '1', acceptable: '3', concerning: 'more', grade }];
    const attempts = [attempt({ durationSeconds: 1, quality })];
    const found = assess(
      { scenarioId: 'hat-single', backend: 'claude', planned, attempts },
      { target: TARGET, lane: 'live', agentIsHonest: false },
    );
    expect([found.quality_score, found.warnings.length]).toEqual([score, warnings]);
  });

  it('suggests what would save iterations', () => {
    const { optimizations } = assessed(iterations(5), { planned: { expectedIterations: 3 } });
    expect(optimizations).toMatchObject([{ potential_improvement: 'Could reduce iterations from 5 to 3' }]);
  });

  it.each(['sim', 'scripted'] as const)(
    'is not judged in the %s lane, where a script plays the agent',
    (lane) => {
      const found = assessed(
        { ...iterations(5), ...MALFORMED },
        { planned: { expectedIterations: 3 }, lane },
      );
      expect(found).toMatchObject({ quality_score: null, warnings: [], optimizations: [] });
      expect(found.metrics).toMatchObject({ iterations_used: 5, iterations_expected: 3 });
    },
  );

  it('comes in words that fit the number', () => {
    const refused = { id: null, name: 'Bash', input: 'x', result: 'no', isError: true };
    const { warnings } = assessed(
      { ...iterations(2), ...MALFORMED, iterations: [iteration({ toolCalls: [refused] })] },
      { planned: { expectedIterations: 1 } },
    );
    expect(warnings.map(({ message }) => message)).toEqual([
      'Used 2 iterations instead of 1',
      'Unreadable lines from Ralph or the agent: 1',
      '1 tool call of the agent failed before it succeeded',
    ]);
  });

  it('tells which assertion broke before the retry', () => {
    expect(assessed({}, { before: [FAILED] }).warnings[0]?.evidence).toBe('attempt 1 failed: it works');
  });
});

describe('metrics against what is expected', () => {
  const spent = (inputTokens: number, costUsd = 0, model: string | null = 'm') => ({
    usage: { model, turns: 1, inputTokens, outputTokens: 0, costUsd },
  });
  const passes = (metric: Metric, values: (number | null)[], model: string | null = 'm'): Usual => {
    const usual = findUsual(values.map((value) => ({ model, values: { [metric]: value } })));
    if (usual === null) throw new Error('at least one pass expected');
    return usual;
  };
  const told = ({ metrics }: PassedAnalysis, metric: Metric) =>
    metrics.against_expected.find((entry) => entry.metric === metric);

  it('names every metric once, in a fixed order, and knows no expectation where nobody passed before', () => {
    const { metrics, quality_score } = assessed(iterations(2), { durationSeconds: 200 });
    expect(metrics.against_expected.map(({ metric, status }) => [metric, status])).toEqual([
      ['duration_seconds', 'no-expectation'],
      ['iterations_used', 'no-expectation'],
      ['events_emitted', 'no-expectation'],
      ['tool_calls', 'no-expectation'],
      ['tokens_estimated', 'not-measured'],
      ['cost_usd', 'not-measured'],
      ['retries_needed', 'as-expected'],
    ]);
    expect(quality_score).toBe('Good');
  });

  it.each([
    ['as usual', [10, 12, 11], 12, 'as-expected', 'Optimal'],
    ['twice the usual', [10, 12, 11], 22, 'as-expected', 'Optimal'],
    ['more than twice the usual', [10, 12, 11], 22.1, 'above', 'Good'],
    ['not more than a slow pass that counts', [10, 40, 10], 40, 'as-expected', 'Optimal'],
    ['not more than noise', [0.5, 0.5, 0.5], 5.5, 'as-expected', 'Optimal'],
    ['more than noise', [0.5, 0.5, 0.5], 5.6, 'above', 'Good'],
    ['too few passes', [1, 1], 100, 'no-expectation', 'Optimal'],
    ['only the latest five count', [90, 90, 90, 10, 10, 10, 10, 10], 25, 'above', 'Good'],
  ] as const)('judges the duration by the latest passes: %s', (_, before, seconds, status, score) => {
    const found = assessed(spent(1), {
      durationSeconds: seconds,
      usual: passes('duration_seconds', [...before]),
    });
    expect([told(found, 'duration_seconds')?.status, found.quality_score]).toEqual([status, score]);
    expect(found.warnings.map(({ category }) => category)).toEqual(
      status === 'above' ? ['SlowExecution'] : [],
    );
  });

  it('tells the expectation, its bound and how many passes it rests on', () => {
    const found = assessed(spent(50_000), {
      usual: passes('tokens_estimated', [9_000, 10_000, null, 30_000, 11_000]),
    });
    expect(told(found, 'tokens_estimated')).toEqual({
      metric: 'tokens_estimated',
      actual: 50_000,
      expected: 10_500,
      at_most: 30_000,
      basis: 'history',
      earlier_passes: 4,
      status: 'above',
    });
    expect(found.warnings).toMatchObject([
      { category: 'ResourceIntensive', evidence: '50000 tokens, usually 10500 tokens' },
    ]);
  });

  it('does not measure one model by another', () => {
    const usual = passes('tokens_estimated', [10, 10, 10], 'small');
    expect(told(assessed(spent(9_000, 0, 'large'), { usual }), 'tokens_estimated')).toMatchObject({
      expected: null,
      status: 'no-expectation',
    });
    expect(told(assessed(spent(9_000, 0, 'small'), { usual }), 'tokens_estimated')?.status).toBe('above');
  });

  it('takes the iterations from the scenario where it says how many, else from the latest passes', () => {
    const usual = passes('iterations_used', [1, 1, 1], null);
    expect(
      told(assessed(iterations(3), { usual, planned: { expectedIterations: 3 } }), 'iterations_used'),
    ).toMatchObject({ expected: 3, basis: 'scenario', status: 'as-expected' });
    const found = assessed(iterations(3), { usual });
    expect(told(found, 'iterations_used')).toMatchObject({ expected: 1, basis: 'history', status: 'above' });
    expect(found.warnings).toMatchObject([{ category: 'ExcessiveIterations' }]);
  });

  it('knows a cost only where somebody is paid', () => {
    const usual = passes('cost_usd', [0.1, 0.1, 0.1]);
    const live = assessed(spent(1, 0.5), { usual });
    expect(told(live, 'cost_usd')).toMatchObject({ actual: 0.5, expected: 0.1, status: 'above' });
    const sim = assessed(spent(1, 0.5), { usual, lane: 'sim' });
    expect(told(sim, 'cost_usd')).toMatchObject({ actual: null, status: 'not-measured' });
    expect(sim.metrics.cost_usd).toBeNull();
  });

  it('warns of one matter once', () => {
    const usual = findUsual(
      [1, 2, 3].map(() => ({ model: 'm', values: { tokens_estimated: 10, cost_usd: 0.01 } })),
    );
    const found = assessed(spent(250_000, 2), { ...(usual && { usual }) });
    expect(found.warnings.map(({ category }) => category)).toEqual(['ResourceIntensive']);
    const slow = assessed(spent(1), {
      planned: { timeoutSeconds: 100 },
      durationSeconds: 90,
      usual: passes('duration_seconds', [1, 1, 1]),
    });
    expect(slow.warnings.map(({ category }) => category)).toEqual(['SlowExecution']);
    const both = assessed(spent(9_000, 0.5), { ...(usual && { usual }) });
    expect(both.warnings).toMatchObject([
      { evidence: '9000 tokens, usually 10 tokens; $0.5000, usually $0.0100' },
    ]);
  });

  it('counts a retry as more than is expected', () => {
    expect(told(assessed({}, { before: [FAILED] }), 'retries_needed')).toMatchObject({
      expected: 0,
      basis: 'always',
      status: 'above',
    });
  });
});
