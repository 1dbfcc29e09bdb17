import picomatch from 'picomatch';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { RunCall } from '../../domain/run-call.js';
import type { SuiteChoice } from '../../domain/suites.js';
import { type BackendId, executionKey, groupTitle, testNames } from '../../domain/vocabulary.js';
import type { Listed, Selected } from '../planned.js';
import { adviseOnIds, describeElsewhere, findNamedTests } from './named-tests.js';
import { isAboutRalph, takeSuite } from './suites.js';

/** The part of a call that chooses tests. By default no exact tests, no excludes, and the suite `all`. */
export interface Selection
  extends Pick<RunCall, 'backends' | 'lane' | 'filters'>,
    Partial<Pick<RunCall, 'tests' | 'excludes' | 'suite'>> {
  /** If given, nothing but these execution keys is taken. */
  readonly only?: ReadonlySet<string>;
}

/** Chooses what to run. Each filter that matches nothing is an error: it must not look like an empty success. */
export function selectScenarios<Any extends Listed>(
  catalogue: readonly Any[],
  selection: Selection,
): Selected<Any>[] {
  refuseTwins(catalogue);
  const { filters, tests = [], excludes = [], suite = 'all', only } = selection;
  const onBackends = listCandidates(catalogue, selection);
  const inSuite = takeSuite(onBackends, suite);
  const named = new Set(
    tests.flatMap((name) => findNamedTests(name, onBackends, { catalogue, ...selection })),
  );
  const patterns = filters.map((pattern) => narrow(compileFilter('--filter', pattern), inSuite, suite));
  const idle = filters.filter((_, index) => !inSuite.some((one) => patterns[index]?.(one)));
  if (idle.length > 0) throw nothingSelected(catalogue, { ...selection, filters: idle });
  const excluded = excludes.map((pattern) => compileExclude(catalogue, pattern));
  const isKept = (candidate: Selected<Any>) => !excluded.some((matches) => matches(candidate));
  const all = filters.length === 0 && tests.length === 0;
  const isWanted = (candidate: Selected<Any>) =>
    all ? suite !== 'asked' || isAboutRalph(candidate) : patterns.some((matches) => matches(candidate));
  const taken = new Set(inSuite.filter(isWanted));
  const chosen = onBackends.filter((candidate) => taken.has(candidate) || named.has(candidate));
  const selected = chosen.filter(
    (candidate) =>
      isKept(candidate) &&
      (only === undefined || only.has(executionKey(candidate.scenario.id, candidate.backend))),
  );
  if (selected.length > 0) return selected;
  if (chosen.length > 0 && !chosen.some(isKept)) throw nothingKept(chosen, selection);
  throw nothingSelected(catalogue, selection);
}

/** Lists the tests that can run on these backends in this lane. */
function listCandidates<Any extends Listed>(
  catalogue: readonly Any[],
  { backends, lane }: Pick<Selection, 'backends' | 'lane'>,
): Selected<Any>[] {
  return catalogue
    .filter((scenario) => scenario.lanes.includes(lane))
    .flatMap((scenario) =>
      scenario.backends
        .filter((backend) => backends.includes(backend))
        .map((backend): Selected<Any> => ({ scenario, backend })),
    );
}

/** Restricts a filter to tiers 1–7 if it matches any test there and nobody chose a suite. */
function narrow(
  matches: (candidate: Selected<Listed>) => boolean,
  candidates: readonly Selected<Listed>[],
  suite: SuiteChoice,
): (candidate: Selected<Listed>) => boolean {
  const both = suite === 'asked' && candidates.some((one) => isAboutRalph(one) && matches(one));
  return both ? (candidate) => isAboutRalph(candidate) && matches(candidate) : matches;
}

/** Counts the tests that `asked` leaves out and `all` would take. */
export function countUnasked(catalogue: readonly Listed[], selection: Selection): number {
  if (selection.suite !== 'asked') return 0;
  const taken = selectScenarios(catalogue, selection).length;
  return selectScenarios(catalogue, { ...selection, suite: 'all' }).length - taken;
}

/** Refuses a named backend on which nothing selected runs: it would go untested, and nobody would notice. */
export function refuseIdleBackends(
  catalogue: readonly Listed[],
  selection: Selection & { readonly named: readonly BackendId[] },
): void {
  const selected = selectScenarios(catalogue, selection);
  const idle = selection.named.filter((id) => !selected.some(({ backend }) => backend === id));
  if (idle.length === 0) return;
  const wanted = describeWanted(selection);
  throw new KnownError(
    `You named ${idle.join(' and ')}, but no scenario${wanted && ` that${wanted}`} runs on ${idle.length === 1 ? 'it' : 'them'} in the ${selection.lane} lane${inSuite(selection.suite)}.`,
    {
      hint: `Leave out ${idle.join(' and ')}, or choose other scenarios: \`ralph-e2e --list --lane ${selection.lane} --suite all\` lists them.`,
    },
  );
}

/** Refuses two scenarios with the same id: their results and workspaces would overwrite each other. */
function refuseTwins(catalogue: readonly Listed[]): void {
  const seen = new Set<string>();
  for (const { id } of catalogue) {
    if (seen.has(id))
      throw new KnownError(`Two scenarios have the id "${id}": expected each scenario to have its own id.`);
    seen.add(id);
  }
}

