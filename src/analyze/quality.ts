import type { AttemptFinished } from '../domain/attempt.js';
import { countNoun } from '../domain/checks/text.js';
import type { Execution, PassedAnalysis, QualityScore, RunFacts } from '../domain/report/analysis.js';
import { LANE_TRAITS } from '../domain/vocabulary.js';
import { compareMetrics, warnOfUnusual } from './expectations.js';

type Warning = PassedAnalysis['warnings'][number];
type Metrics = PassedAnalysis['metrics'];
type Optimization = PassedAnalysis['optimizations'][number];
interface Flaw {
  /** 1 is a small inefficiency, 2 needs attention. */
  readonly weight: 1 | 2;
  readonly warning: Warning;
  readonly optimization?: Optimization;
}

const MANY_TOKENS = 200_000;
const MUCH_MONEY_USD = 1;

/**
 * Judges how well a model passed a test: by the scenario's own criteria, expected iterations, retries, time, unreadable
 * lines, tokens and cost, and by comparison with its latest passes. A script is only measured.
 */
export function assess(execution: Execution, run: RunFacts): PassedAnalysis {
  const metrics = measure(execution, run);
  const against_expected = compareMetrics(metrics, execution);
  const measured = {
    ...metrics,
    iterations_expected: execution.planned?.expectedIterations ?? null,
    against_expected,
  };
  if (LANE_TRAITS[run.lane].hasScript)
    return { quality_score: null, metrics: measured, warnings: [], optimizations: [] };
  const last = execution.attempts.at(-1);
  const found = last ? findFlaws(execution, last, metrics) : [];
  const told = new Set(found.map(({ warning }) => warning.category));
  const unusual = warnOfUnusual(against_expected, told).map((warning): Flaw => ({ weight: 1, warning }));
  const flaws = [...found, ...unusual];
  return {
    quality_score: scoreOf(flaws.reduce((sum, { weight }) => sum + weight, 0)),
    metrics: measured,
    warnings: flaws.map(({ warning }) => warning),
    optimizations: flaws.flatMap(({ optimization }) => optimization ?? []),
  };
}

function measure({ attempts }: Execution, { lane }: RunFacts) {
  const last = attempts.at(-1);
  const evidence = last?.evidence ?? null;
  const cost = evidence?.usage?.costUsd ?? 0;
  return {
    duration_seconds: last?.durationSeconds ?? 0,
    iterations_used: iterationsOf(last),
    events_emitted: evidence?.events.filter(({ source }) => source === 'agent').length ?? 0,
    tool_calls: evidence?.iterations.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0) ?? 0,
    tokens_estimated: evidence?.usage ? evidence.usage.inputTokens + evidence.usage.outputTokens : null,
    // Null if the cost is unknown (CLIs that print plain text do not report it) or if nothing is paid.
    cost_usd: lane === 'live' && cost > 0 ? cost : null,
    retries_needed: Math.max(0, attempts.length - 1),
  };
}

function scoreOf(weight: number): QualityScore {
  if (weight === 0) return 'Optimal';
  if (weight === 1) return 'Good';
  return weight === 2 ? 'Acceptable' : 'Suboptimal';
}

function iterationsOf(attempt: AttemptFinished | undefined): number {
  const evidence = attempt?.evidence;
  return evidence ? (evidence.termination?.iterations ?? evidence.iterations.length) : 0;
}

function findFlaws(execution: Execution, last: AttemptFinished, metrics: Pick<Metrics, 'cost_usd'>): Flaw[] {
  return [
    ...judgeCriteria(last),
    judgeIterations(execution, last),
    judgeRetries(execution),
    judgeTime(execution, last),
    judgeOutput(last),
    judgeTools(last),
    judgeDeprecations(last),
    judgeResources(last, metrics),
  ].filter((flaw) => flaw !== null);
}

/** Judges by the scenario's own grades: optimal, acceptable and concerning. */
function judgeCriteria({ quality }: AttemptFinished): Flaw[] {
  return quality.flatMap((criterion): Flaw[] => {
    const { name, grade, optimal } = criterion;
    if (grade === 'optimal') return [];
    return [
      {
        weight: grade === 'concerning' ? 2 : 1,
        warning: {
          category: 'PromptStruggle',
          message: `Only ${grade} by the scenario's criterion "${name}"`,
          evidence: `${criterion[grade]}; optimal is ${optimal}`,
        },
        optimization: {
          category: 'Quality Criterion',
          description: `${name}: ${criterion[grade]}`,
          potential_improvement: `Optimal would be ${optimal}`,
          suggested_change: null,
        },
      },
    ];
  });
}

