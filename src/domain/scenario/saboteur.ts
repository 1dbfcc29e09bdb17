import type { AgentScript, Rule } from '../agent-script.js';
import type { SaboteurSort } from '../proof/proof.js';
import type { FailureType } from '../report/analysis.js';
import type { Arrangement, ScenarioContext } from './arrangement.js';
import type { StandInFault } from './stand-in-faults.js';

/** What is broken: the agent's part, the arrangement (a RED baseline), or the target, where that is the stand-in. */
export type Sabotage<Plan = Arrangement> =
  | {
      /** Another script, or a change of the scenario's own. */
      readonly agent: ((script: AgentScript) => AgentScript) | readonly { readonly rule: Rule }[];
    }
  | { readonly config: (arrangement: Plan, context: ScenarioContext) => Plan }
  | { readonly target: StandInFault };

/** A named way to break a scenario, with the checks that must notice. */
export type Saboteur<Plan = Arrangement, Key extends string = string> = Sabotage<Plan> & {
  /** Checks of the scenario, by their names in `expect`; all of them must turn red. */
  readonly kills: readonly Key[];
  /** What a diagnosis that sees only the evidence should call it; by default as `failureOf` says. */
  readonly failure?: FailureType;
  /** Why it matters that this is noticed. */
  readonly why?: string;
};

/** Returns what a saboteur breaks. */
export function sortOf<Plan>(saboteur: Sabotage<Plan>): SaboteurSort {
  if ('agent' in saboteur) return 'agent';
  return 'config' in saboteur ? 'config' : 'target';
}

/** By what is broken: the failure that a diagnosis finds most often. */
const USUAL_FAILURE = {
  agent: 'PromptIneffective',
  config: 'PromptIneffective',
  target: 'AssertionMismatch',
} as const satisfies Readonly<Record<SaboteurSort, FailureType>>;

/** Returns what a diagnosis should call a saboteur: what its author says, or what is usual for what it breaks. */
export function failureOf<Plan>(saboteur: Saboteur<Plan>): FailureType {
  return saboteur.failure ?? USUAL_FAILURE[sortOf(saboteur)];
}

/** The saboteurs that every scenario is tried with, by what they do. */
export const BUILT_IN_SABOTEURS = {
  'does-nothing': 'the agent answers every prompt with nothing',
  parrot: 'the agent says its prompt',
  'claims-success': 'the agent says that all is done and completes, and does nothing',
  'acts-silently': 'the agent does its work, and neither says nor emits nor completes anything',
  'wrong-place':
    'the agent says what it should write, writes what it should say, and mentions what it should emit',
  'after-the-deadline': 'the agent does everything right when its time is over',
  leftovers: 'the agent does nothing in a workspace that holds all that an earlier good run left',
} as const satisfies Readonly<Record<string, string>>;
export type BuiltInSaboteur = keyof typeof BUILT_IN_SABOTEURS;
