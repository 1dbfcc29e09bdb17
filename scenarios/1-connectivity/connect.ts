import {
  agentSaid,
  BACKEND_IDS,
  type BackendId,
  completed,
  loop,
  onObjective,
  promptContained,
  scenario,
} from '../../src/authoring.js';
import { askForSum } from '../support/first-work.js';
import { coverBackend } from '../support/requirements.js';
import { COMMON_SABOTEURS, IGNORES_COMPLETION, NEVER_COMPLETES } from '../support/saboteurs.js';

/** Sends a prompt and expects an answer that only a working agent can give. */
const connect = (backend: BackendId) =>
  scenario({
    id: `${backend}-connect`,
    backend,
    priority: 'must',
    description: 'A simple prompt reaches the agent, and its answer comes back',
    covers: [...coverBackend(backend), 'FR4'],
    gate: true,
    expectedIterations: 1,

    arrange: (context) => ({
      config: loop({ maxIterations: 3 }),
      prompt: askForSum(context),
    }),

    expect: ({ numbers: [a, b] }) => ({
      ends: completed(),
      told: promptContained(`Work out ${a} + ${b}.`, { iteration: 1 }),
      // The gate of the backend: a right sum in any form is contact.
      said: agentSaid(`${a + b}`),
    }),

    agent: [
      onObjective(/Work out (\d+) \+ (\d+)/)
        .says('ANSWER={{add 1 2}}')
        .completes(),
    ],

    saboteurs: {
      ...(backend === 'claude' ? COMMON_SABOTEURS : {}),
      'answers, but never declares completion': NEVER_COMPLETES,
      'ralph is given another sum': {
        config: (arrangement) => ({
          ...arrangement,
          prompt: arrangement.prompt.replace(/\d+ \+ \d+/, '17 + 4'),
        }),
        kills: ['told', 'said'],
        failure: 'PromptIneffective',
        why: 'The numbers must come from this prompt, not from an earlier run.',
      },
      'ralph does not notice the promise': IGNORES_COMPLETION,
      'ralph completes, but exits as if it had failed': {
        target: 'wrong-exit-code',
        kills: ['ends'],
        failure: 'UnexpectedTermination',
      },
    },
  });

export const firstContacts = BACKEND_IDS.map(connect);
