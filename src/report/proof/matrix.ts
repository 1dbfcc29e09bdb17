import { involvesRalph } from '../../domain/attempt.js';
import { NO_CHECK } from '../../domain/proof/judge.js';
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
  return proof.passed ? what : `${what}${describeMisnamed(proof)} - action required`;
}

/** Says that saboteurs name checks that no scenario has: then no check is at fault. */
function describeMisnamed({ missed_kills }: Proof): string {
  const names = missed_kills.flatMap(({ missed }) =>
    missed.flatMap((entry) => (entry.startsWith(NO_CHECK) ? [entry.slice(NO_CHECK.length)] : [])),
  );
  const count = missed_kills.filter(({ missed }) =>
    missed.some((entry) => entry.startsWith(NO_CHECK)),
  ).length;
  if (count === 0) return '';
  return `; ${countOf(count, 'saboteur')} ${count === 1 ? 'names a check' : 'name checks'} that ${count === 1 ? 'does' : 'do'} not exist (${names.join(', ')})`;
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

/** Lists findings that are easy to miss in the matrices: first those that make a proof fail. */
export function listFindings(proof: Proof): ProofList[] {
  const { scenarios, every_scenario, totals } = proof;
  const replayed = scenarios.flatMap(({ id, variants }) =>
    variants
      .filter(({ verdict, reason }) => verdict === 'tolerated' && reason !== null)
      .map(({ name }) => `${id}: ${name}`),
  );
  const open = every_scenario
    .filter(({ state }) => state === 'open')
    .map(({ name, reason }) => `every scenario: ${name} (${reason})`);
  const share = (part: number) => `${(100 * part).toFixed(1)} %`;
  const wrong: [title: string, items: readonly string[]][] = [
    [
      'Scenarios that fail without any saboteur',
      proof.failed_oracles.map(({ scenario, backend, reason }) => `${scenario} on ${backend}: ${reason}`),
    ],
    ['Survivors: saboteurs that no check notices', proof.survivors.map(nameFinding)],
    [
      'Saboteurs that not all the checks they name notice',
      proof.missed_kills.map((item) => `${nameFinding(item)}: ${item.missed.join('; ')}`),
    ],
    ['Checks that are not proved', proof.unkilled_checks.map(nameFinding)],
    ['Honest variants that turn a scenario red', proof.refused_variants.map(nameFinding)],
    [
      'Demands on the agent that nothing asks for',
      proof.unasked.map(({ scenario, demand }) => `${scenario}: ${demand}`),
    ],
    [
      'Blamed on the agent: failures that the target or the configuration caused',
      proof.blamed_on_agent.map(nameFinding),
    ],
    ['Saboteurs without effect', proof.ineffective.map(nameFinding)],
  ];
  const notes: typeof wrong = [
    [`Guards (${share(totals.guard_share)} of the checks)`, proof.guards.map(nameFinding)],
    ['Checks that a known issue of the target breaks already', proof.known_issue_checks.map(nameFinding)],
    ['Checks that this proof says nothing about', [...proof.open_checks.map(nameFinding), ...open]],
    [
      `Exempt variants (${share(totals.exempt_share)} of the pairs that change something)`,
      proof.exempt_variants.map(nameFinding),
    ],
    ['Honest variants that failed once and passed when they were played again', replayed],
    ['Cheats that may pass', proof.excused_cheats.map(nameFinding)],
    ['Not applicable', proof.not_applicable.map(nameFinding)],
    ['Left out', groupReasons(proof.left_out)],
    ['Skipped scenarios', listSkipped(proof)],
  ];
  const listsOf = (lists: typeof wrong, isWrong: boolean) =>
    lists.flatMap(([title, items]) => (items.length === 0 ? [] : [{ title, wrong: isWrong, items }]));
  return [...listsOf(wrong, true), ...listsOf(notes, false)];
}

interface Finding {
  readonly scenario: string;
  readonly saboteur?: string;
  readonly variant?: string;
  readonly check?: string;
  readonly reason?: string;
}

/** Names a finding: `hat-single: says nothing (the agent is silent)`. */
function nameFinding({ scenario, saboteur, variant, check, reason }: Finding): string {
  const what = saboteur ?? variant ?? check;
  return `${scenario}: ${what}${reason === undefined ? '' : ` (${reason})`}`;
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
