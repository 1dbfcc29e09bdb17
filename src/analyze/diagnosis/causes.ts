import type { CheckResult } from '../../domain/check.js';
import { groupBy } from '../../domain/common/group-by.js';
import type { HeldPromise } from '../../domain/contract.js';
import type { Execution } from '../../domain/report/analysis.js';
import { causeKey, type FailureCause } from '../../domain/report/failure-cause.js';
import type { Diagnosed } from '../../domain/report/run-analysis.js';
import { testLabel } from '../../domain/vocabulary.js';
import { contrast } from './contrast.js';

const MOST_PROMISES = 5;

/** Groups failures by their cause, the one with the most tests first. */
export function listCauses(failed: readonly Diagnosed[], passed: readonly Execution[]): FailureCause[] {
  const groups = groupBy(failed, ({ diagnosis }) => causeKey(diagnosis));
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => describeCause(group, passed));
}

function describeCause(group: readonly Diagnosed[], passed: readonly Execution[]): FailureCause {
  const first = findBest(group);
  if (first === undefined) throw new Error('A cause has at least one failed test.');
  const ordered = [first, ...group.filter((one) => one !== first)];
  const promises = new Map(ordered.flatMap(promisesOf).map((held) => [held.promise, held]));
  const { root_cause_hypothesis: hypothesis, blames, rule } = first.diagnosis;
  return {
    hypothesis,
    blames,
    rule,
    areas: [...new Set(ordered.flatMap(({ diagnosis }) => diagnosis.areas))].slice(0, 3),
    promises: [...promises.values()].slice(0, MOST_PROMISES),
    tests: ordered.map(({ execution: { scenarioId, backend } }) => testLabel(scenarioId, backend)),
    contrast: contrast(
      group.map(({ execution }) => execution),
      passed,
    ),
  };
}

/**
 * Returns the test that shows a cause best. It names the promise that most tests name, and one of its own checks holds
 * Ralph to that; then, the fewer checks fail, the closer they are to the cause.
 */
function findBest(group: readonly Diagnosed[]): Diagnosed | undefined {
  const named = groupBy(group.flatMap(namesOf), (promise) => promise);
  const [[usual = ''] = []] = [...named].sort(([, a], [, b]) => b.length - a.length);
  const naming = prefer(group, (failure) => namesOf(failure).includes(usual));
  const holding = prefer(naming, (failure) =>
    brokenOf(failure).some(({ promises = [] }) => promises.some(({ promise }) => promise === usual)),
  );
  return holding.toSorted((a, b) => brokenOf(a).length - brokenOf(b).length).at(0);
}

/** Returns what a test selects, or everything if it selects nothing. */
function prefer<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly Item[] {
  const chosen = items.filter(test);
  return chosen.length > 0 ? chosen : items;
}

function namesOf(failure: Diagnosed): string[] {
  return [...new Set(promisesOf(failure).map(({ promise }) => promise))];
}

function promisesOf({ diagnosis }: Diagnosed): readonly HeldPromise[] {
  return diagnosis.promises;
}

function brokenOf({ execution: { attempts } }: Diagnosed): readonly CheckResult[] {
  return attempts.at(-1)?.checks.filter(({ passed }) => !passed) ?? [];
}
