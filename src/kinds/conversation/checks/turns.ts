import type { Check, Verdict } from '../../../domain/check.js';
import { says } from '../../../domain/checks/speech.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import type { TurnOutcome } from '../../../domain/evidence/conversation.js';
import { describeOutcome } from '../session/outcome.js';
import { isTool } from '../stages/tool-class.js';
import { assertErrorHandledGracefully } from '../strategies/error-handling.js';
import {
  assertCommandSuggested,
  assertContainsKeywords,
  assertSpecificFeedback,
} from '../strategies/texts.js';
import { assertToolsUsed } from '../strategies/tools-used.js';
import { checkConversation, checkTurn } from './check-turn.js';

/** Checks that every planned turn took place and completed. */
export function turnsCompleted({
  but = [],
}: {
  /** The turns that may end in another way. */
  readonly but?: readonly number[];
} = {}): Check {
  const except =
    but.length === 0 ? '' : `, except turn${but.length === 1 ? '' : 's'} ${list(but.map(String))}`;
  return checkConversation('turnsCompleted', 'TerminationReason', {
    name: `every turn completes${except}`,
    about: { reason: 'completed' },
    judge: ({ turns, planned }) => {
      const broken = turns.filter(
        ({ number, outcome }) => outcome.kind !== 'completed' && !but.includes(number),
      );
      return {
        passed: broken.length === 0 && turns.length === planned,
        expected: `${countNoun(planned, 'completed turn')}${except}`,
        actual:
          broken.length === 0
            ? countNoun(turns.length, 'turn')
            : broken.map(({ number, outcome }) => `turn ${number}: ${describeOutcome(outcome)}`).join('; '),
      };
    },
  });
}

/**
 * Checks that a turn ended without an answer: it was blocked by a hook, was cancelled, used an unknown command and so
 * on.
 */
export function turnEnded(
  turn: number,
  kind: Exclude<TurnOutcome['kind'], 'completed'>,
  wanted?: Wanted,
): Check {
  const why = wanted === undefined ? '' : ` with ${show(wanted)}`;
  return checkTurn(turn, 'turnEnded', 'TerminationReason', {
    name: `the outcome of turn ${turn} is ${kind}${why}`,
    about: { reason: kind, ...aboutWanted(wanted) },
    judge: ({ outcome }) => ({
      passed: outcome.kind === kind && (wanted === undefined || holds(describeOutcome(outcome), wanted)),
      expected: `${kind}${why}`,
      actual: describeOutcome(outcome),
    }),
  });
}

/** Checks that the answer in a turn mentions at least one of these keywords. */
export function turnMentions(
  turn: number,
  keywords: readonly string[],
  {
    all = false,
  }: {
    /** Whether the answer must mention all of them. */
    readonly all?: boolean;
  } = {},
): Check {
  const wanted = `${keywords.length === 1 ? '' : `${all ? 'all' : 'at least one'} of `}${list(keywords)}`;
  return checkTurn(turn, 'turnMentions', 'OutputContains', {
    judges: 'agent',
    name: `turn ${turn} mentions ${wanted}`,
    about: { texts: keywords, limit: all ? keywords.length : 1 },
    judge: ({ text }) =>
      quoteAnswer(text, wanted, assertContainsKeywords(text, keywords, { requireAll: all })),
  });
}

/** Checks that a turn's answer contains this text, decorated or not. */
export function turnSays(turn: number, wanted: Wanted): Check {
  return checkTurn(turn, 'turnSays', 'OutputContains', {
    judges: 'agent',
    name: `turn ${turn} says ${show(wanted)}`,
    about: aboutWanted(wanted),
    judge: ({ text }) => ({ passed: says(text, wanted), expected: show(wanted), actual: excerpt(text) }),
  });
}

/** Checks that the answer in a turn suggests a command as the next step. */
export function turnSuggests(turn: number, command: string): Check {
  return checkTurn(turn, 'turnSuggests', 'PromptEffectiveness', {
    judges: 'agent',
    name: `turn ${turn} suggests ${command}`,
    about: { names: [command] },
    judge: ({ text }) =>
      quoteAnswer(text, `${command} as the next step`, assertCommandSuggested(text, command)),
  });
}

