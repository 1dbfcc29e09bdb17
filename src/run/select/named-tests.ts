import { KnownError } from '../../domain/common/known-error.js';
import { findNearest } from '../../domain/common/nearest.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, type Lane, splitLabel, testNames } from '../../domain/vocabulary.js';
import type { Selected } from '../planned.js';
import { adviseOnIds } from './nearest-ids.js';

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

function nothingNamed(name: string, { catalogue, ...call }: Source): KnownError {
  const isMeant = (candidate: Selected) => candidate.scenario.id === name || isNamed(candidate, name);
  const known = catalogue.find((scenario) =>
    scenario.backends.some((backend) => isMeant({ scenario, backend })),
  );
  if (known !== undefined) {
    const { subject, sentence, hint } = describeElsewhere(known, { ...call, isMeant });
    return new KnownError(`--test ${name}: ${subject} ${sentence ?? 'does not run here'}.`, { hint });
  }
  const label = splitLabel(name);
  const elsewhere = catalogue.find((scenario) => scenario.id === label?.id);
  if (label !== null && elsewhere !== undefined) {
    const { id, backend: word } = label;
    const meant = findNearest(word, elsewhere.backends);
    return new KnownError(`--test ${name}: expected a backend that ${id} runs on, found "${word}".`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}It runs on ${elsewhere.backends.join(', ')}.`,
    });
  }
  const ids = catalogue.map((scenario) => scenario.id);
  return new KnownError(`--test ${name}: expected the full id of a scenario, but no scenario has this id.`, {
    hint: `${adviseOnIds([name], ids)} To match part of an id, use --filter.`,
  });
}

/**
 * Why the tests that a name or pattern means do not run on these backends in this lane, and what to do:
 * `hat-single [kiro]`, `runs on kiro only, not on claude`.
 */
export function describeElsewhere(
  scenario: Scenario,
  call: Pick<Source, 'backends' | 'lane'> & { readonly isMeant: (candidate: Selected) => boolean },
): { readonly subject: string; readonly sentence: string | null; readonly hint: string } {
  const { id, lanes } = scenario;
  const backends = scenario.backends.filter((backend) => call.isMeant({ scenario, backend }));
  const subject = backends.length === scenario.backends.length ? id : `${id} [${backends.join(', ')}]`;
  if (!lanes.includes(call.lane))
    return {
      subject,
      sentence: `runs in the ${lanes.join(' and ')} ${lanes.length === 1 ? 'lane' : 'lanes'} only, not in the ${call.lane} lane`,
      hint: `Choose a lane: --lane ${lanes[0]}.`,
    };
  if (backends.some((backend) => call.backends.includes(backend)))
    return { subject, sentence: null, hint: 'Choose another --suite.' };
  return {
    subject,
    sentence: `runs on ${backends.join(', ')} only, not on ${call.backends.join(', ')}`,
    hint: `Name its backend: \`ralph-e2e ${backends[0]} …\`.`,
  };
}
