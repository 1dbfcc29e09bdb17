import { describe, expect, it } from 'vitest';
import { assess } from '../../src/analyze/quality.js';
import type { PassedAnalysis } from '../../src/domain/analysis.js';
import type { Evidence } from '../../src/domain/evidence.js';
import type { AttemptFinished, Planned } from '../../src/domain/journal.js';
import { attempt, captured, iteration, journal } from '../report/support/journal.js';

function assessed(
  evidence: Partial<Evidence>,
  {
    planned = {},
    durationSeconds = 1,
    before = [],
  }: { planned?: Partial<Planned>; durationSeconds?: number; before?: AttemptFinished[] } = {},
): PassedAnalysis {
  const [started] = journal({ tests: [planned] });
  const plan = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
  const attempts = [...before, attempt({ attempt: before.length + 1, durationSeconds, evidence })];
  return assess({ scenarioId: 'hat-single', backend: 'claude', planned: plan, attempts });
}

function iterations(count: number): Partial<Evidence> {
  return { termination: { reason: 'completed', status: '', iterations: count, exitCode: 0 } };
}

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
    expect(metrics).toEqual({
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
    const found = assess({
      scenarioId: 'hat-single',
      backend: 'claude',
      planned,
      attempts: [attempt({ durationSeconds: 1, quality })],
    });
    expect([found.quality_score, found.warnings.length]).toEqual([score, warnings]);
  });

  it('suggests what would save iterations', () => {
    const { optimizations } = assessed(iterations(5), { planned: { expectedIterations: 3 } });
    expect(optimizations).toMatchObject([{ potential_improvement: 'Could reduce iterations from 5 to 3' }]);
  });

  it('tells which assertion broke before the retry', () => {
    expect(assessed({}, { before: [FAILED] }).warnings[0]?.evidence).toBe('attempt 1 failed: it works');
  });
});
