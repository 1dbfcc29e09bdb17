import type { Check } from '../../../domain/check.js';
import { countNoun, list } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { isSummary } from '../../../domain/evidence/ralph-words.js';

/** How a loop tells people and programs that it ended. */
interface WantedReport {
  /** What Ralph prints after `Loop terminated:`. */
  readonly label: string;
  /** What the `loop.terminate` record says under `Status`. */
  readonly status: string;
  /** The exit code in the record. */
  readonly exitCode: number;
  /** Whether Ralph prints how to resume the loop. */
  readonly resumable: boolean;
}

/**
 * Checks that Ralph prints why the loop ended, and records the same end: status, exit code and number of iterations.
 */
export function endReported({ label, status, exitCode, resumable }: WantedReport): Check {
  return {
    kind: 'endReported',
    judges: 'course',
    name: `Ralph reports the end as "${label}"`,
    about: { texts: [label, status] },
    category: 'TerminationReason',
    judge: (evidence) => {
      const { termination, iterations } = evidence;
      const printed = printedEnd(evidence);
      const last = iterations.at(-1)?.number ?? printed?.iterations;
      return {
        passed:
          printed?.label === label &&
          printed.resumable === resumable &&
          termination?.status === status &&
          termination.exitCode === exitCode &&
          termination.iterations === printed.iterations &&
          printed.iterations === last,
        expected: `"${label}"${resumable ? ' and how to resume' : ''} on stdout; "${status}" and exit code ${exitCode} in the record; ${countNoun(last ?? 0, 'iteration')} in both`,
        actual: [
          printed === null
            ? 'nothing on stdout'
            : `"${printed.label}" after ${countNoun(printed.iterations, 'iteration')}${printed.resumable ? ' and how to resume' : ''} on stdout`,
          termination === null
            ? 'no record'
            : `"${termination.status}", exit code ${termination.exitCode} and ${countNoun(termination.iterations ?? 0, 'iteration')} in the record`,
        ].join('; '),
      };
    },
  };
}

/** Reads the box that Ralph prints at the end, and the line below it. */
function printedEnd({ stdout }: Evidence): {
  readonly label: string;
  readonly iterations: number;
  readonly resumable: boolean;
} | null {
  const box = [
    ...stdout.text.matchAll(/Loop terminated: (.{1,100})\n[^\n]{0,100}\n[^\n]{0,100}Iterations: +(\d+)/g),
  ].at(-1);
  if (box === undefined) return null;
  const resumable = /^ *Resume: ralph run --continue --loop-id \S/m.test(stdout.text.slice(box.index));
  return { label: box[1] ?? '', iterations: Number(box[2]), resumable };
}

/**
 * Checks how long Ralph waited before an iteration: at least, or less than, this many seconds after the one before
 * ended. Its records show when each ended and how long it took. A Ralph that does not record it (before 2.10.0) prints
 * whole seconds: then the times of the agent's calls give the longest and the shortest pause that is possible.
 */
export function pausedBefore(
  iteration: number,
  wanted: { readonly atLeast: number } | { readonly below: number },
): Check {
  const [limit, words] =
    'atLeast' in wanted
      ? [wanted.atLeast, `at least ${wanted.atLeast} s`]
      : [wanted.below, `less than ${wanted.below} s`];
  return onUncut('events', {
    kind: 'pausedBefore',
    name: `Ralph waits ${words} before iteration ${iteration}`,
    about: { iteration, limit },
    category: 'IterationCount',
    judge: (evidence) => {
      const pause = recordedPause(evidence, iteration) ?? possiblePause(evidence, iteration);
      return {
        passed: pause !== null && ('atLeast' in wanted ? pause.longest >= limit : pause.shortest < limit),
        expected: words,
        actual:
          pause === null
            ? `no such pause; iterations: ${list(evidence.iterations.map(({ number }) => `${number}`))}`
            : [...new Set([pause.shortest, pause.longest].map((seconds) => `${seconds.toFixed(2)} s`))].join(
                ' to ',
              ),
      };
    },
  });
}

/** A pause, in seconds, as exactly as it is known. */
interface Pause {
  readonly shortest: number;
  readonly longest: number;
}

function recordedPause(evidence: Evidence, number: number): Pause | null {
  const took = durationOf(evidence, number);
  const [before, end] = [endOf(evidence, number - 1), endOf(evidence, number)];
  if (took === null || before === undefined || end === undefined) return null;
  const pause = end - took - before;
  return { shortest: pause, longest: pause };
}

/** The pause by the times at which the agent was called, if Ralph records no end of any iteration. */
function possiblePause(evidence: Evidence, number: number): Pause | null {
  const { invocations, iterations, events } = evidence;
  if (events.some(isSummary) || invocations.length !== iterations.length) return null;
  const calledAt = (wanted: number) => {
    const call = invocations[iterations.findIndex((iteration) => iteration.number === wanted)];
    return call === undefined ? undefined : Date.parse(call.at) / 1000;
  };
  const took = durationOf(evidence, number - 1);
  const [before, after] = [calledAt(number - 1), calledAt(number)];
  if (took === null || before === undefined || after === undefined) return null;
  // It took less than a second more than the whole seconds that Ralph prints.
  return { shortest: Math.max(0, after - before - took - 1), longest: after - before };
}

function durationOf({ iterations }: Evidence, number: number): number | null {
  return iterations.find((iteration) => iteration.number === number)?.durationSeconds ?? null;
}

/** When an iteration ended, in seconds. */
function endOf({ events }: Evidence, number: number): number | undefined {
  const record = events.find((event) => isSummary(event) && event.iteration === number);
  return record === undefined ? undefined : Date.parse(record.timestamp) / 1000;
}
