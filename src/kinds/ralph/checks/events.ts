import type { Check } from '../../../domain/check.js';
import { aboutWanted, excerptBeside, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import { pendingIn } from '../../../domain/evidence/facts.js';
import { aboutIteration, namePrompt, pickIterations, promptOf, type Where } from './agent.js';

/** Checks that an agent emitted this event, with this text in its payload, and that Ralph recorded it. */
export function eventEmitted(topic: string, payload?: Wanted): Check {
  const wanted = payload === undefined ? '' : ` with payload ${show(payload)}`;
  return {
    kind: 'eventEmitted',
    judges: 'agent',
    name: `event ${topic} is emitted${wanted}`,
    about: { topic, ...aboutWanted(payload) },
    category: payload === undefined ? 'EventEmitted' : 'EventPayload',
    judge: ({ events }) => {
      const emitted = events.filter(({ source }) => source === 'agent');
      const matching = emitted.filter((event) => event.topic === topic);
      const found =
        payload === undefined ? matching : matching.filter((event) => holds(event.payload ?? '', payload));
      return {
        passed: found.length > 0,
        expected: `event ${topic}${wanted}`,
        actual:
          matching.length > 0
            ? `${topic} with payload ${list(matching.map((event) => show(event.payload ?? '')))}`
            : `agents emitted ${list(
                emitted.map((event) => event.topic),
                'nothing',
              )}`,
      };
    },
  };
}

/** Checks that agents emitted these events in this order. Other events may come between them. */
export function eventsInOrder(...topics: readonly string[]): Check {
  return {
    kind: 'eventsInOrder',
    judges: 'agent',
    name: `agents emit ${topics.join(', then ')}`,
    about: { topics },
    category: 'EventEmitted',
    judge: ({ events }) => {
      const emitted = events.filter(({ source }) => source === 'agent').map(({ topic }) => topic);
      let next = 0;
      for (const topic of emitted) if (topic === topics[next]) next += 1;
      return { passed: next === topics.length, expected: list(topics), actual: list(emitted) };
    },
  };
}

/** Checks that a prompt, or the prompt of one iteration, lists exactly these events as pending, in this order. */
export function pendingEvents(topics: readonly string[], where: Where = {}): Check {
  const one = where.iteration === undefined ? namePrompt(where) : `iteration ${where.iteration}`;
  const place = one === null ? 'alone in a prompt' : `in ${one}`;
  return onUncut('prompts', {
    kind: 'pendingEvents',
    judges: 'course',
    name: `${list(topics, 'nothing')} ${topics.length > 1 ? 'are' : 'is'} pending ${place}`,
    about: { topics, ...aboutIteration(where) },
    category: 'PromptContent',
    judge: (evidence) => {
      const found = pickIterations(evidence, where).flatMap(({ number }) => {
        const pending = pendingIn(evidence, number);
        return pending === null ? [] : [pending.map(({ topic }) => topic)];
      });
      return {
        passed: found.some((pending) => pending.join('\n') === topics.join('\n')),
        expected: `pending in ${promptOf(where)}: ${list(topics)}`,
        actual:
          found.length === 0
            ? 'Ralph logged no such prompt'
            : `pending: ${found.map((pending) => list(pending)).join(' | ')}`,
        suggestion: 'Compare with the events file: what was published, and what did Ralph make of it?',
      };
    },
  });
}

/** Checks that the event that Ralph lists as pending right after a marker event has this topic and payload text. */
export function pendingAfter(
  marker: string,
  wanted: { readonly topic: string; readonly payload: Wanted },
): Check {
  const { topic, payload } = wanted;
  return {
    kind: 'pendingAfter',
    judges: 'course',
    name: `${marker} is followed by ${topic}`,
    about: { topics: [marker, topic], ...aboutWanted(payload) },
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = evidence.iterations.map(({ number }) => pendingIn(evidence, number) ?? []);
      const pending = prompts.find((events) => events.some((event) => event.topic === marker));
      const next = pending?.[pending.findIndex((event) => event.topic === marker) + 1];
      return {
        passed: next !== undefined && next.topic === topic && holds(next.payload, payload),
        expected: `${topic} with ${show(payload)} right after ${marker}`,
        actual:
          pending === undefined
            ? `${marker} is not pending; pending: ${list(prompts.flat().map((event) => event.topic))}`
            : next === undefined
              ? `nothing after ${marker}`
              : `${next.topic} with ${excerptBeside(next.payload, typeof payload === 'string' ? payload : '')}`,
      };
    },
  };
}
