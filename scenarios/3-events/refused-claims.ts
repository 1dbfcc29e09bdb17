import {
  completed,
  iterationsAtLeast,
  loop,
  onEvent,
  onObjective,
  onPrompt,
  pendingEvents,
  promptContained,
  scenario,
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { configuring } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { ignoresCompletion } from '../support/saboteurs.js';
import { buildEvidence } from '../support/texts.js';

const EVIDENCE = buildEvidence(7);
const MISSING = 'missing required events: ["build.done"]';

/** Claims a build without evidence, and then completion: neither counts. */
const refusedClaim = scenario({
  id: 'required-event-refused',
  ...MECHANICS,
  tier: 3,
  priority: 'should',
  phase: 'green',
  description: 'A required event that a gate refuses does not count as seen',
  covers: ['FR6', 'FR10', 'FR11'],
  expectedIterations: 4,

  arrange: () => ({
    config: loop({ maxIterations: 6, requiredEvents: ['build.done'] }),
    prompt: 'Claim the build. Prove it only when a required event is missing.',
  }),

  expect: () => ({
    ends: completed(),
    iterations: iterationsAtLeast(4),
    blocked: pendingEvents(['build.blocked']),
    missing: promptContained(MISSING),
  }),

  agent: [
    onEvent('build.done').completes(),
    onEvent('build.blocked').completes(),
    onPrompt(MISSING).emits('build.done', EVIDENCE),
    onObjective('Claim the build').emits('build.done', 'it works'),
  ],

  saboteurs: {
    'nothing is required': {
      config: configuring('event_loop', { required_events: [] }),
      kills: ['iterations', 'missing'],
      failure: 'AssertionMismatch',
    },
    'ralph believes any claim': {
      target: 'accept-any-build-done',
      kills: ['iterations', 'blocked', 'missing'],
    },
    'proves it at once': {
      agent: emitting('build.done', { payload: EVIDENCE }),
      kills: ['iterations', 'blocked', 'missing'],
    },
    'Ralph does not see the promise': ignoresCompletion('ends'),
    'never claims it': {
      agent: withoutEmitting('build.done'),
      kills: ['ends', 'blocked'],
      failure: 'EventMissing',
    },
  },
});

export const refusedClaims = [refusedClaim];
