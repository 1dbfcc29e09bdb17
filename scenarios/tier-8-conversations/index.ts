import type { Scenario } from '../../src/authoring.js';
import { agentLoopBugfix } from './agent-loop-bugfix.js';

/** Conversations of many turns with a plugin. */
export const conversations: readonly Scenario[] = [agentLoopBugfix];
