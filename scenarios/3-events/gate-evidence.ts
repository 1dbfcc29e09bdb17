import type { BackendId, Saboteur } from '../../src/authoring.js';

/** An event that ralph accepts only with evidence. */
export interface Gate {
  readonly id: string;
  readonly topic: string;
  readonly blocked: string;
  /** What ralph says if the evidence is complete but not good enough. */
  readonly because: string;
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
}

const BUILD: Gate = {
  id: 'backpressure-build',
  topic: 'build.done',
  blocked: 'build.blocked',
  because: 'Backpressure checks failed.',
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
  },
  optional: ['performance', 'specs'],
  alsoPublished: 'build.task.abandoned',
  tolerated: {
    // Terminal colors in the middle of an item: ralph strips them before it looks.
    colours: { tests: '\u001b[32mtests\u001b[0m: pass' },
    mutants: { mutants: 'mutants: fail' },
    perf: { performance: 'perf: improved' },
  },
};

const REVIEW: Gate = {
  id: 'backpressure-review',
  topic: 'review.done',
  blocked: 'review.blocked',
  because: 'Review verification failed.',
  fault: 'accept-any-review-done',
  backends: ['claude'],
  good: { tests: 'tests: pass', build: 'build: pass' },
  bad: { tests: 'tests: fail', build: 'build: fail' },
  alsoBad: {},
  optional: [],
  tolerated: {},
};

const VERIFICATION: Gate = {
  id: 'backpressure-verify',
  topic: 'verify.passed',
  blocked: 'verify.failed',
  because: 'Quality thresholds failed.',
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
  },
  optional: ['specs'],
  tolerated: {
    more: {
      coverage: 'quality.coverage: 100%',
      mutation: 'quality.mutation: 99.5%',
      complexity: 'quality.complexity: 3',
    },
    letters: { tests: 'Quality.Tests: PASS' },
  },
};

/** Every gate that ralph has. */
export const GATES: readonly Gate[] = [BUILD, REVIEW, VERIFICATION];