/** Compiles a pattern of tests to leave out. One that matches nothing is a mistake: what it means would run. */
function compileExclude(
  catalogue: readonly Listed[],
  pattern: string,
): (candidate: Selected<Listed>) => boolean {
  const matches = compileFilter('--exclude', pattern);
  if (findAnywhere(catalogue, matches).length > 0) return matches;
  throw new KnownError(`--exclude ${pattern}: expected a pattern that matches a scenario, found no match.`, {
    hint: adviseOnIds(
      [pattern],
      catalogue.map(({ id }) => id),
    ),
  });
}

/** Compiles a filter: a `/regex/` for id and description, a glob for the id, or part of the id or the tier's title. */
function compileFilter(flag: string, pattern: string): (candidate: Selected<Listed>) => boolean {
  if (pattern.trim() === '') {
    // Every id and title contains it, so it would match everything.
    throw new KnownError(`${flag} "${pattern}": expected a pattern, found an empty string.`, {
      hint: `Leave out ${flag}, or give it a pattern.`,
    });
  }
  const regex = /^\/(.+)\/([a-z]*)$/.exec(pattern);
  if (regex !== null) {
    const test = compileRegex(`${flag} ${pattern}`, regex[1] ?? '', regex[2] ?? '');
    return ({ scenario }) => test.test(scenario.id) || test.test(scenario.description);
  }
  if (/[*?[\]{}]/.test(pattern)) {
    const matches = picomatch(pattern, { nocase: true });
    return (candidate) => names(candidate).some((name) => name === pattern || matches(name));
  }
  const part = pattern.toLowerCase();
  return (candidate) =>
    [...names(candidate), groupTitle(candidate.scenario)].some((text) => text.toLowerCase().includes(part));
}

/** Lists the names of a test in reports, which all work as filters: the id, and the id with its backend. */
function names({ scenario, backend }: Selected<Listed>): string[] {
  const { id, tiedToBackend } = scenario;
  return tiedToBackend ? [id] : [id, ...testNames(id, backend)];
}

function compileRegex(given: string, source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ''));
  } catch (error) {
    throw new KnownError(
      `${given}: expected a regular expression between the slashes, found a mistake: ${messageOf(error)}.`,
      { hint: 'Leave out the slashes to match part of an id or tier.' },
    );
  }
}

function nothingSelected(
  catalogue: readonly Listed[],
  { filters, tests = [], backends, lane, suite, only }: Selection,
): KnownError {
  if (only !== undefined) {
    const wanted = describeWanted({ filters, tests });
    return new KnownError(
      `--last-failed: none of the ${only.size} tests that failed or did not run${wanted || ' is in this catalog'}.`,
      { hint: 'Run without --last-failed, or without the filter.' },
    );
  }
  const where = `on ${backends.join(', ')} in the ${lane} lane${inSuite(suite)}`;
  if (filters.length === 0) {
    return new KnownError(`No scenario runs ${where}.`, {
      hint: 'Name another backend, or choose another lane with --lane or another --suite.',
    });
  }
  const asked = filters.map((pattern) => `--filter ${pattern}`).join(' ');
  const patterns = filters.map((pattern) => compileFilter('--filter', pattern));
  const [elsewhere, ...others] = patterns.flatMap((matches) => findAnywhere(catalogue, matches));
  if (elsewhere !== undefined) {
    const more = others.length === 0 ? '' : ` (the first of ${others.length + 1} matches)`;
    const isMeant = (candidate: Selected<Listed>) => patterns.some((matches) => matches(candidate));
    const { subject, sentence, hint } = describeElsewhere(elsewhere, { backends, lane, isMeant });
    return new KnownError(`${asked}: ${subject}${more} ${sentence ?? `does not run ${where}`}.`, {
      hint,
    });
  }
  const ids = catalogue.map(({ id }) => id);
  return new KnownError(`${asked}: expected a pattern that matches a scenario, found no match.`, {
    hint: adviseOnIds(filters, ids),
  });
}

/** Finds the scenarios that match a filter on any backend and in any lane. */
function findAnywhere(
  catalogue: readonly Listed[],
  matches: (candidate: Selected<Listed>) => boolean,
): Listed[] {
  return catalogue.filter((scenario) => scenario.backends.some((backend) => matches({ scenario, backend })));
}

function nothingKept(chosen: readonly Selected<Listed>[], { excludes = [] }: Selection): KnownError {
  const limits = excludes.map((pattern) => `--exclude ${pattern}`);
  const all = chosen.length === 1 ? 'the only test' : `all ${chosen.length} tests`;
  return new KnownError(`${limits.join(' ')}: expected something to run, but this leaves out ${all}.`, {
    hint: 'Leave out less: `--list` shows what a call would run.',
  });
}

function inSuite(suite: SuiteChoice | undefined): string {
  if (suite === undefined || suite === 'all') return '';
  return suite === 'asked' ? ' (tiers 1–7)' : ` in --suite ${suite}`;
}

function describeWanted({ filters, tests = [] }: Pick<Selection, 'filters' | 'tests'>): string {
  const asked = [...filters, ...tests].map((word) => `"${word}"`);
  return asked.length === 0 ? '' : ` matches ${asked.join(' or ')}`;
}
