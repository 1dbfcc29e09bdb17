import type { Check } from '../../../domain/check.js';
import { aboutWanted, excerpt, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import { pendingIn } from '../../../domain/evidence/facts.js';

/** Checks that the prompt for an iteration lists exactly these events as pending, in this order. */
export function pendingEvents(
  topics: readonly string[],
  { iteration }: { readonly iteration: number },
): Check {
  return onUncut('prompts', {
    kind: 'pendingEvents',
    name: `${list(topics, 'nothing')} ${topics.length > 1 ? 'are' : 'is'} pending in iteration ${iteration}`,
    about: { topics, iteration },
    category: 'PromptContent',
    judge: (evidence) => {
      const pending = pendingIn(evidence, iteration);
      const found = pending?.map(({ topic }) => topic) ?? [];
      return {
        passed: pending !== null && found.join('\n') === topics.join('\n'),
        expected: `pending: ${list(topics)}`,
        actual: pending === null ? 'Ralph logged no such prompt' : `pending: ${list(found)}`,
        suggestion: 'Compare with the events file: what was published, and what did Ralph make of it?',
      };
    },
  });
}

/** Checks that the event that Ralph lists as pending right after a marker event has this topic and payload text. */
export function pendingAfter(
  marker: string,
  wanted: { readonly topic: string; readonly payload: Wanted; readonly iteration: number },
): Check {
  const { topic, payload, iteration } = wanted;
  return {
    kind: 'pendingAfter',
    name: `${marker} is followed by ${topic} in iteration ${iteration}`,
    about: { topics: [marker, topic], iteration, ...aboutWanted(payload) },
    category: 'PromptContent',
    judge: (evidence) => {
      const pending = pendingIn(evidence, iteration) ?? [];
      const at = pending.findIndex((event) => event.topic === marker);
      const next = at < 0 ? undefined : pending[at + 1];
      return {
        passed: next !== undefined && next.topic === topic && holds(next.payload, payload),
        expected: `${topic} with ${show(payload)} right after ${marker}`,
        actual:
          at < 0
            ? `${marker} is not pending; pending: ${list(pending.map((event) => event.topic))}`
            : next === undefined
              ? `nothing after ${marker}`
              : `${next.topic} with ${excerpt(next.payload)}`,
      };
    },
  };
}
