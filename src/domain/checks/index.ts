export { anyOf } from './any-of.js';
export { errandAnswered, memoriesListed, type WantedAnswer } from './errands.js';
export { fileContains, fileEquals, scratchpadContains } from './files.js';
export {
  backendNeverCalled,
  endedByItself,
  harnessWouldSkip,
  nothingLeftBehind,
  recordsAgree,
  scriptAnswered,
  stayedInside,
} from './harness.js';
export { fileHasJson } from './json-file.js';
export type { WantedJson } from './wanted-json.js';
