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
export { KnownError } from './domain/known-error.js';
export { type Report, reportSchema } from './domain/report.js';
export { type RunScenariosOptions, runScenarios } from './run-scenarios.js';
