import { createHash } from 'node:crypto';
import type { Planned, Target } from '../domain/attempt.js';
import { nameChecks } from '../domain/check.js';
import { isKnownFor } from '../domain/scenario/known-issue.js';
import { sampleContext } from '../domain/scenario/sample-context.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { type BackendId, executionKey, LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { packageRoot } from '../exec/files/package-root.js';
import { timeLimitOf } from '../lane/time-limit.js';
import { tryScenario } from './attempt/scenario-code.js';

/** A scenario as the index of the catalogue has it: its data, and what only its code can answer (select/listed.ts). */
export interface ListedScenario extends Pick<Scenario, ListedField> {
  /** The agent calls of a good run. */
  readonly calls: number;
  /** The backends on which a test of it says at once whether Ralph works. */
  readonly plainOn: readonly BackendId[];
}
type ListedField =
  | ('id' | 'kind' | 'tier' | 'placed' | 'priority' | 'phase' | 'description' | 'covers')
  | ('backends' | 'lanes' | 'tiedToBackend' | 'gate');

/** A scenario from which a call can choose: to run it, or to list it. */
export type Listed = Scenario | ListedScenario;

/** A test to run or to list: a scenario on a backend. */
export interface Selected<Any extends Listed = Scenario> {
  readonly scenario: Any;
  readonly backend: BackendId;
  /** The backend that takes part as the second one, if the scenario wants any other; known once readiness is. */
  readonly second?: BackendId;
}

/** Returns the key of a test to run, as its records will have it. */
export function keyOfJob({ scenario, backend }: Selected): string {
  return executionKey(scenario.id, backend);
}

/** Describes a planned test for the journal. */
export function describePlanned(
  { scenario, backend }: Selected,
  run: { readonly timeoutSeconds: number | null; readonly target: Target; readonly lane: Lane },
): Planned {
  const { id, kind, tier, placed, priority, phase, description, covers, expectedIterations, knownIssue } =
    scenario;
  const known =
    knownIssue !== null && isKnownFor(knownIssue, { version: run.target.version, lane: run.lane });
  return {
    scenarioId: id,
    backend,
    kind,
    tier,
    placed,
    priority,
    phase,
    description,
    covers: [...covers],
    areas: areasOf(scenario),
    expectedIterations,
    knownIssue: known ? knownIssue : null,
    pressure: [...scenario.pressure],
    timeoutSeconds: run.timeoutSeconds ?? timeLimitOf(scenario, backend, run.lane),
    ...hashScenario(scenario, backend, run.lane),
  };
}

/** Returns the areas of the promises that a scenario is about, the most frequent first. */
function areasOf({ promises }: Selected['scenario']): string[] {
  const areas = Object.values(promises)
    .flat()
    .map(({ area }) => area);
  const count = (area: string) => areas.filter((name) => name === area).length;
  return [...new Set(areas)].sort((a, b) => count(b) - count(a));
}

/**
 * Computes a hash that changes if a scenario arranges, checks or plays something else. Random values are the same for
 * each hash, and so is the folder of ralph-e2e, in which its plugins are. A scenario that throws has no hash: its attempt
 * shows the error.
 */
export function hashScenario(
  scenario: Scenario,
  backend: BackendId,
  lane: Lane,
  root = packageRoot(),
): Pick<Planned, 'hash'> {
  const context = sampleContext(backend, lane);
  const told = tryScenario(
    () =>
      JSON.stringify({
        arranged: scenario.arrange(context),
        expected: nameChecks(scenario.expect(context)).map(({ key, kind, name }) => ({ key, kind, name })),
        agent: LANE_TRAITS[lane].hasScript ? scenario.agent : null,
      }),
    null,
  );
  if (told === null) return {};
  const placeless = told.replaceAll(JSON.stringify(root).slice(1, -1), '<ralph-e2e>');
  return { hash: createHash('sha256').update(placeless).digest('hex').slice(0, 16) };
}
