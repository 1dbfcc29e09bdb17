export { commandsChained, commandsWere } from './chains.js';
export { commitIs, commitsMade } from './commits.js';
export { fileSeen, nothingOdd, oddityFound } from './context.js';
export { devServerRan } from './dev-server.js';
export { callDenied, hookBlocked, hookLogged, hookRan } from './hooks.js';
export { modelReceived } from './model.js';
export { commandsOffered, componentsOffered, mcpServerIs, pluginFailed, pluginLoaded } from './plugins.js';
export { fileAfterTurn, turnChanges, turnChangesOnly } from './snapshots.js';
export { noStageSkipped, stageNotReached, stageReached, stagesWere } from './stages.js';
export {
  toolAnswered,
  turnAvoids,
  turnEnded,
  turnHandlesError,
  turnIsSpecific,
  turnMentions,
  turnSays,
  turnSuggests,
  turnsCompleted,
  turnUses,
} from './turns.js';
