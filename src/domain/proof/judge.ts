import type { FailureType } from '../report/analysis.js';
import type { BackendId } from '../vocabulary.js';
import type { ProofCheck, ProofOracle, ProofSaboteur, SaboteurSort, ScenarioProof } from './proof.js';

/** A check as the proof knows it before anything ran. */
export interface DeclaredCheck {
  /** Its name in the scenario. */
  readonly key: string;
  readonly kind: string;
  /** Unique within the scenario. */
  readonly name: string;
  readonly guard: string | null;
  /** Every scenario is held to it: it is proved once for all. */
  readonly common: boolean;
}

/** What one run of a scenario found: its checks by their places, or why it could not be judged. */
export interface TrialRun {
  readonly green: readonly boolean[];
  readonly error: string | null;
  /** Why what should be broken was not, although the run was carried out. */
  readonly harmless: string | null;
  readonly diagnosed: FailureType | null;
  readonly seconds: number;
  readonly processes: number;
  readonly artifacts: string | null;
}

/** A saboteur of a scenario, and its run if it had one. */
export interface Trial {
  readonly name: string;
  readonly origin: 'built-in' | 'own';
  readonly breaks: SaboteurSort;
  readonly kills: readonly string[];
  readonly failure: FailureType | null;
  /** Why it is not run at all. */
  readonly skip: {
    readonly verdict: 'ineffective' | 'not-applicable' | 'left-out';
    readonly reason: string;
  } | null;
  /** Null while, or because, it was not run. */
  readonly run: TrialRun | null;
}

/** A scenario with all that was tried on it. */
export interface TriedScenario {
  readonly id: string;
  readonly backend: BackendId;
  readonly covers: readonly string[];
  readonly checks: readonly DeclaredCheck[];
  /** Why some checks may be red although nothing is sabotaged. */
  readonly knownIssue: string | null;
  readonly oracle: Omit<ProofOracle, 'broken'> & { readonly green: readonly boolean[] };
  readonly trials: readonly Trial[];
}

/** The places of the checks that an entry of `kills` names: several in a list, where checks of a kind share a name. */
export function placesOf(entry: string, checks: readonly Pick<DeclaredCheck, 'key'>[]): number[] {
  return checks.flatMap(({ key }, place) => (key === entry ? [place] : []));
}

/** What a saboteur proved, whatever the others did. */
export function judgeTrial(tried: Omit<TriedScenario, 'trials'>, trial: Trial): ProofSaboteur {
  const killed_places = redPlaces(tried, trial);
  const killed = killed_places.map((place) => tried.checks[place]?.name ?? '');
  const missed = listMissed(tried, trial);
  return {
    name: trial.name,
    origin: trial.origin,
    breaks: trial.breaks,
    ...decideVerdict(tried, trial, { killed, missed }),
    kills: [...trial.kills],
    missed,
    killed,
    killed_places,
    failure: trial.failure,
    diagnosed: trial.run?.diagnosed ?? null,
    seconds: trial.run?.seconds ?? 0,
    processes: trial.run?.processes ?? 0,
    artifacts: trial.run?.artifacts ?? null,
  };
}

function listMissed(
  { checks, oracle }: Pick<TriedScenario, 'checks' | 'oracle'>,
  { kills, run }: Trial,
): string[] {
  if (run === null) return [];
  return kills.flatMap((entry) => {
    const places = placesOf(entry, checks);
    if (places.length === 0) return [`"${entry}" matches no check`];
    return places
      .filter((place) => run.green[place] === true && oracle.green[place] === true)
      .map((place) => `"${checks[place]?.name}" stayed green`);
  });
}

function decideVerdict(
  { checks, oracle }: Omit<TriedScenario, 'trials'>,
  { skip, run, kills, origin }: Trial,
  found: { readonly killed: readonly string[]; readonly missed: readonly string[] },
): Pick<ProofSaboteur, 'verdict' | 'reason'> {
  if (skip !== null) return skip;
  if (run === null) return { verdict: 'not-tried', reason: whyNotTried(oracle.outcome) };
  if (run.error !== null) return { verdict: 'ineffective', reason: `could not be carried out: ${run.error}` };
  if (run.harmless !== null) return { verdict: 'ineffective', reason: run.harmless };
  if (found.killed.length === 0) {
    const named = kills.flatMap((entry) => placesOf(entry, checks));
    const masked =
      origin === 'own' && named.length > 0 && named.every((place) => oracle.green[place] === false);
    return masked
      ? { verdict: 'masked', reason: 'a known issue breaks all the checks that it names' }
      : { verdict: 'survived', reason: 'no check noticed' };
  }
  return found.missed.length > 0
    ? { verdict: 'missed', reason: found.missed.join('; ') }
    : { verdict: 'noticed', reason: null };
}

/** What all saboteurs of a scenario together prove. */
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
  };
}

/** The saboteurs that turned a check, and not simply everything, red. */
export function listKillers(tried: TriedScenario, place: number): string[] {
  return tried.trials.flatMap((trial) => (killsSpecifically(tried, trial, place) ? [trial.name] : []));
}

/**
 * Only a saboteur of the scenario's own proves a check, and only while another check of the scenario stays green: a run
 * in which everything is red shows nothing about any of them. The common checks are hardly ever red, so they are no
 * such witness, except for each other.
 */
function killsSpecifically(tried: TriedScenario, trial: Trial, place: number): boolean {
  if (trial.origin !== 'own' || !redPlaces(tried, trial).includes(place)) return false;
  const aboutCommon = tried.checks[place]?.common === true;
  return tried.checks.some(
    ({ common }, other) => other !== place && (aboutCommon || !common) && trial.run?.green[other] === true,
  );
}

/** The places of the checks that a saboteur turned red: what is red anyway does not count. */
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
  const base = { kind, name, killed_by };
  if (killed_by.length > 0) return { ...base, state: 'proved', reason: null };
  if (tried.oracle.outcome === 'known-issue' && tried.oracle.green[place] === false) {
    return { ...base, state: 'known-issue', reason: tried.knownIssue };
  }
  if (guard !== null) return { ...base, state: 'guard', reason: guard };
  const untried = whyOpen(tried, place);
  return untried === null
    ? { ...base, state: 'unkilled', reason: null }
    : { ...base, state: 'open', reason: untried };
}

/** Why a check without a kill might still have one: what should kill it was not run. */
export function whyOpen({ oracle, trials, checks }: TriedScenario, place: number): string | null {
  if (oracle.outcome !== 'passed' && oracle.outcome !== 'known-issue') return whyNotTried(oracle.outcome);
  const untried = trials.find(
    ({ origin, skip, run, kills }) =>
      origin === 'own' &&
      (skip === null ? run === null : skip.verdict === 'left-out') &&
      kills.some((entry) => placesOf(entry, checks).includes(place)),
  );
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
