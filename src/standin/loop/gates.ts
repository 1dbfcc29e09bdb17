import type { StandInFault } from '../../domain/scenario/stand-in-faults.js';
import { faulty } from '../faults.js';
import type { FileEvent } from '../store/events-file.js';
import { stripAnsi } from '../text.js';

/** A gate's verdict: the event itself, or its replacement. */
export interface GateVerdict {
  readonly topic: string;
  readonly payload: string;
  /** For the log; absent if the event passed. */
  readonly rejection?: string;
  /** For the log, about an event that passed anyway. */
  readonly warning?: string;
}

type Verdict = 'passed' | 'failed' | 'missing';

interface Gate {
  readonly judge: (payload: string) => Verdict;
  readonly blockedTopic: string;
  readonly whenMissing: string;
  readonly whenFailed: string;
  /** The fault that disables the gate. */
  readonly fault: StandInFault;
  /** The log's words for missing and failed evidence. */
  readonly log: { readonly missing: string; readonly failed: string };
}

// The next prompt shows the agent the payloads of blocking events, and scenarios look for them.
const GATES: Readonly<Record<string, Gate>> = {
  'build.done': {
    judge: judgeBuild,
    blockedTopic: 'build.blocked',
    whenMissing:
      "Missing backpressure evidence. Include 'tests: pass', 'lint: pass', 'typecheck: pass', 'audit: pass', 'coverage: pass', 'complexity: <score>', 'duplication: pass', 'performance: pass' (optional), 'specs: pass' (optional) in build.done payload.",
    whenFailed:
      'Backpressure checks failed. Fix tests/lint/typecheck/audit/coverage/complexity/duplication/specs before emitting build.done.',
    fault: 'accept-any-build-done',
    log: { missing: 'missing backpressure evidence', failed: 'backpressure checks failed' },
  },
  'review.done': {
    judge: judgeReview,
    blockedTopic: 'review.blocked',
    whenMissing:
      "Missing verification evidence. Include 'tests: pass' and 'build: pass' in review.done payload.",
    whenFailed: 'Review verification failed. Run tests and build before emitting review.done.',
    fault: 'accept-any-review-done',
    log: { missing: 'missing verification evidence', failed: 'verification checks failed' },
  },
  'verify.passed': {
    judge: judgeVerification,
    blockedTopic: 'verify.failed',
    whenMissing:
      'Missing quality report. Include quality.tests, quality.coverage, quality.lint, quality.audit, quality.mutation, quality.complexity in verify.passed payload.',
    whenFailed:
      'Quality thresholds failed. Include quality.tests, quality.coverage, quality.lint, quality.audit, quality.mutation, quality.complexity with thresholds in verify.passed payload.',
    fault: 'accept-any-verify-passed',
    log: { missing: 'missing quality report', failed: 'quality thresholds failed' },
  },
};

/** Passes an event, or replaces a claim without evidence with a blocking event. */
export function applyGate(event: FileEvent, mutationThreshold?: number): GateVerdict {
  const gate = GATES[event.topic];
  if (event.topic === 'verify.failed') return { ...event, ...warnOfReport(event) };
  // Reviews in a wave only read; they run nothing that could be evidence.
  if (gate === undefined || (event.topic === 'review.done' && event.waveId !== undefined)) return event;
  const verdict = gate.judge(stripAnsi(event.payload));
  if (verdict !== 'passed' && faulty(gate.fault)) return event;
  switch (verdict) {
    case 'passed':
      return {
        topic: event.topic,
        payload: event.payload,
        ...(event.topic === 'build.done' ? warnOfMutants(event, mutationThreshold) : {}),
      };
    case 'failed':
      return {
        topic: gate.blockedTopic,
        payload: gate.whenFailed,
        rejection: `${event.topic} rejected: ${gate.log.failed}`,
      };
    case 'missing':
      return {
        topic: gate.blockedTopic,
        payload: gate.whenMissing,
        rejection: `${event.topic} rejected: ${gate.log.missing}`,
      };
  }
}

/** A failure without a report passes, with a warning in the log. */
function warnOfReport({ payload }: FileEvent): { readonly warning?: string } {
  const missing = judgeVerification(stripAnsi(payload)) === 'missing';
  return missing ? { warning: 'verify.failed missing quality report' } : {};
}

/** Mutation testing never blocks; what is wrong with it is in the log. */
function warnOfMutants({ payload }: FileEvent, threshold: number | undefined): { readonly warning?: string } {
  const mutants = splitSegments(stripAnsi(payload)).find((segment) => segment.includes('mutants:'));
  if (mutants === undefined) {
    return threshold === undefined
      ? {}
      : { warning: 'Mutation testing warning: missing mutation evidence in build.done payload' };
  }
  const reason = doubtMutants(mutants, threshold);
  return reason === undefined ? {} : { warning: `Mutation testing warning reason=${reason}` };
}

