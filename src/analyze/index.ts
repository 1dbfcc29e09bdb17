import type { DiagnosisRule } from '../domain/diagnosis/rule.js';
import type { Analysis } from '../domain/report/run-analysis.js';
import { listCauses } from './diagnosis/causes.js';
import { createDiagnosis, type RulesOfKinds } from './diagnosis/diagnose.js';
import { findExcuses } from './excuses/excuses.js';
import { assess } from './quality.js';
import { recommend } from './recommend.js';

/** Makes an analysis that explains failures with these rules, and traces them with this function. */
export function createAnalysis(
  rules: RulesOfKinds,
  facts: readonly DiagnosisRule[],
  trace: Analysis['trace'],
): Analysis {
  return { diagnose: createDiagnosis(rules, facts), trace, listCauses, assess, recommend, findExcuses };
}
