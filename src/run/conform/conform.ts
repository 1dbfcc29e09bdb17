import { CLAUDE_CASES, type ConformCase } from './cases.js';
import { compareObservations, type FieldDifference } from './compare.js';
import { type Performer, runCase } from './run-case.js';

/** How closely a stand-in matches the real program. */
export interface Conformity {
  readonly cases: readonly CaseConformity[];
  readonly fields: number;
  readonly equal: number;
}

export interface CaseConformity {
  readonly id: string;
  readonly fields: number;
  readonly differences: readonly FieldDifference[];
}

/** Plays every case on both sides, one after the other, and compares the results. */
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
    const result = { id: item.id, fields, differences };
    results.push(result);
    onCase(result);
  }
  const fields = results.reduce((sum, result) => sum + result.fields, 0);
  const different = results.reduce((sum, result) => sum + result.differences.length, 0);
  return { cases: results, fields, equal: fields - different };
}
