import type { Check } from '../../../domain/check.js';
import { aboutWanted, excerpt, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { TurnOutcome } from '../../../domain/evidence/conversation.js';
import { describeOutcome } from '../session/describe-outcome.js';
import { isTool } from '../stages/tool-class.js';
import { assertCommandSuggested } from '../strategies/command-suggested.js';
import { assertErrorHandledGracefully } from '../strategies/error-handling.js';
import { assertContainsKeywords } from '../strategies/keywords.js';
import { assertSpecificFeedback } from '../strategies/specific-feedback.js';
import { assertToolsUsed } from '../strategies/tools-used.js';
import { checkConversation, checkTurn } from './check-turn.js';

/** Every turn ends as planned, but for those that are meant to end otherwise. */
export function turnsCompleted({ but = [] }: { readonly but?: readonly number[] } = {}): Check {
  return checkConversation({
    kind: 'turnsCompleted',
    name:
      but.length === 0 ? 'every turn completes' : `every turn completes, but for ${list(but.map(String))}`,
    about: { reason: 'completed' },
    category: 'TerminationReason',
    judge: ({ turns, planned }) => {
      const broken = turns.filter(
        ({ number, outcome }) => outcome.kind !== 'completed' && !but.includes(number),
      );
      return {
        passed: broken.length === 0 && turns.length === planned,
        expected: `${planned} turns that complete`,
        actual:
          broken.length === 0
            ? `${turns.length} turn(s)`
            : broken.map(({ number, outcome }) => `turn ${number}: ${describeOutcome(outcome)}`).join('; '),
      };
    },
  });
}

/** A turn ends in another way than by an answer: blocked by a hook, cancelled, a command that there is not. */
export function turnEnded(
  turn: number,
  kind: Exclude<TurnOutcome['kind'], 'completed'>,
  wanted?: Wanted,
): Check {
  const why = wanted === undefined ? '' : ` with ${show(wanted)}`;
  return checkTurn(turn, {
    kind: 'turnEnded',
    name: `turn ${turn} ends ${kind}${why}`,
    about: { reason: kind, ...aboutWanted(wanted) },
    category: 'TerminationReason',
    judge: ({ outcome }) => ({
      passed: outcome.kind === kind && (wanted === undefined || holds(describeOutcome(outcome), wanted)),
      expected: `${kind}${why}`,
      actual: describeOutcome(outcome),
    }),
  });
}

/** The answer speaks of these things. */
export function turnMentions(
  turn: number,
  keywords: readonly string[],
  { all = false }: { readonly all?: boolean } = {},
): Check {
  return checkTurn(turn, {
    kind: 'turnMentions',
    name: `turn ${turn} mentions ${all ? 'all' : 'some'} of ${list(keywords)}`,
    about: { texts: keywords },
    category: 'OutputContains',
    judge: (said) => {
      const { passed, details } = assertContainsKeywords(said.text, keywords, { requireAll: all });
      return {
        passed,
        expected: `${all ? 'all' : 'one'} of ${list(keywords)}`,
        actual: `${details}; said ${excerpt(said.text)}`,
      };
    },
  });
}

/** The answer has this in it. */
export function turnSays(turn: number, wanted: Wanted): Check {
  return checkTurn(turn, {
    kind: 'turnSays',
    name: `turn ${turn} says ${show(wanted)}`,
    about: aboutWanted(wanted),
    category: 'OutputContains',
    judge: ({ text }) => ({ passed: holds(text, wanted), expected: show(wanted), actual: excerpt(text) }),
  });
}

/** The answer proposes a command to go on with. */
export function turnSuggests(turn: number, command: string): Check {
  return checkTurn(turn, {
    kind: 'turnSuggests',
    name: `turn ${turn} suggests ${command}`,
    about: { names: [command] },
    category: 'PromptEffectiveness',
    judge: ({ text }) => {
      const { passed, details } = assertCommandSuggested(text, command);
      return { passed, expected: `${command} as the next step`, actual: `${details}; said ${excerpt(text)}` };
    },
  });
}

/** The agent used these tools in a turn, each named by class, own name or the end of an MCP tool's, and they worked. */
export function turnUses(turn: number, ...tools: readonly string[]): Check {
  return checkTurn(turn, {
    kind: 'turnUses',
    name: `turn ${turn} uses ${list(tools)}`,
    about: { tools },
    category: 'PromptEffectiveness',
    judge: ({ calls }) => {
      const done = calls.filter(({ isError }) => !isError);
      const { passed, details } = assertToolsUsed(done, tools, { requireAll: true });
      return { passed, expected: `successful calls of ${list(tools)}`, actual: details };
    },
  });
}

/** The agent keeps its hands off these tools in a turn. */
export function turnAvoids(turn: number, ...tools: readonly string[]): Check {
  return checkTurn(turn, {
    kind: 'turnAvoids',
    name: `turn ${turn} uses no ${list(tools)}`,
    about: { tools },
    category: 'PromptEffectiveness',
    judge: ({ calls }) => {
      const used = calls.filter((call) => tools.some((tool) => isTool(call, tool)));
      return {
        passed: used.length === 0,
        expected: `no call of ${list(tools)}`,
        actual: list(used.map(({ name, input }) => `${name} ${excerpt(JSON.stringify(input), 80)}`)),
      };
    },
  });
}

/** A tool answered with this. */
export function toolAnswered(turn: number, tool: string, wanted: Wanted, { failed = false } = {}): Check {
  return checkTurn(turn, {
    kind: 'toolAnswered',
    name: `in turn ${turn} ${tool} ${failed ? 'fails' : 'answers'} with ${show(wanted)}`,
    about: { tool, ...aboutWanted(wanted) },
    category: 'OutputContains',
    judge: ({ calls }) => {
      const made = calls.filter((call) => isTool(call, tool));
      return {
        passed: made.some(({ result, isError }) => isError === failed && holds(result ?? '', wanted)),
        expected: `${failed ? 'an error' : 'a result'} of ${tool} with ${show(wanted)}`,
        actual: list(
          made.map(({ result, isError }) => `${isError ? 'an error' : 'a result'}: ${excerpt(result)}`),
          `no call of ${tool}`,
        ),
      };
    },
  });
}

/** The answer takes an error calmly: it names it and goes on from it. */
export function turnHandlesError(turn: number, errorType: string): Check {
  return checkTurn(turn, {
    kind: 'turnHandlesError',
    name: `turn ${turn} takes ${errorType} calmly`,
    about: { names: [errorType] },
    category: 'PromptEffectiveness',
    judge: ({ text }) => {
      const { passed, details } = assertErrorHandledGracefully(text, errorType);
      return {
        passed,
        expected: 'the error named, and a way on',
        actual: `${details}; said ${excerpt(text)}`,
      };
    },
  });
}

/** The answer names at least so many things with their values. */
export function turnIsSpecific(turn: number, atLeast: number): Check {
  return checkTurn(turn, {
    kind: 'turnIsSpecific',
    name: `turn ${turn} names at least ${atLeast} things with their values`,
    about: { limit: atLeast },
    category: 'PromptEffectiveness',
    judge: ({ text }) => {
      const { passed, details, specific_items: items } = assertSpecificFeedback(text, atLeast);
      return {
        passed,
        expected: `${atLeast} items such as "padding 32px should be 24px"`,
        actual: `${details}: ${list(items.map((item) => excerpt(item, 80)))}`,
      };
    },
  });
}
