export { agentSaid, backendReported, hatActive, promptContained } from './agent.js';
export { anyOf } from './any-of.js';
export { completed, failedToRun, iterationCount, iterationLasted, terminatedBecause } from './ending.js';
export { eventEmitted, eventsInOrder } from './events.js';
export { fileContains, fileEquals, scratchpadContains } from './files.js';
export {
  backendNeverCalled,
  endedByItself,
  harnessWouldSkip,
  nothingLeftBehind,
  scriptAnswered,
} from './harness.js';
