import {
  type Arrangement,
  type BuiltInSaboteur,
  type CommonCheck,
  onlyIn,
  onObjective,
  type Saboteur,
  without,
} from '../../src/authoring.js';
import { outOfCredits, replacing } from './agent-changes.js';
import { changingHats } from './arrangement-changes.js';

/*
 * Whole saboteurs that several scenarios share. The functions take the checks that they kill as their last arguments.
 * Saboteurs that break the agent or the target fit scenarios of every kind.
 */

type AgentSaboteur<Key extends string> = Extract<Saboteur<unknown, Key>, { agent: unknown }>;
type TargetSaboteur<Key extends string> = Extract<Saboteur<unknown, Key>, { target: unknown }>;

/** The agent does its work and never declares completion. */
export function neverCompletes<Key extends string>(...kills: readonly Key[]): AgentSaboteur<Key> {
  return { agent: without('completes'), kills, failure: 'UnexpectedTermination' };
}

/** The usual form of `neverCompletes`, with its reason (`why`). */
export const NEVER_COMPLETES: AgentSaboteur<'ends'> = {
  ...neverCompletes('ends'),
  why: 'Work that is obviously done is not complete until the agent declares it.',
};

/** Ralph does not notice that the work is done. */
export function ignoresCompletion<Key extends string>(...kills: readonly Key[]): TargetSaboteur<Key> {
  return { target: 'ignore-completion', kills, failure: 'UnexpectedTermination' };
}

/** The usual form of `ignoresCompletion`, with the reason: the RED baseline "no completion promise". */
export const IGNORES_COMPLETION: TargetSaboteur<'ends'> = {
  ...ignoresCompletion('ends'),
  why: 'A loop that misses its completion promise runs until a limit ends it.',
};

/** No limit ends Ralph's loop. */
export function neverStops<Key extends string>(...kills: readonly Key[]): TargetSaboteur<Key> {
  return { target: 'never-stop', kills, failure: 'UnexpectedTermination' };
}

/** The model's service fails in the rule with this name. */
export function modelGivesOut<Key extends string>(
  rule: string,
  ...kills: readonly Key[]
): AgentSaboteur<Key> {
  return { agent: onlyIn(rule, outOfCredits), kills, failure: 'BackendError' };
}

/** The agent repeats a word that it should say backwards. */
export const REPEATS_THE_WORD: AgentSaboteur<'says'> = {
  agent: replacing('{{reverse 1}}', '{{1}}'),
  kills: ['says'],
};

/** A hat has another id. Its work stays the same. */
export function wearsAnotherHat<Key extends string>(
  id: string,
  ...kills: readonly Key[]
): Saboteur<Arrangement, Key> {
  return {
    config: changingHats(([key, hat]) => [key === id ? 'other' : key, hat]),
    kills,
  };
}

/** The RED baseline "no hat instructions". */
export function lacksInstructions<Key extends string>(
  ...kills: readonly Key[]
): Saboteur<Arrangement, Key | 'told'> {
  return {
    config: changingHats(([id, hat]) => [id, { ...Object(hat), instructions: 'Do your work.' }]),
    kills: ['told', ...kills],
    failure: 'PromptIneffective',
    why: 'The hat must act on its instructions: without them it cannot do what they ask.',
  };
}

/** Saboteurs for the checks that every scenario has. One scenario whose loop completes proves these checks for all. */
export const COMMON_SABOTEURS = {
  'every iteration leaves a process behind': { target: 'leak-backend', kills: ['nothingLeftBehind'] },
  'Ralph does its work and never ends': {
    target: 'hang-after-completion',
    kills: ['endedByItself'],
    failure: 'TimeoutExceeded',
  },
  'no rule of the agent matches the prompt': {
    agent: [onObjective(/an objective that nobody sets/).completes()],
    kills: ['scriptAnswered'],
  },
} as const satisfies Readonly<Record<string, Saboteur<Arrangement, CommonCheck>>>;

/** Returns `notApplicable` for a scenario without an agent: it excludes each built-in saboteur of the agent. */
export function noBuiltIns(reason: string): Record<Exclude<BuiltInSaboteur, 'silent-ralph'>, string> {
  return {
    'does-nothing': reason,
    parrot: reason,
    'claims-success': reason,
    'acts-silently': reason,
    'wrong-place': reason,
    'after-the-deadline': reason,
    leftovers: reason,
  };
}

/** `notApplicable` for a scenario in which it does not matter how the agent publishes its events. */
export const EVENTS_BY_HAND = {
  'by-hand': 'the scenario is about what Ralph makes of the events, not about the command',
} as const;