function doubtMutants(segment: string, threshold: number | undefined): string | undefined {
  const status = /mutants: (pass|warn|fail)/.exec(segment.toLowerCase())?.[1];
  const percent = /([\d.]+)%/.exec(segment)?.[1];
  const score = percent === undefined ? undefined : Number(percent);
  if (status === 'fail') return 'mutation testing failed';
  if (status === 'warn')
    return `mutation score below threshold${score === undefined ? '' : ` (${score.toFixed(2)}%)`}`;
  if (status === undefined) return 'mutation testing status unknown';
  if (threshold === undefined) return undefined;
  if (score === undefined) return `mutation score missing (threshold ${threshold.toFixed(2)}%)`;
  if (score >= threshold) return undefined;
  return `mutation score ${score.toFixed(2)}% below threshold ${threshold.toFixed(2)}%`;
}

const BUILD_CHECKS = ['tests', 'lint', 'typecheck', 'audit', 'coverage'];
const BUILD_WORDS = [...BUILD_CHECKS, 'complexity', 'duplication', 'performance', 'perf', 'mutants', 'specs'];
const MAX_COMPLEXITY = 10;

function judgeBuild(payload: string): Verdict {
  if (!BUILD_WORDS.some((word) => payload.includes(`${word}:`))) return 'missing';
  const complexity = firstNumber(findSegment(payload, 'complexity:'));
  const performance = findSegment(payload, 'performance:', 'perf:')?.toLowerCase() ?? '';
  const passed =
    BUILD_CHECKS.every((check) => payload.includes(`${check}: pass`)) &&
    complexity !== undefined &&
    complexity <= MAX_COMPLEXITY &&
    (findSegment(payload, 'duplication:')?.toLowerCase().includes('duplication: pass') ?? false) &&
    !/regression|fail/.test(performance) &&
    !specsFailed(payload);
  return passed ? 'passed' : 'failed';
}

function specsFailed(payload: string): boolean {
  const segment = findSegment(payload, 'specs:')?.toLowerCase() ?? '';
  return !segment.includes('specs: pass') && segment.includes('specs: fail');
}

function judgeReview(payload: string): Verdict {
  if (!payload.includes('tests:') && !payload.includes('build:')) return 'missing';
  return payload.includes('tests: pass') && payload.includes('build: pass') ? 'passed' : 'failed';
}

const QUALITY_CHECKS: readonly (readonly [name: string, holds: (segment: string) => boolean])[] = [
  ['tests', passes],
  ['lint', passes],
  ['audit', passes],
  ['coverage', (segment) => (percentage(segment) ?? 0) >= 80],
  ['mutation', (segment) => (percentage(segment) ?? 0) >= 70],
  ['complexity', (segment) => (firstNumber(segment) ?? Number.POSITIVE_INFINITY) <= MAX_COMPLEXITY],
];

function judgeVerification(payload: string): Verdict {
  const specs = lastSegment(payload, 'quality.specs:');
  const reported = QUALITY_CHECKS.map(([name]) => lastSegment(payload, `quality.${name}:`));
  if (specs === undefined && reported.every((segment) => segment === undefined)) return 'missing';
  const passed = QUALITY_CHECKS.every(([, holds], index) => {
    const segment = reported[index];
    return segment !== undefined && holds(segment);
  });
  return passed && (specs === undefined || passes(specs) || !specs.includes('fail')) ? 'passed' : 'failed';
}

function splitSegments(payload: string): readonly string[] {
  return payload.split(/[\n,]/).map((segment) => segment.trim());
}

function findSegment(payload: string, ...starts: readonly string[]): string | undefined {
  return splitSegments(payload).find((segment) =>
    starts.some((start) => segment.toLowerCase().startsWith(start)),
  );
}

/** Finds the last mention of a dimension, which wins. */
function lastSegment(payload: string, start: string): string | undefined {
  return splitSegments(payload)
    .map((segment) => segment.toLowerCase())
    .findLast((segment) => segment.startsWith(start));
}

function passes(segment: string): boolean {
  return segment.includes('pass');
}

function percentage(segment: string): number | undefined {
  const match = /([\d.]+)%/.exec(segment);
  return match === null ? firstNumber(segment) : Number(match[1]);
}

function firstNumber(segment: string | undefined): number | undefined {
  const match = /\d[\d.]*/.exec(segment ?? '');
  const value = match === null ? Number.NaN : Number(match[0]);
  return Number.isNaN(value) ? undefined : value;
}