/** Checks that a turn used all these tools successfully. Name a tool by class, full name or the end of an MCP tool's name. */
export function turnUses(turn: number, ...tools: readonly string[]): Check {
  return checkTurn(turn, 'turnUses', 'PromptEffectiveness', {
    judges: 'agent',
    name: `turn ${turn} uses ${list(tools)}`,
    about: { tools },
    judge: ({ calls }) => {
      const done = calls.filter(({ isError }) => !isError);
      const { passed, details } = assertToolsUsed(done, tools, { requireAll: true });
      return { passed, expected: `successful calls of ${list(tools)}`, actual: details };
    },
  });
}

/** Checks that a turn used none of these tools. */
export function turnAvoids(turn: number, ...tools: readonly string[]): Check {
  return checkTurn(turn, 'turnAvoids', 'PromptEffectiveness', {
    judges: 'agent',
    name: `turn ${turn} does not use ${tools.join(' or ')}`,
    about: { tools },
    judge: ({ calls }) => {
      const used = calls.filter((call) => tools.some((tool) => isTool(call, tool)));
      return {
        passed: used.length === 0,
        expected: `no call of ${tools.join(' or ')}`,
        actual: list(used.map(({ name, input }) => `${name} ${excerpt(JSON.stringify(input), 80)}`)),
      };
    },
  });
}

/** Checks that a tool returned a result, or with `failed` an error, that contains this text. */
export function toolAnswered(turn: number, tool: string, wanted: Wanted, { failed = false } = {}): Check {
  return checkTurn(turn, 'toolAnswered', 'OutputContains', {
    name: `${tool} ${failed ? 'fails with' : 'returns'} ${show(wanted)} in turn ${turn}`,
    about: { tool, ...aboutWanted(wanted) },
    judge: ({ calls }) => {
      const made = calls.filter((call) => isTool(call, tool));
      return {
        passed: made.some(({ result, isError }) => isError === failed && holds(result ?? '', wanted)),
        expected: `${failed ? 'an error' : 'a result'} from ${tool} with ${show(wanted)}`,
        actual: list(
          made.map(({ result, isError }) => `${isError ? 'an error' : 'a result'}: ${excerpt(result)}`),
          `no call of ${tool}`,
        ),
      };
    },
  });
}

/** Checks that the answer in a turn names an error and offers a way to recover from it. */
export function turnHandlesError(turn: number, errorType: string): Check {
  return checkTurn(turn, 'turnHandlesError', 'PromptEffectiveness', {
    judges: 'agent',
    name: `turn ${turn} handles ${errorType}`,
    about: { names: [errorType] },
    judge: ({ text }) =>
      quoteAnswer(
        text,
        'an answer that names the error and offers a way to recover',
        assertErrorHandledGracefully(text, errorType),
      ),
  });
}

/** Returns the verdict of a strategy, with the answer that it judged. */
function quoteAnswer(
  text: string,
  expected: string,
  { passed, details }: { readonly passed: boolean; readonly details: string },
): Verdict {
  return { passed, expected, actual: `${details}; the agent said ${excerpt(text)}` };
}

/** Checks that the answer in a turn names at least this many properties with their values. */
export function turnIsSpecific(turn: number, atLeast: number): Check {
  return checkTurn(turn, 'turnIsSpecific', 'PromptEffectiveness', {
    judges: 'agent',
    name: `turn ${turn} gives values for at least ${atLeast} ${atLeast === 1 ? 'property' : 'properties'}`,
    about: { limit: atLeast },
    judge: ({ text }) => {
      const { passed, details, specific_items: items } = assertSpecificFeedback(text, atLeast);
      return {
        passed,
        expected: `at least ${countNoun(atLeast, 'item')} such as "padding 32px should be 24px"`,
        actual: `${details}: ${list(items.map((item) => excerpt(item, 80)))}`,
      };
    },
  });
}

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
  return checkTurn(turn, 'modelReceived', 'PromptEffectiveness', {
    name: `the model receives ${show(wanted)} ${where}`,
    about: { ...aboutWanted(wanted) },
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
