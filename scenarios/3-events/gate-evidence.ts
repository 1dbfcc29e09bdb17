import type { BackendId, Saboteur } from '../../src/authoring.js';

/** An event that ralph accepts only with evidence. */
export interface Gate {
  readonly id: string;
  readonly topic: string;
  readonly blocked: string;
  /** What ralph says if the evidence is not good enough. */
  readonly because: string;
  /** What ralph says if there is no evidence at all. */
  readonly missing: string;
  /** The fault of the stand-in that opens the gate. */
  readonly fault: Extract<Saboteur, { target: unknown }>['target'];
  /** Many claims make a prompt of more than 7,000 bytes, which ralph passes unchanged only to Claude. */
  readonly backends: readonly BackendId[];
  readonly good: Readonly<Record<string, string>>;
  /** By item: evidence that must be refused although every other item is good. */
  readonly bad: Readonly<Record<string, string>>;
  /** By name: more changes to the good evidence that must be refused. */
  readonly alsoBad: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Items that may be missing. Every other item is also tried without. */
  readonly optional: readonly string[];
  /** What ralph also publishes after it has refused three times for the same reason. */
  readonly alsoPublished?: string;
  /** By name: changes to the good evidence that must still pass. */
  readonly tolerated: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Items that count as evidence of which the rest is missing, even alone. */
  readonly alone: readonly string[];
  /** Whether a worker of a wave, which only reads, needs no evidence. */
  readonly trustsWaves: boolean;
  /** By name: what an agent may say about its own failure. It passes as it is. */
  readonly admitted: Readonly<Record<string, string>>;
}

/** Names the run of the script that publishes the claims: it ends every payload that does not have it elsewhere. */
export const RUN = 'run $1';

const BUILD: Gate = {
  id: 'backpressure-build',
  topic: 'build.done',
  blocked: 'build.blocked',
  because:
    'Backpressure checks failed. Fix tests/lint/typecheck/audit/coverage/complexity/duplication/specs before emitting build.done.',
  missing:
    "Missing backpressure evidence. Include 'tests: pass', 'lint: pass', 'typecheck: pass', 'audit: pass', 'coverage: pass', 'complexity: <score>', 'duplication: pass', 'performance: pass' (optional), 'specs: pass' (optional) in build.done payload.",
  fault: 'accept-any-build-done',
  backends: ['claude'],
  good: {
    tests: 'tests: pass',
    lint: 'lint: pass',
    typecheck: 'typecheck: pass',
    audit: 'audit: pass',
    coverage: 'coverage: pass',
    complexity: 'complexity: 10',
    duplication: 'duplication: pass',
    performance: 'performance: pass',
    specs: 'specs: pass',
  },
  bad: {
    tests: 'tests: fail',
    lint: 'lint: fail',
    typecheck: 'typecheck: fail',
    audit: 'audit: fail',
    coverage: 'coverage: fail',
    complexity: 'complexity: 11',
    duplication: 'duplication: fail',
    performance: 'performance: regression',
    specs: 'specs: fail',
  },
  alsoBad: {
    fraction: { complexity: 'complexity: 10.5' },
    slow: { performance: 'performance: fail' },
    perf: { performance: 'perf: regression' },
    words: { duplication: 'duplication: none' },
    capitals: { specs: 'SPECS: FAIL' },
    shouted: { performance: 'Performance: REGRESSION' },
    first: { complexity: 'complexity: 12 of 9' },
    unmeasured: { complexity: 'complexity: low' },
  },
  optional: ['performance', 'specs'],
  alsoPublished: 'build.task.abandoned',
  tolerated: {
    // Terminal colors in the middle of an item: ralph strips them before it looks.
    colours: { tests: '\u001b[32mtests\u001b[0m: pass' },
    mutants: { mutants: 'mutants: fail' },
    perf: { performance: 'perf: improved' },
    links: { lint: '\u001b]8;;https://example.org\u0007lint\u001b]8;;\u0007: pass' },
    letters: {
      complexity: 'Complexity: 10',
      duplication: 'DUPLICATION: Pass',
      performance: 'Perf: OK',
      specs: 'Specs: PASS',
    },
    less: { complexity: 'complexity: 9.5 of 12' },
    // Ralph drops the rest after the title of a window that does not end.
    unfinished: { specs: 'specs: pass \u001b]0;title' },
    // The very last character begins what would end the title.
    'cut-off': { specs: `specs: pass, ${RUN} \u001b]0;title\u001b` },
    unclear: { performance: 'performance: unknown', specs: 'specs: later' },
  },
  alone: [
    'tests: pass',
    'lint: pass',
    'typecheck: pass',
    'audit: pass',
    'coverage: pass',
    'complexity: 3',
    'duplication: pass',
    'performance: pass',
    'perf: ok',
    'mutants: pass',
    'specs: pass',
  ],
  trustsWaves: false,
  admitted: { 'its-own': 'the door is stuck' },
};

