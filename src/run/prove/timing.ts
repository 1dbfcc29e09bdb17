import type { Step } from '../../domain/agent-script.js';
import type { BuiltInSaboteur } from '../../domain/scenario/saboteur.js';
import type { StandInFault } from '../../domain/scenario/stand-in-faults.js';
import { DEADLINE_SECONDS } from './built-in-agents.js';
import type { PlannedTrial } from './plan.js';

type Timed = Pick<PlannedTrial, 'builtIn' | 'fault' | 'scenario'>;

/** Faults after which a run ends only at its time limit. */
const ENDLESS: ReadonlySet<StandInFault> = new Set(['hang-after-completion', 'never-stop']);
/** Faults after which the stand-in waits for events that never come. */
const EVENTLESS: ReadonlySet<StandInFault> = new Set(['lose-events', 'corrupt-events']);

/**
 * Returns the time limit of a sabotaged run, based on how long the good run took. A run that never ends is cut off soon.
 * Any other gets enough time that it fails because of its saboteur, not because the machine is busy.
 */
export function limitOf({ builtIn, fault }: Timed, oracleSeconds: number): number {
  if (builtIn === 'after-the-deadline') return DEADLINE_SECONDS;
  if (fault !== null && ENDLESS.has(fault)) return Math.max(4, 5 * oracleSeconds);
  return Math.max(20, 10 + 4 * oracleSeconds);
}

/** Returns the time limit of an honest variant: it does more than the good run did, and must not fail for that. */
export function variantLimitOf(oracleSeconds: number): number {
  return Math.max(30, 10 + 6 * oracleSeconds);
}

/**
 * Agents that publish nothing: the stand-in need not wait for late events.
 */
const MUTE: ReadonlySet<BuiltInSaboteur> = new Set([
  'does-nothing',
  'parrot',
  'claims-success',
  'wrong-place',
  'leftovers',
]);

/** Whether the stand-in may shorten its waits in this run. */
export function shortensWaits({ builtIn }: Timed): boolean {
  return builtIn !== null && MUTE.has(builtIn);
}

/** Whether a run mostly waits, so that more runs can overlap. */
export function mostlyWaits(
  { builtIn, fault, scenario }: Timed,
  oracle: { readonly seconds: number; readonly processes: number },
): boolean {
  if (builtIn === 'after-the-deadline') return true;
  if (fault !== null && (ENDLESS.has(fault) || EVENTLESS.has(fault))) return true;
  const slow = oracle.seconds / Math.max(1, oracle.processes) > SLOW_PROCESS_SECONDS;
  return slow || scenario.agent.rules.some(({ respond }) => respond.steps.some(isWait));
}

const SLOW_PROCESS_SECONDS = 1.5;

function isWait(step: Step): boolean {
  return step.do === 'hang' || (step.do === 'wait' && step.milliseconds >= 500);
}
