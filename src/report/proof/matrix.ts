import { involvesRalph } from '../../domain/attempt.js';
import type { Proof, ProofCheck, ProofSaboteur, ScenarioProof } from '../../domain/proof/proof.js';
import { countOf, formatDuration } from '../words/words.js';

/** The matrix of a scenario: its checks by its saboteurs. */
interface ProofMatrix {
  readonly columns: readonly { readonly key: string; readonly saboteur: ProofSaboteur }[];
  readonly rows: readonly MatrixRow[];
}

interface MatrixRow {
  readonly name: string;
  /** Null for a check that applies to every scenario. */
  readonly check: ProofCheck | null;
  readonly cells: readonly MatrixCell[];
}

/** `proof`: red, which proves the check; `red`: red together with all others, or by a built-in saboteur; `none`: not run. */
export type MatrixCell = 'proof' | 'red' | 'green' | 'none';

export const CELL_SIGNS = { proof: '●', red: '○', green: '·', none: ' ' } as const satisfies Record<
  MatrixCell,
  string
>;

/** Explains the signs in one line. */
export const CELL_LEGEND =
  '● turned red by a saboteur of its own, which proves it · ○ red with all the others, or by a built-in saboteur: proves it where changed evidence turns it red alone';

/** Built-in saboteurs have digits, cheats have capital letters, the scenario's own have small ones. */
const KEYS = {
  'built-in': (index: number) => String(index + 1),
  cheat: (index: number) => letterOf(index).toUpperCase(),
  own: letterOf,
} as const satisfies Record<ProofSaboteur['origin'], (index: number) => string>;

/** Lays out a matrix. */
export function layOutMatrix({ checks, saboteurs }: ScenarioProof): ProofMatrix {
  const counts = { 'built-in': 0, cheat: 0, own: 0 };
  const columns = saboteurs.map((saboteur) => {
    const index = counts[saboteur.origin]++;
    return { key: KEYS[saboteur.origin](index), saboteur };
  });
  const row = (name: string, check: ProofCheck | null, place: number): MatrixRow => ({
    name,
    check,
    cells: saboteurs.map((saboteur) => cellOf(place, check, saboteur)),
  });
  return {
    columns,
    rows: [
      ...checks.map((check, place) => row(check.name, check, place)),
      ...[...listCommon(checks.length, saboteurs)].map(([place, name]) => row(name, null, place)),
    ],
  };
}

/** Lists the common checks that turned red, by their positions after the scenario's own. */
function listCommon(own: number, saboteurs: readonly ProofSaboteur[]): Map<number, string> {
  const red = saboteurs.flatMap(({ killed, killed_places }) =>
    killed_places.map((place, index) => [place, killed[index] ?? ''] as const),
  );
  return new Map(red.filter(([place]) => place >= own));
}

function cellOf(place: number, check: ProofCheck | null, saboteur: ProofSaboteur): MatrixCell {
  if (!RAN.has(saboteur.verdict)) return 'none';
  if (!saboteur.killed_places.includes(place)) return 'green';
  return check?.killed_by.includes(saboteur.name) ? 'proof' : 'red';
}

const RAN: ReadonlySet<ProofSaboteur['verdict']> = new Set([
  'noticed',
  'survived',
  'missed',
  'masked',
  'excused',
]);

/** Returns a … z, then aa, ab, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** Describes how many of a scenario's checks are proved. */
export function describeProved({ checks }: ScenarioProof): string {
  const proved = checks.filter(({ state }) => state === 'proved').length;
  return `${proved} of ${countOf(checks.length, 'check')} proved`;
}

/** Describes the verdict on a proof in one sentence. */
export function describeProof(proof: Proof): string {
  const { totals, target } = proof;
  const ralph =
    target.kind === 'stand-in' ? `the stand-in ralph ${target.version}` : `ralph ${target.version}`;
  const on = involvesRalph(target) ? `, on ${ralph}` : '';
  const what = `${totals.proved} of ${countOf(totals.checks, 'check')} proved, ${totals.noticed} of ${countOf(totals.saboteurs, 'saboteur')} noticed, ${totals.tolerated} of ${countOf(totals.variants, 'honest variant')} tolerated${on} in ${formatDuration(totals.seconds)}`;
  if (proof.interrupted) return `${what} so far`;
  return proof.passed ? what : `${what} - action required`;
}

/** Names the verdict on a proof. Without saboteurs it shows only that honest agents pass. */
export function nameProofVerdict({ passed, interrupted, totals }: Proof): string {
  if (passed) return totals.saboteurs > 0 ? '🟢 PROVED' : '🟢 HONEST AGENTS PASS';
  return interrupted ? '🟠 INTERRUPTED' : '🔴 NOT PROVED';
}

