export { devServerRan, fileSeen, nothingOdd, oddityFound } from './context.js';
export { commitIs, commitsMade, fileAfterTurn, turnChanges, turnChangesOnly } from './files-and-commits.js';
export { callDenied, hookBlocked, hookLogged, hookRan } from './hooks.js';
export { commandsOffered, componentsOffered, mcpServerIs, pluginFailed, pluginLoaded } from './plugins.js';
export {
  commandsChained,
  commandsWere,
  noStageSkipped,
  stageNotReached,
  stageReached,
  stagesWere,
} from './stages.js';
export {
  modelReceived,
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
