export { agentSaid, backendReported, hatActive, promptContained } from './agent.js';
export {
  completed,
  endedAtOnce,
  failedToRun,
  iterationCount,
  iterationLasted,
  iterationsAtLeast,
  terminatedBecause,
} from './ending.js';
export { eventEmitted, eventsInOrder, pendingAfter, pendingEvents } from './events.js';
export {
  hatCalledWith,
  hatCalledWithout,
  hatNeverActive,
  hatRanOn,
  hatSequence,
  publishedByRalph,
  toldFrom,
  toldOnlyTo,
  toldTimes,
  toldToNobody,
} from './hats.js';
export {
  countsOnFrom,
  cutOffBefore,
  earlierSessionEnded,
  iterationEndedWithin,
  printedAtLeast,
  promptExceeds,
  promptLacked,
} from './loop.js';
export {
  keptOutOfPrompt,
  memoryAbsent,
  memoryBudgetKept,
  memoryInjected,
  memoryStored,
  noMemoriesInjected,
  taskIs,
  type WantedMemory,
} from './memory.js';
export { allOf, fileLacks, fileUntouched, iterationsAtMost } from './pressure.js';
export { endReported, pausedBefore } from './record.js';
export { printedJson, printedOnlyJson } from './rpc.js';
export { saidInOrder, toolUsed, usageReported } from './tools.js';