/** A list of problems or notes, with its heading; the wrong ones make a proof fail. */
export interface ProofList {
  readonly title: string;
  readonly wrong: boolean;
  readonly items: readonly string[];
}

/** Lists findings that are easy to miss in the matrices. */
export function listFindings(proof: Proof): ProofList[] {
  const of = ({ scenario, saboteur }: { scenario: string; saboteur: string }) => `${scenario}: ${saboteur}`;
  const why = (item: { scenario: string; saboteur: string; reason: string }) =>
    `${of(item)} (${item.reason})`;
  const lists: ProofList[] = [
    {
      title: 'Scenarios that fail without any saboteur',
      wrong: true,
      items: proof.failed_oracles.map(
        ({ scenario, backend, reason }) => `${scenario} on ${backend}: ${reason}`,
      ),
    },
    { title: 'Survivors: saboteurs that no check notices', wrong: true, items: proof.survivors.map(of) },
    {
      title: 'Saboteurs that not all the checks they name notice',
      wrong: true,
      items: proof.missed_kills.map((item) => `${of(item)}: ${item.missed.join('; ')}`),
    },
    {
      title: 'Checks that are not proved',
      wrong: true,
      items: proof.unkilled_checks.map(({ scenario, check }) => `${scenario}: ${check}`),
    },
    {
      title: 'Honest variants that turn a scenario red',
      wrong: true,
      items: proof.refused_variants.map(nameVariant),
    },
    {
      title: 'Demands on the agent that nothing asks for',
      wrong: true,
      items: proof.unasked.map(({ scenario, demand }) => `${scenario}: ${demand}`),
    },
    {
      title: 'Blamed on the agent: failures that the target or the configuration caused',
      wrong: true,
      items: proof.blamed_on_agent.map(why),
    },
    { title: 'Saboteurs without effect', wrong: true, items: proof.ineffective.map(why) },
    {
      title: `Guards (${(100 * proof.totals.guard_share).toFixed(1)} % of the checks)`,
      wrong: false,
      items: proof.guards.map(({ scenario, check, reason }) => `${scenario}: ${check} (${reason})`),
    },
    {
      title: 'Checks that a known issue of the target breaks already',
      wrong: false,
      items: proof.known_issue_checks.map(
        ({ scenario, check, reason }) => `${scenario}: ${check} (${reason})`,
      ),
    },
    {
      title: 'Checks that this proof says nothing about',
      wrong: false,
      items: [
        ...proof.open_checks.map(({ scenario, check, reason }) => `${scenario}: ${check} (${reason})`),
        ...proof.every_scenario
          .filter(({ state }) => state === 'open')
          .map(({ name, reason }) => `every scenario: ${name} (${reason})`),
      ],
    },
    {
      title: `Exempt variants (${(100 * proof.totals.exempt_share).toFixed(1)} % of the pairs that change something)`,
      wrong: false,
      items: proof.exempt_variants.map(nameVariant),
    },
    {
      title: 'Honest variants that failed once and passed when they were played again',
      wrong: false,
      items: proof.scenarios.flatMap(({ id, variants }) =>
        variants
          .filter(({ verdict, reason }) => verdict === 'tolerated' && reason !== null)
          .map(({ name }) => `${id}: ${name}`),
      ),
    },
    { title: 'Cheats that may pass', wrong: false, items: proof.excused_cheats.map(why) },
    { title: 'Not applicable', wrong: false, items: proof.not_applicable.map(why) },
    { title: 'Left out', wrong: false, items: groupReasons(proof.left_out) },
    { title: 'Skipped scenarios', wrong: false, items: listSkipped(proof) },
  ];
  return lists.filter(({ items }) => items.length > 0);
}

function nameVariant({ scenario, variant, reason }: Proof['refused_variants'][number]): string {
  return `${scenario}: ${variant} (${reason})`;
}

function listSkipped({ scenarios }: Proof): string[] {
  return scenarios
    .filter(({ oracle }) => oracle.outcome === 'skipped' || oracle.outcome === 'not-tried')
    .map(({ id, backend, oracle }) => `${id} on ${backend}: ${oracle.reason ?? 'the run was interrupted'}`);
}

function groupReasons(items: Proof['left_out']): string[] {
  const reasons = [...new Set(items.map(({ reason }) => reason))];
  return reasons.map(
    (reason) => `${countOf(items.filter((item) => item.reason === reason).length, 'saboteur')}: ${reason}`,
  );
}