function judgeIterations({ planned }: Execution, last: AttemptFinished): Flaw | null {
  const used = iterationsOf(last);
  const expected = planned?.expectedIterations ?? null;
  if (expected === null || used <= expected) return null;
  return {
    weight: used > expected * 2 ? 2 : 1,
    warning: {
      category: 'ExcessiveIterations',
      message: `Used ${countNoun(used, 'iteration')} instead of ${expected}`,
      evidence: `${last.evidence?.iterations.map(({ hat }) => hat ?? 'ralph').join(' → ') ?? ''}`,
    },
    optimization: {
      category: 'Prompt Clarity',
      description: 'The prompt may not say when the work is done',
      potential_improvement: `Could reduce iterations from ${used} to ${expected}`,
      suggested_change: 'Say explicitly what must be true for the work to be done',
    },
  };
}

function judgeRetries({ attempts }: Execution): Flaw | null {
  const failed = attempts.filter(({ outcome }) => outcome !== 'passed');
  const [first] = failed;
  if (!first) return null;
  const broken = first.checks.filter(({ passed }) => !passed).map(({ name }) => name);
  return {
    weight: 2,
    warning: {
      category: 'PromptStruggle',
      message: `Passed only at attempt ${attempts.length}`,
      evidence: `attempt ${first.attempt} ${first.outcome}: ${first.error ?? broken.join('; ')}`,
    },
  };
}

function judgeTime({ planned }: Execution, { durationSeconds }: AttemptFinished): Flaw | null {
  const limit = planned?.timeoutSeconds ?? 0;
  if (limit <= 0 || durationSeconds <= limit / 2) return null;
  const share = Math.round((durationSeconds / limit) * 100);
  return {
    weight: share > 80 ? 2 : 1,
    warning: {
      category: 'SlowExecution',
      message: `Took ${share}% of its time limit`,
      evidence: `${durationSeconds.toFixed(1)} s of ${limit} s`,
    },
  };
}

function judgeOutput({ evidence }: AttemptFinished): Flaw | null {
  const [first] = evidence?.malformedLines ?? [];
  if (!evidence || !first) return null;
  return {
    weight: 1,
    warning: {
      category: 'UnexpectedOutput',
      message: `Unreadable lines from Ralph or the agent: ${evidence.malformedLines.length}`,
      evidence: `${first.file}:${first.line}: ${first.text.slice(0, 300)}`,
    },
  };
}

function judgeTools({ evidence }: AttemptFinished): Flaw | null {
  const failed =
    evidence?.iterations.flatMap(({ toolCalls }) => toolCalls.filter(({ isError }) => isError)) ?? [];
  const [first] = failed;
  if (!first) return null;
  return {
    weight: 1,
    warning: {
      category: 'PromptStruggle',
      message: `${countNoun(failed.length, 'tool call')} of the agent failed before it succeeded`,
      evidence: `${first.name}: ${(first.result ?? first.input).slice(0, 300)}`,
    },
  };
}

function judgeDeprecations({ evidence }: AttemptFinished): Flaw | null {
  const line = evidence?.stderr.text.split('\n').find((text) => /\bdeprecated\b/i.test(text));
  if (line === undefined) return null;
  return {
    weight: 1,
    warning: {
      category: 'DeprecationUsed',
      message: 'The target printed a deprecation warning',
      evidence: line.trim().slice(0, 300),
    },
  };
}

function judgeResources(last: AttemptFinished, { cost_usd }: Pick<Metrics, 'cost_usd'>): Flaw | null {
  const usage = last.evidence?.usage;
  if (!usage) return null;
  const found = [
    ...(usage.inputTokens + usage.outputTokens > MANY_TOKENS ? [`more than ${MANY_TOKENS} tokens`] : []),
    ...((cost_usd ?? 0) > MUCH_MONEY_USD ? [`more than $${MUCH_MONEY_USD}`] : []),
  ];
  if (found.length === 0) return null;
  return {
    weight: 1,
    warning: {
      category: 'ResourceIntensive',
      message: `Used ${found.join(' and ')}`,
      evidence: `${usage.inputTokens} in, ${usage.outputTokens} out${cost_usd === null ? '' : `, $${cost_usd.toFixed(4)}`}`,
    },
  };
}
