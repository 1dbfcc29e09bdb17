import { KnownError } from '../../domain/common/known-error.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, type Lane, testNames } from '../../domain/vocabulary.js';
import { adviseOnIds } from './nearest-ids.js';
import type { Selected } from './selected.js';

/** What a run can choose its tests from. */
interface Source {
  readonly catalogue: readonly Scenario[];
  readonly backends: readonly BackendId[];
  readonly lane: Lane;
}

/**
 * Finds the tests that `--test` names: by a whole id, a scenario on every backend of the run; by id and backend, as
 * reports and folders write it, one test. A name that matches nothing is an error.
 */
export function findNamedTests(name: string, candidates: readonly Selected[], source: Source): Selected[] {
  const scenario = source.catalogue.find(({ id }) => id === name);
  // An id always means itself, even if it looks like another id with a backend.
  const found = candidates.filter((candidate) =>
    scenario === undefined ? isNamed(candidate, name) : candidate.scenario === scenario,
  );
  if (found.length === 0) throw nothingNamed(name, source);
  return found;
}

function isNamed({ scenario: { id }, backend }: Selected, name: string): boolean {
  return testNames(id, backend).includes(name);
}

function nothingNamed(name: string, { catalogue, backends, lane }: Source): KnownError {
  const known = catalogue.find(
    (scenario) =>
      scenario.id === name || scenario.backends.some((backend) => isNamed({ scenario, backend }, name)),
  );
  if (known !== undefined) {
    return new KnownError(
      `--test ${name}: expected a test that runs on ${backends.join(', ')} in the ${lane} lane, found one that runs on ${describePlaces(known)}.`,
      {
        hint: known.lanes.includes(lane)
          ? `Name its backend: \`ralph-e2e ${known.backends[0]} --test ${known.id}\`.`
          : `Choose another lane with --lane.`,
      },
    );
  }
  const ids = catalogue.map(({ id }) => id);
  return new KnownError(`--test ${name}: expected the full id of a scenario, but no scenario has this id.`, {
    hint: `${adviseOnIds([name], ids)} To match part of an id, use --filter.`,
  });
}

/** Where a scenario runs: `claude, kiro in the scripted, sim lanes`. */
export function describePlaces({ backends, lanes }: Pick<Scenario, 'backends' | 'lanes'>): string {
  return `${backends.join(', ')} in the ${lanes.join(', ')} ${lanes.length === 1 ? 'lane' : 'lanes'}`;
}
