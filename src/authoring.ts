/** Everything that scenarios are written with. The catalog imports nothing else from `src/`. */

export { onAnyPrompt, onEvent, onHat, onObjective, onPrompt, type RuleBuilder } from './agent/builder.js';
export { changingResponses, changingSteps, onlyIn, type Verb, without } from './agent/sabotage.js';
export type { AgentScript, Step } from './domain/agent-script.js';
export {
  type About,
  type Check,
  type CheckCategory,
  type CommonCheck,
  type Expectation,
  guard,
  type Verdict,
} from './domain/check.js';
export * from './domain/checks/index.js';
export type { HeldPromise } from './domain/contract.js';
export type { Evidence } from './domain/evidence/evidence.js';
export { HOOK_PHASES, RALPH_TOPICS, rowWithTopic } from './domain/evidence/ralph-words.js';
export type { FailureType } from './domain/report/analysis.js';
export type { ArrangedFile, Arrangement, Errand, ScenarioContext } from './domain/scenario/arrangement.js';
export type {
  ConversationArrangement,
  ConversationErrand,
  DevServer,
  PlannedTurn,
  PluginSource,
} from './domain/scenario/conversation-arrangement.js';
export type { KnownIssueDefinition } from './domain/scenario/known-issue.js';
export { atMost, type PressureFactor, type QualityCriterion } from './domain/scenario/pressure.js';
export type { BuiltInSaboteur, Saboteur } from './domain/scenario/saboteur.js';
export {
  type ConversationDefinition,
  type ConversationScenario,
  conversation,
  type DefinitionOf,
  type RalphScenario,
  type Scenario,
  type ScenarioDefinition,
  scenario,
} from './domain/scenario/scenario.js';
export type { StubbedServer } from './domain/stub/script.js';
export { BACKEND_IDS, type BackendId, commandOf, type Lane, PRIMARY_BACKENDS } from './domain/vocabulary.js';
export * from './kinds/conversation/checks/index.js';
export { renderProject } from './kinds/conversation/projects/create-test-project.js';
export { fixtureMarketplace, fixturePluginFolder } from './kinds/conversation/projects/fixture-plugins.js';
export { agentLoop, epti, visualIteration } from './kinds/conversation/workflows.js';
export * from './kinds/ralph/checks/index.js';
export { type LoopSettings, loop, type RalphConfig } from './kinds/ralph/config.js';
export { type HatSettings, type Hats, hats } from './kinds/ralph/hats.js';
