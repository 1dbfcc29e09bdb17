import type { Promises } from '../../../src/authoring.js';

export const gates: Promises = {
  'build-evidence': {
    promise:
      'build.done passes only with tests, lint, typecheck, audit, coverage, complexity and duplication; otherwise it becomes build.blocked.',
    source: 'ralph-core/src/event_parser.rs: all_passed',
    heldBy: {
      'backpressure-build': [
        'try.bad-tests',
        'try.bad-lint',
        'try.bad-typecheck',
        'try.bad-audit',
        'try.bad-coverage',
        'try.bad-complexity',
        'try.bad-duplication',
        'try.no-tests',
        'try.no-lint',
        'try.no-typecheck',
        'try.no-audit',
        'try.no-coverage',
        'try.no-complexity',
        'try.no-duplication',
        'try.good-needed',
        'try.bad-words',
        'file',
      ],
      'claude-backpressure': ['pending2', 'told2', 'pending3', 'told3', 'file'],
      'claims-refused': ['refused'],
    },
    about: ['topic build.done', 'topic build.blocked'],
  },
  'build-complexity-limit': {
    promise: 'A complexity of 10 passes; anything above it does not.',
    source: 'ralph-core/src/event_parser.rs: COMPLEXITY_THRESHOLD',
    heldBy: {
      'backpressure-build': [
        'try.bad-complexity',
        'try.bad-fraction',
        'try.bad-first',
        'try.bad-unmeasured',
        'try.good-all',
        'try.good-less',
      ],
    },
  },
  'build-optional': {
    promise: 'performance and specs may be missing from build.done, but block it if they are bad.',
    source: 'ralph-core/src/event_parser.rs: all_passed',
    heldBy: {
      'backpressure-build': [
        'try.bad-performance',
        'try.bad-specs',
        'try.bad-capitals',
        'try.good-needed',
        'try.good-all',
        'try.good-unclear',
      ],
    },
  },
  'build-performance-words': {
    promise: 'A performance regression blocks under both names, performance and perf, and as a failure.',
    source: 'ralph-core/src/event_parser.rs: parse_performance_regression',
    heldBy: { 'backpressure-build': ['try.bad-slow', 'try.bad-shouted', 'try.bad-perf', 'try.good-perf'] },
  },
  'build-mutants-warn': {
    promise: 'Mutation testing never blocks build.done.',
    source: 'ralph-core/src/event_parser.rs: all_passed',
    heldBy: { 'backpressure-build': ['try.good-mutants'] },
  },
  'mutation-threshold': {
    promise:
      'With mutation_score_warn_threshold, a lower or missing score is reported as a warning in the log; a score at the threshold is not. A failed one always is.',
    source: 'ralph-core/src/event_loop/mod.rs: mutation_warning_reason',
    heldBy: { 'mutation-warnings': ['warned', 'warnedAnyway'] },
    about: ['config event_loop.mutation_score_warn_threshold'],
  },
  'evidence-colors': {
    promise: 'Terminal colors in the evidence do not matter.',
    source: 'ralph-core/src/event_parser.rs: strip_ansi',
    heldBy: {
      'backpressure-build': [
        ...['try.good-colours', 'try.good-links', 'try.good-unfinished', 'try.good-cut-off'],
      ],
      'backpressure-review': ['try.good-colours'],
      'backpressure-verify': ['try.good-colours'],
    },
  },
  'evidence-lines': {
    promise: 'Evidence counts on lines of its own as well as separated by commas.',
    source: 'ralph-core/src/event_parser.rs: parse_complexity_evidence',
    heldBy: {
      'backpressure-build': ['try.good-lines'],
      'backpressure-review': ['try.good-lines'],
      'backpressure-verify': ['try.good-lines'],
    },
  },
  'evidence-case': {
    promise:
      'The case of letters does not matter in a quality report, and in evidence of complexity, duplication, performance and specs.',
    source:
      'ralph-core/src/event_parser.rs: parse_complexity_evidence, parse_duplication_evidence, parse_performance_regression, parse_specs_evidence, parse_quality_report',
    heldBy: {
      'backpressure-build': ['try.good-letters', 'try.bad-capitals', 'try.bad-shouted'],
      'backpressure-verify': ['try.good-letters', 'try.bad-capitals'],
    },
  },
  'missing-or-failed': {
    promise:
      'The refusal says whether evidence is missing altogether or not good enough, and what is needed; one item alone is evidence.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: {
      'backpressure-build': [
        'try.nothing',
        'try.bad-tests',
        'try.only-tests-pass',
        'try.only-mutants-pass',
        'try.only-perf-ok',
        'try.only-lint-pass',
        'try.only-typecheck-pass',
        'try.only-audit-pass',
        'try.only-coverage-pass',
        'try.only-complexity-',
        'try.only-duplication-pass',
        'try.only-performance-pass',
        'try.only-specs-pass',
      ],
      'backpressure-review': [
        'try.nothing',
        'try.bad-tests',
        'try.only-tests-pass',
        'try.only-build-pass',
        'try.only-build-skipped',
      ],
      'backpressure-verify': [
        'try.nothing',
        'try.bad-tests',
        'try.only-quality-specs-pass',
        'try.only-quality-tests-pass',
        'try.only-quality-lint-pass',
        'try.only-quality-audit-pass',
        'try.only-quality-coverage-',
        'try.only-quality-mutation-',
        'try.only-quality-complexity-',
      ],
      'claude-backpressure': ['pending2', 'told2'],
    },
  },
  'review-evidence': {
    promise: 'review.done passes only with tests and build; otherwise it becomes review.blocked.',
    source: 'ralph-core/src/event_parser.rs: is_verified',
    heldBy: {
      'backpressure-review': [
        'try.bad-tests',
        'try.bad-build',
        'try.no-tests',
        'try.no-build',
        'try.good-needed',
        'try.good-all',
        'file',
      ],
    },
    about: ['topic review.done', 'topic review.blocked'],
  },
  'waves-only-read': {
    promise: 'In a wave, review.done needs no evidence; build.done and verify.passed do.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: {
      'backpressure-review': ['try.in-wave'],
      'backpressure-build': ['try.in-wave'],
      'backpressure-verify': ['try.in-wave'],
    },
  },
  'refusal-reasons': {
    promise: 'The record of decisions says of each refused claim what was not good enough, and nothing else.',
    source:
      'ralph-core/src/event_parser.rs: failed_dimensions; ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'refusal-reasons': ['reasons'] },
    about: ['topic build.done', 'topic review.done', 'topic verify.passed'],
  },
  'verify-evidence': {
    promise:
      'verify.passed passes only with tests, lint, audit, coverage of 80 %, mutation of 70 % and complexity of 10; otherwise it becomes verify.failed.',
    source: 'ralph-core/src/event_parser.rs: meets_thresholds',
    heldBy: {
      'backpressure-verify': [
        'try.bad-tests',
        'try.bad-lint',
        'try.bad-audit',
        'try.bad-coverage',
        'try.bad-mutation',
        'try.bad-complexity',
        'try.no-tests',
        'try.no-lint',
        'try.no-audit',
        'try.no-coverage',
        'try.no-mutation',
        'try.no-complexity',
        'try.good-needed',
        'try.good-all',
        'try.bad-fraction',
        'try.bad-almost',
        'try.bad-nearly',
        'try.bad-unknown',
        'try.bad-unprefixed',
        'try.good-more',
        'file',
      ],
      'claims-refused': ['passed'],
    },
    about: ['topic verify.passed', 'topic verify.failed'],
  },
  'verify-specs': {
    promise: 'quality.specs may be missing, but fails verify.passed if it is bad.',
    source: 'ralph-core/src/event_parser.rs: meets_thresholds',
    heldBy: { 'backpressure-verify': ['try.bad-specs', 'try.good-needed'] },
  },
  'verify-failed-passes': {
    promise:
      'A failure that the agent itself reports passes as it is, with and without a report: verify.failed, review.blocked, build.blocked.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: {
      'backpressure-build': ['try.failed-its-own'],
      'backpressure-review': ['try.failed-its-own'],
      'backpressure-verify': ['try.failed-no-report', 'try.failed-report'],
    },
  },
  'verify-numbers': {
    promise: 'A percentage counts with and without its sign, and before other numbers.',
    source: 'ralph-core/src/event_parser.rs: extract_percentage',
    heldBy: {
      'backpressure-verify': [
        'try.bad-plain',
        'try.bad-bare',
        'try.bad-counted',
        'try.bad-measured',
        'try.good-plain',
        'try.good-counted',
      ],
    },
  },
  'third-block-abandons': {
    promise:
      'The third refusal for one reason also publishes build.task.abandoned; two do not, and a fourth does not again.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'backpressure-build': ['alsoPublished', 'publishedOnce'] },
    about: ['topic build.task.abandoned'],
  },
  'gates-with-hats': {
    promise: 'The gates also hold for active hats: a refused event does not activate the next hat.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: {
      'hat-gates': ['hats', 'refused', 'accepted'],
      'hat-multi-workflow': ['told3'],
      'hat-under-pressure': ['builds'],
    },
  },
};
