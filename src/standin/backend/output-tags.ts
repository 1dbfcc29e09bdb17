import { faulty } from '../faults.js';

/** An event that the agent wrote into its text as `<event topic="x">payload</event>`. */
export interface TaggedEvent {
  readonly topic: string;
  readonly payload: string;
}

const OPEN = '<event ';
const CLOSE = '</event>';

/** Finds complete event tags in order; skips unfinished ones and those without a topic. */
export function parseEventTags(output: string): readonly TaggedEvent[] {
  return findTags(output).flatMap(({ tag, payload }) => {
    const topic = /topic="([^"]*)"/.exec(tag)?.[1];
    return topic === undefined ? [] : [{ topic, payload: payload.trim() }];
  });
}

/**
 * Whether the text itself promises completion: the promise alone on the last non-empty line. A promise inside any
 * event tag prevents it, so that mentioning the promise does not complete the loop.
 */
export function containsPromise(output: string, completionPromise: string): boolean {
  const promise = completionPromise.trim();
  if (promise === '') return false;
  if (output.includes(promise) && faulty('promise-anywhere')) return true;
  if (findTags(output, { topicless: true }).some(({ payload }) => payload.includes(promise))) return false;
  const lastLine = stripEventTags(output)
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
  return lastLine === promise;
}

/** The real scanner skips a tag without a topic differently for events than for the promise. */
function findTags(
  output: string,
  options: { topicless: boolean } = { topicless: false },
): readonly { tag: string; payload: string }[] {
  const found: { tag: string; payload: string }[] = [];
  let at = output.indexOf(OPEN);
  while (at >= 0) {
    const tagEnd = output.indexOf('>', at);
    if (tagEnd < 0) {
      at = output.indexOf(OPEN, at + OPEN.length);
      continue;
    }
    const tag = output.slice(at, tagEnd + 1);
    const close = output.indexOf(CLOSE, tagEnd + 1);
    if (close < 0 || (!options.topicless && !/topic="[^"]*"/.test(tag))) {
      at = output.indexOf(OPEN, tagEnd + 1);
      continue;
    }
    found.push({ tag, payload: output.slice(tagEnd + 1, close) });
    at = output.indexOf(OPEN, close + CLOSE.length);
  }
  return found;
}

function stripEventTags(output: string): string {
  let kept = '';
  let rest = output;
  for (let at = rest.indexOf(OPEN); at >= 0; at = rest.indexOf(OPEN)) {
    const close = rest.indexOf(CLOSE, at);
    if (close < 0) break;
    kept += rest.slice(0, at);
    rest = rest.slice(close + CLOSE.length);
  }
  return kept + rest;
}
