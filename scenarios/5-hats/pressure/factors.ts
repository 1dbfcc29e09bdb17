import { atMost, onAnyPrompt, type PressureFactor, type QualityCriterion } from '../../../src/authoring.js';

/** The kinds of pressure, each with why it presses; a scenario says how it applies them. */
const WHY = {
  Ambiguity: 'The agent might guess instead of asking or looking closer.',
  Complexity: 'The agent might lose a step, or mix two up.',
  'Few iterations': 'The agent might rush, or be cut off in the middle of its work.',
  Conflict: 'The agent might follow whoever speaks last, and keep quiet about it.',
  'Edge cases': 'The agent might fail on what it did not expect, or leave it out.',
  'Words for deeds': 'The agent might acknowledge its role and then act as without it.',
} as const satisfies Readonly<Record<string, string>>;

/** A pressure factor: its kind, and how this scenario applies it. */
export function factor(name: keyof typeof WHY, description: string): PressureFactor {
  return { name, description, why: WHY[name] };
}

/** How directly the agent came to its end under pressure. */
export function directness(iterations: number, events: number): readonly QualityCriterion[] {
  return [
    atMost('Iterations', (evidence) => evidence.iterations.length, {
      optimal: iterations,
      acceptable: iterations + 1,
      unit: 'iterations',
    }),
    atMost('Events', (evidence) => evidence.events.filter(({ source }) => source === 'agent').length, {
      optimal: events,
      acceptable: events + 2,
      unit: 'events of the agent',
    }),
  ];
}

/** The loop is left to Ralph once the hats have reported. */
export const ENDING =
  'Once the last hat has published its event, nothing is left to do: then declare the objective complete.';

/** What an agent does that nobody tells anything: nothing. The last rule, so that a broken target meets an agent. */
export const idle = onAnyPrompt().says('I find nothing here that I should do.');
