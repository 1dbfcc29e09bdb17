import { conversationRules } from '../../kinds/conversation/diagnosis/rules.js';
import { bareRules, promptRules, scriptRules, workRules } from '../../kinds/ralph/diagnosis/agent.js';
import { eventRules } from '../../kinds/ralph/diagnosis/event.js';
import { lostEventRules } from '../../kinds/ralph/diagnosis/event-lost.js';
import { fallbackRules, terminationRules } from '../../kinds/ralph/diagnosis/loop.js';
import { memoryRules } from '../../kinds/ralph/diagnosis/memory.js';
import { paceRules, routingRules } from '../../kinds/ralph/diagnosis/routing.js';
import { runawayRules } from '../../kinds/ralph/diagnosis/runaway.js';
import { backendRules } from './backend.js';
import { processRules } from './process.js';
import type { DiagnosisRule } from './rule.js';

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
