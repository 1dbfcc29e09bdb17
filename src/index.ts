/** The public import: what scenarios are written with, and what runs them. */

export {
  type Agent,
  type AgentCall,
  type AgentOptions,
  type AgentReply,
  type CallOptions,
  createAgent,
} from './agent/library.js';
export * from './authoring.js';
export {
  CommandAmbiguousError,
  CommandNotFoundError,
  type OfferedCommand,
} from './conversation/commands.js';
export {
  findRepeatedCalls,
  findUnknownFiles,
  type SeenCall,
  type SeenTurn,
} from './conversation/context-findings.js';
export { describeOutcome } from './conversation/describe-outcome.js';
export { StageTracker, type WorldChange } from './conversation/stage-tracker.js';
export { type StateChange, StateTransitionError } from './conversation/state-log.js';
export type {
  ConversationAction,
  ConversationEvent,
  ConversationState,
  SentPrompt,
  SessionEnd,
  TurnEnd,
} from './conversation/state-machine.js';
export { assertCommandSuggested } from './conversation/strategies/command-suggested.js';
export { assertErrorHandledGracefully } from './conversation/strategies/error-handling.js';
export { assertContainsKeywords } from './conversation/strategies/keywords.js';
export { assertSpecificFeedback } from './conversation/strategies/specific-feedback.js';
export { assertToolsUsed } from './conversation/strategies/tools-used.js';
export { assertWorkflowTransition } from './conversation/strategies/workflow-transition.js';
export { classesOf, TOOL_CLASSES, type ToolClass } from './conversation/tool-class.js';
export type {
  CallRecord,
  CommitRecord,
  ConversationRecord,
  Finding,
  HookRun,
  StageChange,
  StageProof,
  Turn,
  TurnOutcome,
} from './domain/conversation.js';
export { KnownError } from './domain/known-error.js';
export { type Report, reportSchema } from './domain/report.js';
export type { StageDefinition, StageEvidence, WorkflowDefinition } from './domain/workflow.js';
export type { Closable } from './factories/closable.js';
export { createProject, type Project, type ProjectOptions } from './factories/create-project.js';
export {
  type InstalledPlugin,
  installPlugin,
  type MarketplacePlugin,
} from './factories/install-plugin.js';
export { type OpenSession, openSession, type SessionRequest } from './factories/open-session.js';
export { type RunScenariosOptions, runScenarios } from './run-scenarios.js';
