import { appendFileSync } from 'node:fs';
import {
  FAULT_LOG_VARIABLE,
  FAULT_VARIABLE,
  findUnknownFault,
  readFaultNames,
  STAND_IN_FAULTS,
  type StandInFault,
} from '../domain/scenario/stand-in-faults.js';
import { CommandError } from './failure.js';

/** Whether a fault is switched on. Called at the one place where it takes effect. */
export function faulty(fault: StandInFault): boolean {
  if (!namedFaults().includes(fault)) return false;
  const log = process.env[FAULT_LOG_VARIABLE] ?? '';
  if (log !== '') appendFileSync(log, `${fault}\n`);
  return true;
}

/** Rejects an unknown fault. */
export function checkFaults(): void {
  const unknown = findUnknownFault(namedFaults());
  if (unknown === undefined) return;
  throw new CommandError(
    `Unknown fault '${unknown}' in ${FAULT_VARIABLE}. Expected one or more of: ${Object.keys(STAND_IN_FAULTS).join(', ')}. \`ralph --faults\` explains them.`,
  );
}

/** Renders all faults, one line each. */
export function renderFaults(): string {
  return Object.entries(STAND_IN_FAULTS)
    .map(([name, effect]) => `${name}: ${effect}\n`)
    .join('');
}

function namedFaults(): readonly string[] {
  return readFaultNames(process.env[FAULT_VARIABLE]);
}
