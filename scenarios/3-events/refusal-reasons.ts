import { completed, errandAnswered, loop, onObjective, scenario } from '../../src/authoring.js';
import { MECHANICS } from '../support/commands.js';
import { neverCompletes } from '../support/saboteurs.js';
import { escapePattern } from '../support/texts.js';

const QUALITY =
  'quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 80%, quality.mutation: 70%, quality.complexity: 10';

/** Claims, and why Ralph refuses them: what is on the very threshold is no reason. */
const CLAIMS: readonly (readonly [topic: string, payload: string, reason: string])[] = [
  [
    'build.done',
    'tests: fail, performance: pass',
    'backpressure checks failed: tests=false, lint=false, typecheck=false, audit=false, coverage=false, complexity=missing, duplication=false, performance=pass, specs=not reported',
  ],
  [
    'build.done',
    'lint: pass, complexity: 7.125, perf: ok, specs: fail',
    'backpressure checks failed: tests=false, lint=true, typecheck=false, audit=false, coverage=false, complexity=7.12, duplication=false, performance=pass, specs=fail',
  ],
  [
    'build.done',
    'tests: pass, audit: pass, duplication: pass, performance: improved by 3, specs: pass',
    'backpressure checks failed: tests=true, lint=false, typecheck=false, audit=true, coverage=false, complexity=missing, duplication=true, performance=pass, specs=pass',
  ],
  [
    'build.done',
    'typecheck: pass, coverage: pass, performance: regression',
    'backpressure checks failed: tests=false, lint=false, typecheck=true, audit=false, coverage=true, complexity=missing, duplication=false, performance=regression, specs=not reported',
  ],
  [
    'build.done',
    'coverage: pass, performance: unknown',
    'backpressure checks failed: tests=false, lint=false, typecheck=false, audit=false, coverage=true, complexity=missing, duplication=false, performance=missing, specs=not reported',
  ],
  ['build.done', 'it works', 'missing backpressure evidence'],
  ['review.done', 'tests: pass', 'review verification failed: tests=true, build=false'],
  ['review.done', 'build: pass', 'review verification failed: tests=false, build=true'],
  ['review.done', 'it works', 'missing review verification evidence'],
  ...(
    [
      ['tests: pass', 'tests: fail', 'tests'],
      ['lint: pass', 'lint: fail', 'lint'],
      ['audit: pass', 'audit: fail', 'audit'],
      ['coverage: 80%', 'coverage: 79.9%', 'coverage'],
      ['mutation: 70%', 'mutation: 69.9%', 'mutation'],
      ['complexity: 10', 'complexity: 10.1', 'complexity'],
      ['complexity: 10', 'complexity: 10, quality.specs: fail', 'specs'],
    ] as const
  ).map(
    ([good, bad, reason]) =>
      ['verify.passed', QUALITY.replace(good, bad), `quality thresholds failed: ${reason}`] as const,
  ),
  [
    'verify.passed',
    'quality.specs: pass',
    'quality thresholds failed: tests, lint, audit, coverage, mutation, complexity',
  ],
  ['verify.passed', 'it works', 'missing quality report'],
];

const claimAll = (claims: typeof CLAIMS) =>
  [
    'cat >> "$RALPH_EVENTS_FILE" <<END',
    ...claims.map(([topic, payload]) => JSON.stringify({ topic, payload, ts: '2026-01-01T00:00:00+00:00' })),
    'END',
    '',
  ].join('\n');

const REASONS =
  'grep --no-index -h -o "type":"backpressure_triggered".* -- .ralph/diagnostics/*/orchestration.jsonl';

/** The agent is only told that it was refused. Why is in Ralph's record of its decisions. */
export const refusalReasons = scenario({
  ...MECHANICS,
  id: 'refusal-reasons',
  description: 'The record of decisions says of each refused claim exactly what was not good enough',
  covers: ['FR11'],
  expectedIterations: 1,
  beyondStandIn: 'reasons in the record of decisions',

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: { 'claim.sh': claimAll(CLAIMS) },
    prompt: 'Run `sh claim.sh` and declare the objective complete.',
    after: [{ git: REASONS.split(' ') }],
  }),

  expect: () => ({
    ends: completed(),
    reasons: errandAnswered(REASONS, {
      stdout: new RegExp(
        `^${CLAIMS.map(([, , reason]) => `"type":"backpressure_triggered","reason":"${escapePattern(reason)}"[^\\n]*\\n`).join('')}$`,
      ),
    }),
  }),

  agent: [
    onObjective('sh claim.sh').once().runs('sh claim.sh').completes(),
    onObjective('declare the objective complete').completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends'),
  },
});
