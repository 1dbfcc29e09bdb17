import type { ComparedResult } from './comparable.js';
import { median } from './expectation.js';

/** Runs with up to this ratio between them count as equally loaded. */
const SIMILAR = 1.5;

/** Fewer tests than this say nothing about the machine. */
const ENOUGH = 3;

/**
 * Returns why the durations of two runs cannot be compared, or null. The measure is the time that ralph-e2e itself took
 * for each test (workspaces, git, snapshots): it depends on the machine and its load, and not on Ralph or the agent.
 */
export function whyTimesDiffer(pairs: readonly (readonly [ComparedResult, ComparedResult])[]): string | null {
  const ratios = pairs.flatMap(([{ harness_seconds: was }, { harness_seconds: is }]) =>
    was === null || is === null || was <= 0 || is <= 0 ? [] : [is / was],
  );
  if (ratios.length < ENOUGH) {
    return pairs.length < ENOUGH
      ? `durations are not compared: fewer than ${ENOUGH} tests passed in both runs`
      : 'durations are not compared: a report does not say how busy the machine was';
  }
  const ratio = median(ratios);
  if (ratio <= SIMILAR && ratio >= 1 / SIMILAR) return null;
  const [which, factor] = ratio > 1 ? ['later', ratio] : ['earlier', 1 / ratio];
  return `durations are not compared: the machine was busier in the ${which} run (ralph-e2e itself took ${factor.toFixed(1)} times as long)`;
}

/** Whether the machine was busier while the later of two tests ran. */
export function wasBusier(before: ComparedResult, after: ComparedResult): boolean {
  return (after.harness_seconds ?? 0) > (before.harness_seconds ?? 0) * SIMILAR;
}
