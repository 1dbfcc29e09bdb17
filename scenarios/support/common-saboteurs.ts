import { type Arrangement, type CommonCheck, onObjective, type Saboteur } from '../../src/authoring.js';

/**
 * What proves the checks that every scenario is held to: one scenario shows it for all. The scenario needs a loop that
 * completes.
 */
export const commonSaboteurs = {
  'every iteration leaves a process behind': {
    target: 'leak-backend',
    kills: ['nothingLeftBehind'],
    failure: 'AssertionMismatch',
  },
  'ralph does its work and never ends': {
    target: 'hang-after-completion',
    kills: ['endedByItself'],
    failure: 'TimeoutExceeded',
  },
  'no rule of the agent fits the prompt': {
    agent: [onObjective(/an objective that nobody sets/).completes()],
    kills: ['scriptAnswered'],
    failure: 'PromptIneffective',
  },
} as const satisfies Readonly<Record<string, Saboteur<Arrangement, CommonCheck>>>;
