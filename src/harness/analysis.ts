import { backendRules } from '../analyze/diagnosis/backend.js';
import { fallbackRules } from '../analyze/diagnosis/fallback.js';
import { processRules } from '../analyze/diagnosis/process.js';
import { recordingRules, scriptRules } from '../analyze/diagnosis/script.js';
import { workRules } from '../analyze/diagnosis/work.js';
import { createAnalysis } from '../analyze/index.js';
import type { DiagnosisRule } from '../domain/diagnosis/rule.js';
import { conversationRules } from '../kinds/conversation/diagnosis/rules.js';
import { eventRules } from '../kinds/ralph/diagnosis/event.js';
import { lostEventRules } from '../kinds/ralph/diagnosis/event-lost.js';
import { instrumentRules, recordRules } from '../kinds/ralph/diagnosis/instrument.js';
import {
  cutShortRules,
  exitCodeRules,
  terminationRules,
  unheardRules,
} from '../kinds/ralph/diagnosis/loop.js';
import { memoryRules } from '../kinds/ralph/diagnosis/memory.js';
import { endPromiseRules, expectationRules, promiseRules } from '../kinds/ralph/diagnosis/promise/rules.js';
import { bareAgentRules, bareRules, promptRules } from '../kinds/ralph/diagnosis/prompt.js';
import { paceRules, routingRules } from '../kinds/ralph/diagnosis/routing.js';
import { runawayRules } from '../kinds/ralph/diagnosis/runaway.js';
import { stillRunningRules } from '../kinds/ralph/diagnosis/still-running.js';
import { traceFailure } from '../kinds/ralph/diagnosis/trace/trace.js';

/**
 * The first rule that applies explains the failure, so the rules are in the order of causes: what kept the target from
 * running at all, then the backend, then what the agent was sent and did, then how the loop ended, then mere
 * differences. The last rule always applies.
 */
const ralph: readonly DiagnosisRule[] = [
  ...recordingRules,
  ...processRules,
  ...backendRules,
  ...bareRules,
  ...paceRules,
  ...runawayRules,
  ...memoryRules,
  ...lostEventRules,
  ...routingRules,
  ...promptRules,
  ...scriptRules,
  ...eventRules,
  ...exitCodeRules,
  ...terminationRules,
  ...workRules,
  ...fallbackRules,
];

/**
 * The agent did what its script says, so what is wrong is Ralph's. The promise that the earliest failed check holds it to
 * says the most. Where only the end is wrong, the evidence may show the cause.
 */
const scripted: readonly DiagnosisRule[] = [
  ...stillRunningRules,
  ...processRules,
  ...exitCodeRules,
  ...recordRules,
  ...cutShortRules.first,
  ...bareAgentRules,
  ...promiseRules,
  ...bareRules,
  ...cutShortRules.later,
  ...endPromiseRules,
  ...expectationRules,
  ...lostEventRules,
  ...unheardRules,
  ...ralph,
];

/** What shows in failures of many areas if one part of Ralph that all of them need is broken. */
const facts: readonly DiagnosisRule[] = [
  ...instrumentRules,
  ...bareRules,
  ...lostEventRules,
  ...unheardRules,
];

/** Leaves out the rules about loops, hats and events, which a conversation does not have. */
const conversation: readonly DiagnosisRule[] = [
  ...processRules,
  ...backendRules,
  ...scriptRules,
  ...conversationRules,
  ...workRules,
  ...fallbackRules,
];

/** The diagnosis rules for each kind of scenario. */
export const RULES = { ralph, scripted, conversation };

/** Analyzes a run by rules only: needs no model, costs nothing, and always gives the same answer. */
export const analysis = createAnalysis(RULES, facts, traceFailure);
