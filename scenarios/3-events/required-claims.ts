import {
  completed,
  fileEquals,
  iterationCount,
  loop,
  onObjective,
  pendingEvents,
  promptContained,
  RALPH_TOPICS,
  scenario,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';

const GOOD_BUILD =
  'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 7, duplication: pass';
const GOOD_REPORT =
  'quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 90%, quality.mutation: 80%, quality.complexity: 7';
const CLAIMS = ['build.done', 'verify.passed'];
const asked = onObjective(/Write (\w+) in uppercase/).once();

/** Declares completion in every iteration, right after its claims. */
export const requiredClaims = scenario({
  ...MECHANICS,
  id: 'claims-refused',
  phase: 'red',
  description:
    'A required event that a gate refuses does not count; one that passes counts in the same iteration',
  covers: ['FR6', 'FR10', 'FR11'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4, requiredEvents: CLAIMS }),
    prompt: `Write ${nonce} in uppercase to final.txt. Claim that it is built and verified.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(3),
    refused: pendingEvents(['build.blocked', RALPH_TOPICS.resume], { iteration: 2 }),
    told: promptContained('missing required events: ["build.done", "verify.passed"]', { iteration: 2 }),
    passed: pendingEvents(['build.done', 'verify.failed', RALPH_TOPICS.resume], { iteration: 3 }),
    toldRest: promptContained('missing required events: ["verify.passed"]', { iteration: 3 }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    asked.emits('build.done', 'it works').emits('LOOP_COMPLETE', 'done'),
    asked
      .emits('build.done', GOOD_BUILD)
      .emits('verify.passed', 'it works, too')
      .emits('LOOP_COMPLETE', 'done'),
    asked
      .writes('final.txt', '{{upper 1}}\n')
      .emits('verify.passed', GOOD_REPORT)
      .emits('LOOP_COMPLETE', 'done'),
    onObjective('Claim').says('Nothing more to claim.'),
  ],

  saboteurs: {
    'Ralph believes any build': {
      target: 'accept-any-build-done',
      kills: ['refused', 'told'],
      why: 'A claim without evidence would count as the required event.',
    },
    'Ralph requires nothing': {
      target: 'ignore-required-events',
      kills: ['iterations', 'refused', 'told', 'passed', 'toldRest', 'file'],
      failure: 'EventMissing',
    },
    'has no report to the end': {
      agent: emitting('verify.passed', { payload: 'it works' }),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
  notApplicable: {
    'by-hand': 'the scenario is about what Ralph makes of the events, not about the command',
    'acts-silently': 'the agent says nothing',
  },
});
