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
export { eventEmitted, eventsInOrder } from './events.js';
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
  type WantedMemory,
} from './memory.js';
export { pendingAfter, pendingEvents } from './pending.js';
export { allOf, fileLacks, fileUntouched, iterationsAtMost } from './pressure.js';
export { endReported, pausedBefore } from './record.js';
export { printedJson, printedOnlyJson } from './rpc.js';
export { taskIs } from './tasks.js';
export { saidInOrder, toolUsed, usageReported } from './tools.js';
