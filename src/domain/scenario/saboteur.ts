import type { AgentScript, Rule } from '../agent-script.js';
import type { SaboteurSort } from '../proof/proof.js';
import type { FailureType } from '../report/analysis.js';
import type { Arrangement, ScenarioContext } from './arrangement.js';
import type { StandInFault } from './stand-in-faults.js';

/** What a saboteur breaks: the agent script, the arrangement (a RED baseline), or the target, if it is the stand-in. */
export type Sabotage<Plan = Arrangement> =
  | {
      /** A change of the scenario's agent script, such as `without('says')`, or the rules of another script. */
      readonly agent: ((script: AgentScript) => AgentScript) | readonly { readonly rule: Rule }[];
    }
  | {
      /** Changes what `arrange` returned. */
      readonly config: (arrangement: Plan, context: ScenarioContext) => Plan;
    }
  | {
      /** The fault of the stand-in for Ralph. */
      readonly target: StandInFault;
    };

/** A way to break a scenario, with the checks that must fail. */
export type Saboteur<Plan = Arrangement, Key extends string = string> = Sabotage<Plan> & {
  /** The checks that must fail, by their names in `expect`. */
  readonly kills: readonly Key[];
  /** The failure type that a diagnosis should find. By default `PromptIneffective` for an agent, else `AssertionMismatch`. */
  readonly failure?: FailureType;
  /** Why it matters that a check notices. */
  readonly why?: string;
};

/** Returns what a saboteur breaks. */
export function sortOf<Plan>(saboteur: Sabotage<Plan>): SaboteurSort {
  if ('agent' in saboteur) return 'agent';
  return 'config' in saboteur ? 'config' : 'target';
}

/** The failure type that a diagnosis finds most often, by what is broken. */
const USUAL_FAILURE = {
  agent: 'PromptIneffective',
  config: 'AssertionMismatch',
  target: 'AssertionMismatch',
} as const satisfies Readonly<Record<SaboteurSort, FailureType>>;

/** Returns the failure type that a diagnosis should find: the author's, or the usual one for what is broken. */
export function failureOf<Plan>(saboteur: Saboteur<Plan>): FailureType {
  return saboteur.failure ?? USUAL_FAILURE[sortOf(saboteur)];
}

/** The saboteurs that `prove` tries on every scenario, and what they do. */
export const BUILT_IN_SABOTEURS = {
  'does-nothing': 'the agent answers every prompt with nothing',
  parrot: 'the agent repeats its prompt',
  'claims-success': 'the agent claims success and completes, but does nothing',
  'acts-silently': 'the agent does its work, but says, emits and completes nothing',
  'wrong-place':
    'the agent says what it should write, writes what it should say, and mentions what it should emit',
  'after-the-deadline': 'the agent does everything right, but only after its deadline',
  leftovers: 'the agent does nothing in a workspace with what a good run left',
  'silent-ralph': 'a program that does and prints nothing takes the place of Ralph',
} as const satisfies Readonly<Record<string, string>>;
/** Agents that cheat, and how. `prove` tries each on the scenarios in which it changes something. */
export const CHEATS = {
  'by-hand': 'the agent does by hand what a command of Ralph should do, and never runs the command',
  'forged-output':
    'the agent writes the file that a command of Ralph should print, and never runs the command',
  'all-at-once': 'the agent takes the steps of several iterations in one',
} as const satisfies Readonly<Record<string, string>>;
/** The name of a cheat. */
export type Cheat = keyof typeof CHEATS;
/** The name of a built-in saboteur. */
export type BuiltInSaboteur = keyof typeof BUILT_IN_SABOTEURS;
