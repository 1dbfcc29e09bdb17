import picomatch from 'picomatch';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, executionKey, type Lane, testNames, tierTitle } from '../../domain/vocabulary.js';
import { findNamedTests } from './named-tests.js';
import type { Selected } from './selected.js';

export interface Selection {
  readonly backends: readonly BackendId[];
  readonly filters: readonly string[];
  /** Tests by their exact names, taken besides what the filters match. */
  readonly tests?: readonly string[] | undefined;
  readonly lane: Lane;
  /** When given, only these (`id` and backend joined by `on`) are taken. */
  readonly only?: ReadonlySet<string>;
}

/** Chooses what to run. A filter that nothing matches is a mistake: it must not read as an empty success. */
export function selectScenarios(catalogue: readonly Scenario[], selection: Selection): Selected[] {
  refuseTwins(catalogue);
  const { backends, filters, tests = [], lane, only } = selection;
  const patterns = filters.map(compileFilter);
  const onBackends = catalogue
    .filter((scenario) => scenario.lanes.includes(lane))
    .flatMap((scenario) =>
      scenario.backends
        .filter((backend) => backends.includes(backend))
        .map((backend): Selected => ({ scenario, backend })),
    );
  const named = new Set(
    tests.flatMap((name) => findNamedTests(name, onBackends, { catalogue, ...selection })),
  );
  const all = filters.length === 0 && tests.length === 0;
  const selected = onBackends.filter(
    (candidate) =>
      (all || named.has(candidate) || patterns.some((matches) => matches(candidate))) &&
      (only === undefined || only.has(executionKey(candidate.scenario.id, candidate.backend))),
  );
  if (selected.length === 0) throw nothingSelected(catalogue, selection);
  return selected;
}

/** A backend that was named and that nothing selected runs on would not be tested, and nobody would notice. */
export function refuseIdleBackends(
  catalogue: readonly Scenario[],
  selection: Selection & { readonly named: readonly BackendId[] },
): void {
  const selected = selectScenarios(catalogue, selection);
  const idle = selection.named.filter((id) => !selected.some(({ backend }) => backend === id));
  if (idle.length === 0) return;
  throw new KnownError(
    `No scenario${describeWanted(selection)} on ${idle.join(', ')} in the ${selection.lane} lane, but ${idle.length === 1 ? 'it was' : 'they were'} named.`,
    { hint: `Leave ${idle.join(' and ')} out, or select other scenarios: \`ralph-e2e --list\` shows them.` },
  );
}

/** Results and workspaces go by the id: two scenarios with one id would overwrite each other. */
function refuseTwins(catalogue: readonly Scenario[]): void {
  const seen = new Set<string>();
  for (const { id } of catalogue) {
    if (seen.has(id))
      throw new KnownError(`Two scenarios have the id "${id}": expected a different id for each.`);
    seen.add(id);
  }
}

/** `/regex/` over id and description, a glob over the id, else a part of the id or of the tier's title. */
function compileFilter(pattern: string): (candidate: Selected) => boolean {
  if (pattern.trim() === '') {
    // As a part of ids and titles it would fit them all.
    throw new KnownError(`A filter is "${pattern}": expected a pattern, found an empty one.`, {
      hint: 'Leave the filter out to take every scenario.',
    });
  }
  const regex = /^\/(.+)\/([a-z]*)$/.exec(pattern);
  if (regex !== null) {
    const test = compileRegex(pattern, regex[1] ?? '', regex[2] ?? '');
    return ({ scenario }) => test.test(scenario.id) || test.test(scenario.description);
  }
  if (/[*?[\]{}]/.test(pattern)) {
    const matches = picomatch(pattern, { nocase: true });
    return (candidate) => names(candidate).some((name) => name === pattern || matches(name));
  }
  const part = pattern.toLowerCase();
  return (candidate) =>
    [...names(candidate), tierTitle(candidate.scenario.tier)].some((text) =>
      text.toLowerCase().includes(part),
    );
}

/** Reports print the id, and with the backend where the id does not name it: both work as filters. */
function names({ scenario, backend }: Selected): string[] {
  const { id, tiedToBackend } = scenario;
  return tiedToBackend ? [id] : [id, ...testNames(id, backend)];
}

function compileRegex(pattern: string, source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ''));
  } catch (error) {
    throw new KnownError(
      `--filter ${pattern}: expected a regular expression between the slashes, found a mistake in it: ${messageOf(error)}`,
      { hint: 'Without the slashes the pattern is taken as a part of the id or the tier.' },
    );
  }
}

function nothingSelected(
  catalogue: readonly Scenario[],
  { filters, tests = [], backends, lane, only }: Selection,
): KnownError {
  const wanted = describeWanted({ filters, tests });
  if (only !== undefined) {
    return new KnownError(
      `--last-failed: none of the ${only.size} tests that failed or did not run${wanted || ' is in this catalogue'}.`,
      { hint: 'Run without --last-failed, or without the filter.' },
    );
  }
  const ids = catalogue.map(({ id }) => id);
  return new KnownError(`No scenario${wanted} on ${backends.join(', ')} in the ${lane} lane.`, {
    hint: `There are: ${ids.join(', ')}. \`ralph-e2e --list\` tells more about them.`,
  });
}

function describeWanted({ filters, tests = [] }: Pick<Selection, 'filters' | 'tests'>): string {
  const asked = [...filters, ...tests].map((word) => `"${word}"`);
  return asked.length === 0 ? '' : ` matches ${asked.join(' or ')}`;
}
