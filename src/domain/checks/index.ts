export { agentSaid, backendReported, hatActive, promptContained } from '../../kinds/ralph/checks/agent.js';
export {
  completed,
  failedToRun,
  iterationCount,
  iterationLasted,
  terminatedBecause,
} from '../../kinds/ralph/checks/ending.js';
export { eventEmitted, eventsInOrder } from '../../kinds/ralph/checks/events.js';
export {
  hatCalledWith,
  hatNeverActive,
  hatRanOn,
  hatSequence,
  publishedByRalph,
  toldOnlyTo,
  toldTimes,
  toldToNobody,
} from '../../kinds/ralph/checks/hats.js';
export {
  countsOnFrom,
  cutOffBefore,
  earlierSessionEnded,
  iterationEndedWithin,
  printedAtLeast,
  promptExceeds,
  promptLacked,
} from '../../kinds/ralph/checks/loop.js';
export {
  keptOutOfPrompt,
  memoryAbsent,
  memoryBudgetKept,
  memoryInjected,
  memoryStored,
  noMemoriesInjected,
  type WantedMemory,
} from '../../kinds/ralph/checks/memory.js';
export { pendingAfter, pendingEvents } from '../../kinds/ralph/checks/pending.js';
export { allOf, fileLacks, fileUntouched, iterationsAtMost } from '../../kinds/ralph/checks/pressure.js';
export { taskIs } from '../../kinds/ralph/checks/tasks.js';
export { saidInOrder, toolUsed, usageReported } from '../../kinds/ralph/checks/tools.js';
export { anyOf } from './any-of.js';
export { errandAnswered, memoriesListed, type WantedAnswer } from './errands.js';
export { fileContains, fileEquals, scratchpadContains } from './files.js';
export {
  backendNeverCalled,
  endedByItself,
  harnessWouldSkip,
  nothingLeftBehind,
  scriptAnswered,
  stayedInside,
} from './harness.js';
