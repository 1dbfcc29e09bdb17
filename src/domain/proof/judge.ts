import { findNearest } from '../common/nearest.js';
import type { ProofCheck, ProofOracle, ProofSaboteur, ProofVariant, ScenarioProof } from './proof.js';
import type { DeclaredCheck, Trial, TriedScenario, TriedVariant } from './tried.js';

/** Returns the places of the checks that an entry of `kills` names. In a list, checks of the same kind share a name. */
export function placesOf(entry: string, checks: readonly Pick<DeclaredCheck, 'key'>[]): number[] {
  return checks.flatMap(({ key }, place) => (key === entry ? [place] : []));
}

/** Judges one saboteur, independent of the others. */
export function judgeTrial(tried: Pick<TriedScenario, 'checks' | 'oracle'>, trial: Trial): ProofSaboteur {
  const killed_places = redPlaces(tried, trial);
  const killed = killed_places.map((place) => tried.checks[place]?.name ?? '');
  const missed = listMissed(tried, trial);
  const { name, origin, breaks, kills, failure } = trial;
  const { diagnosed, fault, seconds, processes, artifacts } = trial.run ?? NOT_RUN;
  return {
    ...{ name, origin, breaks },
    ...decideVerdict(tried, trial, { killed, missed }),
    ...{ kills: [...kills], missed, killed, killed_places, failure, diagnosed },
    fault: fault && { whose: fault.whose, because: fault.because },
    ...{ seconds, processes, artifacts },
  };
}

const NOT_RUN = { diagnosed: null, fault: null, seconds: 0, processes: 0, artifacts: null } as const;

function listMissed(
  { checks, oracle }: Pick<TriedScenario, 'checks' | 'oracle'>,
  { kills, run }: Trial,
): string[] {
  if (run === null) return [];
  return kills.flatMap((entry) => {
    const places = placesOf(entry, checks);
    if (places.length === 0) return [`${NO_CHECK}${describeMisnamed(entry, checks)}`];
    return places
      .filter((place) => run.green[place] === true && oracle.green[place] === true)
      .map((place) => `"${checks[place]?.name}" still passed`);
  });
}

/** How what is missed begins if an entry of `kills` names no check: a mistake of the author, not of a check. */
export const NO_CHECK = 'names a check that does not exist: ';

