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
    const { sentence, hint } = describeElsewhere(known, { backends, lane });
    const why = sentence ?? `does not run on ${backends.join(', ')}`;
    return new KnownError(`--test ${name}: ${known.id} ${why}.`, {
      hint: hint ?? `Name its backend: \`ralph-e2e ${known.backends[0]} --test ${known.id}\`.`,
    });
  }
  const ids = catalogue.map(({ id }) => id);
  return new KnownError(`--test ${name}: expected the full id of a scenario, but no scenario has this id.`, {
    hint: `${adviseOnIds([name], ids)} To match part of an id, use --filter.`,
  });
}

/** Why a scenario does not run on these backends in this lane, and what to do: `runs on claude only, not on kiro`. */
export function describeElsewhere(
  { backends, lanes }: Pick<Scenario, 'backends' | 'lanes'>,
  call: Pick<Source, 'backends' | 'lane'>,
): { readonly sentence?: string; readonly hint?: string } {
  if (!lanes.includes(call.lane))
    return {
      sentence: `runs in the ${lanes.join(' and ')} ${lanes.length === 1 ? 'lane' : 'lanes'} only, not in the ${call.lane} lane`,
      hint: `Choose a lane: --lane ${lanes[0]}.`,
    };
  if (backends.some((backend) => call.backends.includes(backend))) return {};
  return {
    sentence: `runs on ${backends.join(', ')} only, not on ${call.backends.join(', ')}`,
    hint: `Name its backend: \`ralph-e2e ${backends[0]} …\`.`,
  };
}
