import type { DiagnosisRule } from './rule.js';
import { bareRules, promptRules, scriptRules, workRules } from './rules-agent.js';
import { backendRules } from './rules-backend.js';
import { conversationRules } from './rules-conversation.js';
import { eventRules } from './rules-event.js';
import { lostEventRules } from './rules-event-lost.js';
import { fallbackRules, terminationRules } from './rules-loop.js';
import { memoryRules } from './rules-memory.js';
import { processRules } from './rules-process.js';
import { paceRules, routingRules } from './rules-routing.js';
import { runawayRules } from './rules-runaway.js';

/**
 * The first rule that applies explains the failure, so they stand in the order of causes: what kept the target from
 * running at all, then the backend, then what the agent was sent and did, then how the loop ended, then mere
 * differences. The last one always applies.
 */
export const DIAGNOSIS_RULES: readonly DiagnosisRule[] = [
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
  ...terminationRules,
  ...workRules,
  ...fallbackRules,
];

/** A conversation has no loop, no hats and no events of ralph: the rules about these would see ghosts. */
export const CONVERSATION_RULES: readonly DiagnosisRule[] = [
  ...processRules,
  ...backendRules,
  ...scriptRules,
  ...conversationRules,
  ...workRules,
  ...fallbackRules,
];
