import { parse } from 'yaml';
import * as z from 'zod';
import type { CheckResult } from '../../domain/check.js';
import { groupBy } from '../../domain/common/group-by.js';
import type { HeldPromise } from '../../domain/contract.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Execution } from '../../domain/report/analysis.js';
import { causeKey, type FailureCause } from '../../domain/report/failure-cause.js';
import type { Diagnosed } from '../../domain/report/run-analysis.js';
import { testLabel } from '../../domain/vocabulary.js';

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
  // One error in tests of several areas is in what they have in common, and no promise of one of them says what that is.
  const isOfOneArea = new Set(ordered.map(({ diagnosis }) => diagnosis.areas[0])).size === 1;
  const held = isOfOneArea ? ordered.flatMap(promisesOf) : [];
  const promises = new Map(held.map((one) => [one.promise, one]));
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

/** A difference between fewer tests may be chance. */
const FEWEST = 3;
const MOST_LINES = 3;

/** Returns what all failed tests have and no passed test, with the numbers. */
function contrast(failed: readonly Execution[], passed: readonly Execution[]): string[] {
  const red = failed.filter(hasEvidence);
  const green = passed.filter(hasEvidence);
  if (red.length < FEWEST || green.length < FEWEST) return [];
  return traitsApart(red, green)
    .slice(0, MOST_LINES)
    .map((trait) => `${trait}: ${red.length} failed, 0 passed; otherwise: 0 failed, ${green.length} passed`);
}

/**
 * What every red one has and no green one. Looks only as far as something is left, and at both in turn, because either
 * may leave nothing: parsing 10,000 configurations takes seconds.
 */
function traitsApart([first, ...others]: readonly Execution[], green: readonly Execution[]): string[] {
  if (first === undefined) return [];
  let left = [...traitsOfLast(first)];
  for (let at = 0; at < Math.max(others.length, green.length); at += 1) {
    if (left.length === 0) return [];
    const [red, passed] = [others[at], green[at]].map((test) => test && traitsOfLast(test));
    left = left.filter((trait) => red?.has(trait) !== false && passed?.has(trait) !== true);
  }
  return left;
}

function hasEvidence({ attempts }: Execution): boolean {
  return Boolean(attempts.at(-1)?.evidence);
}

function traitsOfLast({ attempts, backend }: Execution): ReadonlySet<string> {
  const evidence = attempts.at(-1)?.evidence;
  return new Set([`runs on ${backend}`, ...(evidence ? traitsOf(evidence) : [])]);
}

/** What a test uses of Ralph and of its backend, as short phrases. */
function traitsOf(evidence: Evidence): string[] {
  const { command, configYaml, iterations, events, memories, tasks } = evidence;
  const emitted = events.filter(({ source }) => source === 'agent');
  return [
    ...command.filter((word) => /^-{1,2}[a-zA-Z]/.test(word)).map((flag) => `is called with ${flag}`),
    ...settingsIn(configYaml).map((setting) => `sets ${setting}`),
    ...(iterations.length > 1 ? ['has several iterations'] : []),
    ...(iterations.some(({ texts = 1 }) => texts > 1) ? ['has an answer of several text blocks'] : []),
    ...(emitted.length > 0 ? ['has events from an agent'] : []),
    ...(memories.length > 0 ? ['has memories'] : []),
    ...(tasks.length > 0 ? ['has tasks'] : []),
  ];
}

const mapping = z.record(z.string(), z.unknown());

/** The settings in a configuration, as paths. The names of hats and the like do not count: `hats.*.triggers`. */
function settingsIn(yaml: string): string[] {
  let parsed: unknown;
  try {
    parsed = parse(yaml);
  } catch {
    // Some scenarios hand over a file that is no YAML on purpose: it has no settings.
    return [];
  }
  return listPaths(parsed, []);
}

const NAMED: ReadonlySet<string> = new Set(['hats', 'adapters', 'events']);

function listPaths(value: unknown, path: readonly string[]): string[] {
  const node = mapping.safeParse(value);
  if (!node.success || path.length === 3) return path.length === 0 ? [] : [path.join('.')];
  const isNamed = path.length === 1 && NAMED.has(path[0] ?? '');
  const below = Object.entries(node.data).flatMap(([key, child]) =>
    listPaths(child, [...path, isNamed ? '*' : key]),
  );
  return [...new Set(below)];
}
