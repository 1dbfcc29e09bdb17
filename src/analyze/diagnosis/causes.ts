import { groupBy } from '../../domain/common/group-by.js';
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
  // The fewer checks fail, the closer they are to the cause.
  const [first] = group.toSorted((a, b) => countBroken(a.execution) - countBroken(b.execution));
  if (first === undefined) throw new Error('A cause has at least one failed test.');
  const ordered = [first, ...group.filter((one) => one !== first)];
  const promises = new Map(
    ordered.flatMap(({ diagnosis }) => diagnosis.promises.map((held) => [held.promise, held])),
  );
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

function countBroken({ attempts }: Execution): number {
  return attempts.at(-1)?.checks.filter(({ passed }) => !passed).length ?? 0;
}