function describeMisnamed(entry: string, checks: readonly DeclaredCheck[]): string {
  const nearest = findNearest(
    entry,
    checks.map(({ key }) => key),
  );
  return `"${entry}"${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function decideVerdict(
  { checks, oracle }: Pick<TriedScenario, 'checks' | 'oracle'>,
  { skip, run, kills, origin, excuse }: Trial,
  found: { readonly killed: readonly string[]; readonly missed: readonly string[] },
): Pick<ProofSaboteur, 'verdict' | 'reason'> {
  if (skip !== null) return skip;
  if (run === null) return { verdict: 'not-tried', reason: whyNotTried(oracle.outcome) };
  if (run.error !== null) return { verdict: 'ineffective', reason: `could not run: ${run.error}` };
  if (run.harmless !== null) return { verdict: 'ineffective', reason: run.harmless };
  if (found.killed.length === 0) {
    const named = kills.flatMap((entry) => placesOf(entry, checks));
    const masked =
      origin === 'own' && named.length > 0 && named.every((place) => oracle.green[place] === false);
    if (!masked && excuse !== null) return { verdict: 'excused', reason: excuse };
    return masked
      ? { verdict: 'masked', reason: 'a known issue already breaks all the checks in `kills`' }
      : { verdict: 'survived', reason: 'no check failed' };
  }
  return found.missed.length > 0
    ? { verdict: 'missed', reason: found.missed.join('; ') }
    : { verdict: 'noticed', reason: null };
}

/** Names the checks that an honest variant turned red. */
export function listBroken(
  { checks, oracle }: Pick<TriedScenario, 'checks' | 'oracle'>,
  green: readonly boolean[],
): string[] {
  return checks.flatMap(({ name }, place) =>
    green[place] === false && oracle.green[place] === true ? [name] : [],
  );
}

function judgeVariant(
  tried: TriedScenario,
  { name, skip, run, together, flaky, processes }: TriedVariant,
): ProofVariant {
  const artifacts = run?.artifacts ?? together?.artifacts ?? null;
  const base = { name, broken: [], processes, artifacts };
  if (skip !== null) return { ...base, ...skip };
  if (run === null) return { ...base, verdict: 'not-tried', reason: whyNotTried(tried.oracle.outcome) };
  const alone = listBroken(tried, run.green);
  const reasons = [
    ...describeRed(run.error, alone),
    ...(together === null
      ? []
      : describeRed(together.error, together.broken).map(
          (reason) => `together with ${together.names.join(', ')}: ${reason}`,
        )),
  ];
  if (reasons.length === 0)
    return { ...base, verdict: 'tolerated', reason: flaky ? 'only when it was played again' : null };
  const broken = [...alone, ...(together?.broken ?? [])];
  return { ...base, broken, verdict: 'refused', reason: reasons.join('; ') };
}

function describeRed(error: string | null, broken: readonly string[]): string[] {
  if (error !== null) return [`could not be carried out: ${error}`];
  return broken.length === 0 ? [] : [broken.join('; ')];
}

/** Judges what all saboteurs of a scenario prove together. */
export function judgeScenario(tried: TriedScenario): ScenarioProof {
  const { id, backend, covers, checks, oracle } = tried;
  const { green, ...rest } = oracle;
  return {
    id,
    backend,
    covers: [...covers],
    oracle: { ...rest, broken: checks.filter((_, place) => green[place] === false).map(({ name }) => name) },
    checks: checks.flatMap((check, place) => (check.common ? [] : [judgeCheck(tried, place)])),
    saboteurs: tried.trials.map((trial) => judgeTrial(tried, trial)),
    variants: tried.variants.map((variant) => judgeVariant(tried, variant)),
  };
}

/** Lists the saboteurs that made a check fail while another check still passed. */
export function listKillers(tried: TriedScenario, place: number): string[] {
  return tried.trials.flatMap((trial) => (killsSpecifically(tried, trial, place) ? [trial.name] : []));
}

/**
 * Only the scenario's own saboteurs prove a check, and only if another check of the scenario still passes: a run in which
 * every check fails shows nothing about any of them. The common checks almost always pass, so they count as the other
 * check only for each other.
 */
function killsSpecifically(tried: TriedScenario, trial: Trial, place: number): boolean {
  if (trial.origin !== 'own' || !redPlaces(tried, trial).includes(place)) return false;
  return trial.run !== null && sparesAnother(tried, trial.run.green, place);
}

/** Whether a check of the scenario other than this one passes. */
function sparesAnother({ checks }: TriedScenario, green: readonly boolean[], place: number): boolean {
  const aboutCommon = checks[place]?.common === true;
  return checks.some(
    ({ common }, other) => other !== place && (aboutCommon || !common) && green[other] === true,
  );
}

/** Lists the changes of the evidence that make a check fail while another check still passes. */
function listMade(tried: TriedScenario, place: number): string[] {
  if (tried.oracle.green[place] !== true) return [];
  return tried.made.flatMap(({ name, green }) =>
    green[place] === false && sparesAnother(tried, green, place) ? [name] : [],
  );
}

/** Returns the places of the checks that a saboteur made fail. Checks that fail anyway do not count. */
function redPlaces(
  { checks, oracle }: Pick<TriedScenario, 'checks' | 'oracle'>,
  { skip, run }: Trial,
): number[] {
  if (skip !== null || run === null || run.error !== null || run.harmless !== null) return [];
  return checks.flatMap((_, place) =>
    run.green[place] === false && oracle.green[place] === true ? [place] : [],
  );
}

function judgeCheck(tried: TriedScenario, place: number): ProofCheck {
  const { kind = '', name = '', guard = null } = tried.checks[place] ?? {};
  const killed_by = listKillers(tried, place);
  const made = killed_by.length > 0 ? [] : listMade(tried, place);
  // Changed evidence shows that a check can fail, not that a run reaches it: some saboteur that ran must do that.
  const isReached = tried.trials.some((trial) => redPlaces(tried, trial).includes(place));
  const shown_by = isReached ? made : [];
  const base = { kind, name, killed_by, shown_by };
  if (killed_by.length > 0 || shown_by.length > 0) return { ...base, state: 'proved', reason: null };
  if (tried.oracle.outcome === 'known-issue' && tried.oracle.green[place] === false) {
    return { ...base, state: 'known-issue', reason: tried.knownIssue };
  }
  if (guard !== null) return { ...base, state: 'guard', reason: guard };
  const untried =
    whyOpen(tried, place) ??
    (made.length > 0 ? findUntried(tried.trials, ({ origin }) => origin === 'built-in') : null);
  return untried === null
    ? { ...base, state: 'unkilled', reason: null }
    : { ...base, state: 'open', reason: untried };
}

/** Returns why a check was not shown to fail if the saboteur that should show it did not run, or null. */
export function whyOpen({ oracle, trials, checks }: TriedScenario, place: number): string | null {
  if (oracle.outcome !== 'passed' && oracle.outcome !== 'known-issue') return whyNotTried(oracle.outcome);
  return findUntried(
    trials,
    ({ origin, kills }) => origin === 'own' && kills.some((entry) => placesOf(entry, checks).includes(place)),
  );
}

/** Returns why a saboteur that could show something did not run, or null if all of them did. */
function findUntried(trials: readonly Trial[], couldShow: (trial: Trial) => boolean): string | null {
  const isUntried = ({ skip, run }: Trial) => (skip === null ? run === null : skip.verdict === 'left-out');
  const untried = trials.find((trial) => couldShow(trial) && isUntried(trial));
  if (untried === undefined) return null;
  return `"${untried.name}" was not tried: ${untried.skip?.reason ?? 'the run was interrupted'}`;
}

function whyNotTried(oracle: ProofOracle['outcome']): string {
  switch (oracle) {
    case 'failed':
    case 'error':
      return 'the scenario fails without any saboteur';
    case 'skipped':
      return 'the scenario was skipped';
    case 'passed':
    case 'known-issue':
    case 'not-tried':
      return 'the run was interrupted';
    default:
      return oracle satisfies never;
  }
}
