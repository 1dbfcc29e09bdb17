export { anyOf } from '../check.js';
export { errandAnswered, memoriesListed, type WantedAnswer } from './errands.js';
export { fileContains, fileEquals, fileHasJson, scratchpadContains } from './files.js';
export {
  backendNeverCalled,
  endedByItself,
  harnessWouldSkip,
  nothingLeftBehind,
  recordsAgree,
  scriptAnswered,
  stayedInside,
} from './harness.js';
export type { WantedJson } from './wanted-json.js';
