import { CLAUDE_CASES, type ConformCase } from './cases.js';
import { compareObservations, type FieldDifference } from './compare.js';
import { explain } from './explanations.js';
import { type Performer, runCase } from './run-case.js';

/** How well a stand-in plays the program it stands in for. */
export interface Conformity {
  readonly cases: readonly CaseConformity[];
  readonly fields: number;
  readonly equal: number;
}

export interface CaseConformity {
  readonly id: string;
  readonly fields: number;
  readonly differences: readonly ExplainedDifference[];
}

/** A difference counts as one whether or not we know why it is there. */
interface ExplainedDifference extends FieldDifference {
  readonly explanation: string | null;
}

/** Plays every case on both sides, one after the other, and compares. */
export async function conform(
  sides: { readonly standIn: string; readonly real: string },
  onCase: (result: CaseConformity) => void = () => {},
  cases: readonly ConformCase[] = CLAUDE_CASES,
): Promise<Conformity> {
  const standIn: Performer = { executable: sides.standIn, isStandIn: true };
  const real: Performer = { executable: sides.real, isStandIn: false };
  const results: CaseConformity[] = [];
  for (const item of cases) {
    const ours = await runCase(item, standIn);
    const { fields, differences } = compareObservations(ours, await runCase(item, real));
    const explained = differences.map((difference) => ({ ...difference, explanation: explain(difference) }));
    const result = { id: item.id, fields, differences: explained };
    results.push(result);
    onCase(result);
  }
  const fields = results.reduce((sum, result) => sum + result.fields, 0);
  const different = results.reduce((sum, result) => sum + result.differences.length, 0);
  return { cases: results, fields, equal: fields - different };
}
