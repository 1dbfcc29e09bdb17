import { FORMATS } from '../common/formats.js';
import { judgeScenario, listKillers, whyOpen } from './judge.js';
import type { Proof, ProofCheck, ProofSaboteur, ProofVariant, ScenarioProof } from './proof.js';
import type { TriedScenario } from './tried.js';

/** At most this share of the checks may be guards. */
const GUARD_LIMIT = 0.05;

/** At most this share of the pairs of a scenario and an honest variant may be exempt. */
const EXEMPT_LIMIT = 0.05;

/** The facts of a proof other than its scenarios. */
export type ProofFacts = Pick<
  Proof,
  'timestamp' | 'harness_version' | 'catalogue' | 'complete' | 'target' | 'lane' | 'interrupted'
> & {
  readonly seconds: number;
  /** True for scenarios outside our catalog. The catalog proves the checks of every scenario. */
  readonly foreign?: boolean;
};

/** Builds a proof from everything that was tried. */
export function judgeProof(
  tried: readonly TriedScenario[],
  { seconds, foreign = false, ...facts }: ProofFacts,
): Proof {
  const scenarios = tried.map(judgeScenario);
  const every_scenario = judgeCommon(tried, whyNotHere(foreign, facts.complete));
  const lists = {
    ...collectLists(scenarios, every_scenario),
    unasked: tried.flatMap(({ id, backend, unasked }) =>
      unasked.map((demand) => ({ scenario: id, backend, demand })),
    ),
  };
  const totals = { ...count(scenarios), seconds };
  return {
    format: FORMATS.proof.format,
    ...facts,
    passed:
      !facts.interrupted && isSound(lists, totals, facts.complete) && totals.saboteurs + totals.variants > 0,
    scenarios,
    every_scenario,
    ...lists,
    totals,
  };
}

type Lists = ReturnType<typeof collectLists> & Pick<Proof, 'unasked'>;

/** What a sound proof has none of. */
const TROUBLES = [
  'failed_oracles',
  'survivors',
  'missed_kills',
  'unkilled_checks',
  'ineffective',
  'refused_variants',
  'unasked',
  'blamed_on_agent',
] as const satisfies readonly (keyof Proof)[];

function isSound(lists: Lists, { guard_share, exempt_share }: Proof['totals'], complete: boolean): boolean {
  // A share of only a few scenarios means nothing.
  const tooMany = complete && (guard_share > GUARD_LIMIT || exempt_share > EXEMPT_LIMIT);
  return TROUBLES.every((name) => lists[name].length === 0) && !tooMany;
}

/** Returns why this proof need not prove the checks of every scenario, or null if it must. */
function whyNotHere(foreign: boolean, complete: boolean): string | null {
  if (foreign) return 'the catalog of ralph-e2e proves it';
  return complete ? null : 'not all scenarios were selected';
}

/** Judges the checks of every scenario. Any scenario's own saboteur can prove them. */
function judgeCommon(tried: readonly TriedScenario[], elsewhere: string | null): ProofCheck[] {
  const names = new Map<string, ProofCheck>();
  for (const one of tried) {
    for (const [place, { kind, name, common, guard }] of one.checks.entries()) {
      if (!common) continue;
      const known = names.get(kind) ?? {
        ...{ kind, name, killed_by: [], shown_by: [] },
        ...(guard === null ? { state: 'unkilled', reason: null } : { state: 'guard', reason: guard }),
      };
      const killed_by = [
        ...known.killed_by,
        ...listKillers(one, place).map((saboteur) => `${one.id}: ${saboteur}`),
      ];
      names.set(kind, { ...known, killed_by, reason: known.reason ?? whyOpen(one, place) });
    }
  }
  return [...names.values()].map((check): ProofCheck => {
    if (check.killed_by.length > 0) return { ...check, state: 'proved', reason: null };
    if (check.state === 'guard') return check;
    const reason = check.reason ?? elsewhere;
    return { ...check, state: reason === null ? 'unkilled' : 'open', reason };
  });
}

const EVERY_SCENARIO = 'every scenario';

