import { KnownError } from '../../domain/common/known-error.js';
import { rankNearest, suggestNearest } from '../../domain/common/nearest.js';
import { type BackendId, isNamed, type Lane, splitLabel } from '../../domain/vocabulary.js';
import type { Listed, Selected } from '../planned.js';

/** What a run can choose its tests from. */
interface Source {
  readonly catalogue: readonly Listed[];
  readonly backends: readonly BackendId[];
  readonly lane: Lane;
}

/**
 * Finds the tests that `--test` names: by a whole id, a scenario on every backend of the run; by id and backend, as
 * reports and folders write it, one test. A name that matches nothing is an error.
 */
export function findNamedTests<Any extends Listed>(
  name: string,
  candidates: readonly Selected<Any>[],
  source: Source,
): Selected<Any>[] {
  const scenario = source.catalogue.find(({ id }) => id === name);
  // An id always means itself, even if it looks like another id with a backend.
  const found = candidates.filter((candidate) =>
    scenario === undefined
      ? isNamed(name, candidate.scenario.id, candidate.backend)
      : candidate.scenario === scenario,
  );
  if (found.length === 0) throw nothingNamed(name, source);
  return found;
}

function nothingNamed(name: string, { catalogue, ...call }: Source): KnownError {
  const isMeant = ({ scenario, backend }: Selected<Listed>) => isNamed(name, scenario.id, backend);
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
    return new KnownError(`--test ${name}: expected a backend that ${id} runs on, found "${word}".`, {
      hint: `${suggestNearest(word, elsewhere.backends)}It runs on ${elsewhere.backends.join(', ')}.`,
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
  scenario: Listed,
  call: Pick<Source, 'backends' | 'lane'> & { readonly isMeant: (candidate: Selected<Listed>) => boolean },
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

const SUGGESTED = 3;

/** Finds the ids that a misspelled id or part of an id most likely means, the nearest first. */
function nearestIds(asked: string, ids: readonly string[]): string[] {
  const text = asked.toLowerCase().replace(/[^\w-]/g, '');
  if (text === '') return [];
  const words = rankNearest(text, [...new Set(ids.flatMap((id) => id.split('-')))]);
  const near = [
    ...rankNearest(text, ids),
    ...ids.filter((id) => id.includes(text)),
    ...words.flatMap((word) => ids.filter((id) => id.split('-').includes(word))),
  ];
  return [...new Set(near)].slice(0, SUGGESTED);
}

/** Ranks the ids that share pairs of letters with a text, the most alike first. */
function rankAlike(text: string, ids: readonly string[]): string[] {
  const wanted = pairsOf(text);
  const rate = (id: string) => {
    const pairs = pairsOf(id);
    const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
    return (2 * shared) / (pairs.size + wanted.size);
  };
  return ids
    .map((id) => ({ id, rating: rate(id) }))
    .filter(({ rating }) => rating > 0)
    .sort((a, b) => b.rating - a.rating)
    .map(({ id }) => id);
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Says where to find the right id: the nearest ones, and the command that lists all. */
export function adviseOnIds(asked: readonly string[], ids: readonly string[]): string {
  const close = asked.flatMap((text) => nearestIds(text, ids));
  const alike = asked.flatMap((text) => rankAlike(text.toLowerCase(), ids));
  const near = [...new Set([...close, ...alike])].slice(0, SUGGESTED);
  const nearest = near.length === 0 ? '' : `Nearest: ${near.join(', ')}. `;
  return `${nearest}\`ralph-e2e --list --lane sim --suite all\` lists the ids.`;
}