const REVIEW: Gate = {
  id: 'backpressure-review',
  topic: 'review.done',
  blocked: 'review.blocked',
  because: 'Review verification failed. Run tests and build before emitting review.done.',
  missing: "Missing verification evidence. Include 'tests: pass' and 'build: pass' in review.done payload.",
  fault: 'accept-any-review-done',
  backends: ['claude'],
  good: { tests: 'tests: pass', build: 'build: pass' },
  bad: { tests: 'tests: fail', build: 'build: fail' },
  alsoBad: {},
  optional: [],
  tolerated: { colours: { build: '\u001b[1mbuild\u001b[0m: pass' } },
  alone: ['tests: pass', 'build: pass', 'build: skipped'],
  trustsWaves: true,
  admitted: { 'its-own': 'nobody has time' },
};

const VERIFICATION: Gate = {
  id: 'backpressure-verify',
  topic: 'verify.passed',
  blocked: 'verify.failed',
  because:
    'Quality thresholds failed. Include quality.tests, quality.coverage, quality.lint, quality.audit, quality.mutation, quality.complexity with thresholds in verify.passed payload.',
  missing:
    'Missing quality report. Include quality.tests, quality.coverage, quality.lint, quality.audit, quality.mutation, quality.complexity in verify.passed payload.',
  fault: 'accept-any-verify-passed',
  backends: ['claude'],
  good: {
    tests: 'quality.tests: pass',
    lint: 'quality.lint: pass',
    audit: 'quality.audit: pass',
    coverage: 'quality.coverage: 80%',
    mutation: 'quality.mutation: 70%',
    complexity: 'quality.complexity: 10',
    specs: 'quality.specs: pass',
  },
  bad: {
    tests: 'quality.tests: fail',
    lint: 'quality.lint: fail',
    audit: 'quality.audit: fail',
    coverage: 'quality.coverage: 79%',
    mutation: 'quality.mutation: 69%',
    complexity: 'quality.complexity: 11',
    specs: 'quality.specs: fail',
  },
  alsoBad: {
    fraction: { complexity: 'quality.complexity: 10.5' },
    almost: { coverage: 'quality.coverage: 79.9%' },
    nearly: { mutation: 'quality.mutation: 69.9%' },
    plain: { coverage: 'quality.coverage: 79' },
    bare: { mutation: 'quality.mutation: 69' },
    counted: { coverage: 'quality.coverage: 1000 lines 79%' },
    measured: { mutation: 'quality.mutation: 700 mutants 69%' },
    unknown: { tests: 'quality.tests: skipped' },
    capitals: { specs: 'QUALITY.SPECS: FAIL' },
    unprefixed: { lint: 'lint: pass' },
  },
  optional: ['specs'],
  tolerated: {
    more: {
      coverage: 'quality.coverage: 100%',
      mutation: 'quality.mutation: 99.5%',
      complexity: 'quality.complexity: 3',
    },
    letters: { tests: 'Quality.Tests: PASS' },
    plain: { coverage: 'quality.coverage: 80', mutation: 'quality.mutation: 70' },
    counted: { coverage: 'quality.coverage: 12 files 80%', mutation: 'quality.mutation: 9 mutants 70%' },
    colours: { audit: '\u001b[32mquality.audit\u001b[0m: pass' },
  },
  alone: [
    'quality.tests: pass',
    'quality.lint: pass',
    'quality.audit: pass',
    'quality.coverage: 90%',
    'quality.mutation: 90%',
    'quality.complexity: 3',
    'quality.specs: pass',
  ],
  trustsWaves: false,
  admitted: { 'no-report': 'it does not work', report: 'quality.tests: fail, quality.lint: pass' },
};

/** Every gate that ralph has. */
export const GATES: readonly Gate[] = [BUILD, REVIEW, VERIFICATION];