function collectLists(scenarios: readonly ScenarioProof[], common: readonly ProofCheck[]) {
  const saboteurs = scenarios.flatMap(({ id, backend, saboteurs }) =>
    saboteurs.map((saboteur) => ({ place: { scenario: id, backend }, saboteur })),
  );
  const having = (verdict: ProofSaboteur['verdict']) =>
    saboteurs.flatMap(({ place, saboteur }) =>
      saboteur.verdict === verdict
        ? [{ ...place, saboteur: saboteur.name, reason: saboteur.reason ?? '' }]
        : [],
    );
  const variantsWith = (verdict: ProofVariant['verdict']) =>
    scenarios.flatMap(({ id, backend, variants }) =>
      variants
        .filter((variant) => variant.verdict === verdict)
        .map(({ name, reason }) => ({ scenario: id, backend, variant: name, reason: reason ?? '' })),
    );
  const checks = scenarios.flatMap(({ id, backend, checks }) =>
    checks.map((check) => ({ place: { scenario: id, backend }, check })),
  );
  const inState = (state: ProofCheck['state']) =>
    checks.flatMap(({ place, check }) =>
      check.state === state ? [{ ...place, check: check.name, reason: check.reason ?? '' }] : [],
    );
  return {
    failed_oracles: scenarios.flatMap(({ id, backend, oracle }) =>
      oracle.outcome === 'failed' || oracle.outcome === 'error'
        ? [{ scenario: id, backend, reason: oracle.reason ?? '' }]
        : [],
    ),
    survivors: having('survived').map(({ reason, ...rest }) => rest),
    missed_kills: saboteurs.flatMap(({ place, saboteur }) =>
      saboteur.verdict === 'missed' ? [{ ...place, saboteur: saboteur.name, missed: saboteur.missed }] : [],
    ),
    unkilled_checks: [
      ...inState('unkilled').map(({ reason, ...rest }) => rest),
      ...common
        .filter(({ state }) => state === 'unkilled')
        .map(({ name }) => ({ scenario: EVERY_SCENARIO, backend: null, check: name })),
    ],
    ineffective: having('ineffective'),
    guards: inState('guard'),
    known_issue_checks: inState('known-issue'),
    open_checks: inState('open'),
    not_applicable: having('not-applicable'),
    left_out: having('left-out'),
    excused_cheats: having('excused'),
    refused_variants: variantsWith('refused'),
    exempt_variants: variantsWith('exempt'),
    blamed_on_agent: saboteurs.flatMap(({ place, saboteur: { name, breaks, fault } }) =>
      breaks !== 'agent' && fault?.whose === 'agent'
        ? [{ ...place, saboteur: name, reason: fault.because.join(' ') }]
        : [],
    ),
  };
}

function count(scenarios: readonly ScenarioProof[]): Omit<Proof['totals'], 'seconds'> {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  const saboteurs = scenarios.flatMap((scenario) => scenario.saboteurs);
  const tried = saboteurs.filter(({ verdict }) => TRIED.has(verdict));
  const noticed = tried.filter(({ verdict }) => verdict === 'noticed' || verdict === 'missed');
  const diagnosable = noticed.filter(({ failure }) => failure !== null);
  const blamable = noticed.filter(({ breaks }) => breaks === 'agent');
  const guards = checks.filter(({ state }) => state === 'guard').length;
  const variants = scenarios.flatMap((scenario) => scenario.variants.map(({ verdict }) => verdict));
  const played = variants.filter((verdict) => verdict === 'tolerated' || verdict === 'refused').length;
  const exempt = variants.filter((verdict) => verdict === 'exempt').length;
  return {
    scenarios: scenarios.length,
    checks: checks.length,
    proved: checks.filter(({ state }) => state === 'proved').length,
    proved_by_change: checks.filter(({ shown_by }) => shown_by.length > 0).length,
    saboteurs: tried.length,
    noticed: noticed.length,
    diagnosed: diagnosable.filter(({ failure, diagnosed }) => failure === diagnosed).length,
    diagnosable: diagnosable.length,
    blamed: blamable.filter(({ fault }) => fault?.whose === 'agent').length,
    blamable: blamable.length,
    guard_share: checks.length === 0 ? 0 : guards / checks.length,
    variants: played,
    tolerated: variants.filter((verdict) => verdict === 'tolerated').length,
    exempt_share: exempt === 0 ? 0 : exempt / (played + exempt),
    processes_started: [
      ...scenarios.map(({ oracle }) => oracle),
      ...saboteurs,
      ...scenarios.flatMap((scenario) => scenario.variants),
    ].reduce((sum, { processes }) => sum + processes, 0),
  };
}

const TRIED: ReadonlySet<ProofSaboteur['verdict']> = new Set([
  'noticed',
  'survived',
  'missed',
  'ineffective',
  'masked',
]);
