import { atMost, onAnyPrompt, type PressureFactor, type QualityCriterion } from '../../../src/authoring.js';

/** The kinds of pressure, each with the way in which it can go wrong; a scenario says how it applies them. */
const WHY = {
  Ambiguity: 'The agent might guess instead of asking or looking closer.',
  Complexity: 'The agent might skip a step, or mix up two of them.',
  'Few iterations': 'The agent might rush, or be cut off in the middle of its work.',
  Conflict: 'The agent might follow whoever speaks last, and not mention it.',
  'Edge cases': 'The agent might fail on something unexpected, or leave it out.',
  'Words for deeds': 'The agent might acknowledge its role and then act as if it had none.',
} as const satisfies Readonly<Record<string, string>>;

/** Makes a pressure factor from its kind and how the scenario applies it. */
export function factor(name: keyof typeof WHY, description: string): PressureFactor {
  return { name, description, why: WHY[name] };
}

/** Rates how directly the agent finished under pressure. */
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

/** Tells Ralph to complete once the hats have reported. */
export const ENDING =
  'If no hat is active and the last hat has published its event, declare the objective complete, whatever that event reports.';

/** Does nothing, like an agent without instructions. It is the last rule, so a broken target still gets an answer. */
export const idle = onAnyPrompt().says('I have nothing to do here.');
