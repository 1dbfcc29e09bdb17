import type { Check } from '../../../domain/check.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import { checkTurn } from './check-turn.js';

/**
 * Checks that the model received this in a turn: in the prompt, in what hooks and skills add, in the result of a tool,
 * or in the instructions. Each request counts with what is new in it. Works in the offline lanes only.
 */
export function modelReceived(
  turn: number,
  wanted: Wanted,
  {
    request,
  }: {
    /** Only this request of the turn, from 1. The next one follows the first result of a tool. */
    readonly request?: number;
  } = {},
): Check {
  const where = request === undefined ? `in turn ${turn}` : `in request ${request} of turn ${turn}`;
  return checkTurn(turn, {
    kind: 'modelReceived',
    name: `the model receives ${show(wanted)} ${where}`,
    about: { ...aboutWanted(wanted) },
    category: 'PromptEffectiveness',
    judge: ({ received }) => {
      const expected = `a request to the model with ${show(wanted)} ${where}`;
      if (received === undefined) {
        return {
          passed: false,
          expected,
          actual: 'requests that nobody saw: only the offline lanes record them',
        };
      }
      const asked = request === undefined ? received : received.slice(request - 1, request);
      return {
        passed: asked.some((text) => holds(text, wanted)),
        expected,
        actual: `${countNoun(received.length, 'request')}: ${list(
          asked.map((text) => excerpt(text.slice(-200), 200)),
          'none that was asked for',
        )}`,
      };
    },
  });
}
