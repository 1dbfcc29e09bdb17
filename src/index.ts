/** The public API: everything to write scenarios with and to run them. */

export {
  type Agent,
  type AgentCall,
  type AgentOptions,
  type AgentReply,
  type CallOptions,
  createAgent,
} from './agent/library.js';
export type { ScriptSource } from './agent/script/load.js';
export type { ScriptContent } from './agent/script/native/schema.js';
export * from './authoring.js';
export { KnownError } from './domain/common/known-error.js';
export type {
  CallRecord,
  CommitRecord,
  ConversationRecord,
  DevServerRecord,
  FileSnapshot,
  Finding,
  HookRun,
  StageChange,
  StageProof,
  Turn,
  TurnOutcome,
  TurnSnapshot,
} from './domain/evidence/conversation.js';
export type { RequestRecord } from './domain/evidence/request-record.js';
export { type Report, reportSchema } from './domain/report/report.js';
export type { StageDefinition, StageEvidence, WorkflowDefinition } from './domain/scenario/workflow.js';
export { createModelServer, type ModelServerSettings, type ScriptedModel } from './harness/model-server.js';
export { type RunScenariosOptions, runScenarios } from './harness/run-scenarios.js';
export type { Closable } from './kinds/conversation/factories/closable.js';
export {
  type ConnectedHarness,
  connectHarness,
  HarnessCallError,
  type HarnessRequest,
} from './kinds/conversation/factories/connect-harness.js';
export {
  createProject,
  type Project,
  type ProjectOptions,
} from './kinds/conversation/factories/create-project.js';
export {
  type InstalledPlugin,
  installPlugin,
  type MarketplacePlugin,
} from './kinds/conversation/factories/install-plugin.js';
export {
  type OpenSession,
  openSession,
  type SessionRequest,
} from './kinds/conversation/factories/open-session.js';
export {
  type DevServerOptions,
  type StartedDevServer,
  startDevServer,
} from './kinds/conversation/factories/start-dev-server.js';
export {
  CommandAmbiguousError,
  CommandNotFoundError,
  type OfferedCommand,
} from './kinds/conversation/session/commands.js';
export { type StateChange, StateTransitionError } from './kinds/conversation/session/log.js';
export { describeOutcome } from './kinds/conversation/session/outcome.js';
export type {
  ConversationEvent,
  SessionEnd,
  StateName,
  TurnEnd,
} from './kinds/conversation/session/states.js';
export {
  findRepeatedCalls,
  findUnknownFiles,
  type SeenCall,
  type SeenTurn,
} from './kinds/conversation/stages/findings.js';
export { classesOf, TOOL_CLASSES, type ToolClass } from './kinds/conversation/stages/tool-class.js';
export { StageTracker, type WorkspaceChange } from './kinds/conversation/stages/tracker.js';
export type { FileAfterTurn } from './kinds/conversation/stages/workspace.js';
export { assertErrorHandledGracefully } from './kinds/conversation/strategies/error-handling.js';
export {
  assertCommandSuggested,
  assertContainsKeywords,
  assertSpecificFeedback,
} from './kinds/conversation/strategies/texts.js';
export { assertToolsUsed } from './kinds/conversation/strategies/tools-used.js';
export { assertWorkflowTransition } from './kinds/conversation/strategies/workflow-transition.js';
