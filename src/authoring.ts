/** Everything that a scenario is written with. The catalogue imports this and nothing else of ours. */
export { onAnyPrompt, onEvent, onHat, onObjective, onPrompt, type RuleBuilder } from './agent/builder.js';
export type { Check, CheckCategory, Verdict } from './domain/check.js';
export * from './domain/checks/index.js';
export type { Evidence } from './domain/evidence.js';
export {
  type Arrangement,
  type Scenario,
  type ScenarioContext,
  type ScenarioDefinition,
  scenario,
} from './domain/scenario.js';
export { BACKEND_IDS, type BackendId, type Lane } from './domain/vocabulary.js';
export { type LoopSettings, loop, type RalphConfig } from './ralph/config.js';
