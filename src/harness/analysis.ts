import { backendRules } from '../analyze/diagnosis/backend.js';
import { listCauses } from '../analyze/diagnosis/causes.js';
import { createDiagnosis } from '../analyze/diagnosis/diagnose.js';
import { processRules, scriptRules } from '../analyze/diagnosis/process.js';
import { findExcuses } from '../analyze/excuses/excuses.js';
import { assess } from '../analyze/quality.js';
import { recommend } from '../analyze/recommend.js';
import type { DiagnosisRule } from '../domain/diagnosis/rule.js';
import type { Analysis } from '../domain/report/run-analysis.js';
import { conversationRules } from '../kinds/conversation/diagnosis/rules.js';
import { factRules } from '../kinds/ralph/diagnosis/facts.js';
import { loopRules, unmetExpectation } from '../kinds/ralph/diagnosis/rules.js';
import { stillRunning } from '../kinds/ralph/diagnosis/still-running.js';
import { traceFailure } from '../kinds/ralph/diagnosis/trace.js';

/**
 * The first rule that applies explains the failure: what kept Ralph from running at all, then its records and its end, then the
 * promise that the earliest failed check holds it to.
 */
const ralph: readonly DiagnosisRule[] = [
  stillRunning,
  ...processRules,
  ...loopRules,
  ...scriptRules,
  unmetExpectation,
];

const conversation: readonly DiagnosisRule[] = [
  ...processRules,
  ...backendRules,
  ...scriptRules,
  ...conversationRules,
];

/** The diagnosis rules for each kind of scenario. */
export const RULES = { ralph, conversation };

/** Analyzes a run by rules only: needs no model, costs nothing, and always gives the same answer. */
export const analysis: Analysis = {
  diagnose: createDiagnosis(RULES, factRules),
  trace: traceFailure,
  listCauses,
  assess,
  recommend,
  findExcuses,
};
