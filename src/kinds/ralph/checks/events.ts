import type { Check } from '../../../domain/check.js';
import { aboutWanted, holds, list, show, type Wanted } from '../../../domain/checks/text.js';

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
