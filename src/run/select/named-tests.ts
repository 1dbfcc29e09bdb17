import { KnownError } from '../../domain/common/known-error.js';
import { rankNearest } from '../../domain/common/nearest.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, type Lane, testNames } from '../../domain/vocabulary.js';
import type { Selected } from './selected.js';

/** Where the tests of a run come from. */
interface Source {
  readonly catalogue: readonly Scenario[];
  readonly backends: readonly BackendId[];
  readonly lane: Lane;
}

/**
 * The tests that `--test` means by a name: a scenario by its whole id, on every backend of the run, or one test by the
 * id and its backend, as reports and folders name it. A name that means nothing is a mistake.
 */
export function findNamedTests(name: string, candidates: readonly Selected[], source: Source): Selected[] {
  const scenario = source.catalogue.find(({ id }) => id === name);
  // An id always means itself, even where it looks like another id with a backend.
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
      `--test ${name}: expected a test of this run (on ${backends.join(', ')}, in the ${lane} lane), found one that runs on ${known.backends.join(', ')} in the ${listLanes(known.lanes)}.`,
      {
        hint: known.lanes.includes(lane)
          ? `Name its backend: \`ralph-e2e ${known.backends[0]} --test ${known.id}\`.`
          : `Choose another lane with --lane.`,
      },
    );
  }
  return new KnownError(`--test ${name}: expected the whole id of a scenario, found no such id.`, {
    hint: `${suggest(name, catalogue)}\`ralph-e2e --list\` shows all ids; --filter takes a part of one.`,
  });
}

function listLanes(lanes: readonly Lane[]): string {
  return `${lanes.join(', ')} ${lanes.length === 1 ? 'lane' : 'lanes'}`;
}

const SUGGESTED = 3;

/** What was probably meant: ids that are spelled alike, or else those that have the name in them. */
function suggest(name: string, catalogue: readonly Scenario[]): string {
  const ids = catalogue.map(({ id }) => id);
  const alike = rankNearest(name, ids);
  const having = name === '' ? [] : ids.filter((id) => id.includes(name.toLowerCase()));
  const near = [...new Set([...alike, ...having])].slice(0, SUGGESTED);
  return near.length === 0 ? '' : `Nearest: ${near.join(', ')}. `;
}
