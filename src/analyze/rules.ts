import type { DiagnosisRule } from './rule.js';
import { promptRules, workRules } from './rules-agent.js';
import { backendRules } from './rules-backend.js';
import { eventRules } from './rules-event.js';
import { fallbackRules, terminationRules } from './rules-loop.js';
import { processRules } from './rules-process.js';

/**
 * The first rule that applies explains the failure, so they stand in the order of causes: what kept the target from
 * running at all, then the backend, then what the agent was sent and did, then how the loop ended, then mere
 * differences. The last one always applies.
 */
export const DIAGNOSIS_RULES: readonly DiagnosisRule[] = [
  ...processRules,
  ...backendRules,
  ...promptRules,
  ...eventRules,
  ...terminationRules,
  ...workRules,
  ...fallbackRules,
];
