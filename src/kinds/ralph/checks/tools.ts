import type { Check } from '../../../domain/check.js';
import { isSpeech } from '../../../domain/checks/speech.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import type { Evidence, ToolCall } from '../../../domain/evidence/evidence.js';
import { aboutIteration, type Where } from './agent.js';

/** What to look for in a tool call. */
export interface ToolExpectation extends Where {
  /** A text or pattern in the input, which is JSON. */
  readonly input?: Wanted;
  /** A text or pattern in the result. */
  readonly result?: Wanted;
}

/** Checks that a tool call succeeded and returned its result to the agent. Only Claude's output shows tool calls. */
export function toolUsed(tool: string, wanted: ToolExpectation = {}): Check {
  const { input, result, iteration } = wanted;
  const details = [
    ...(input === undefined ? [] : [`input ${show(input)}`]),
    ...(result === undefined ? [] : [`result ${show(result)}`]),
  ].join(' and ');
  const sentence = `tool ${tool} runs${details === '' ? '' : ` with ${details}`}`;
  return {
    kind: 'toolUsed',
    judges: 'agent',
    name: iteration === undefined ? sentence : `${sentence} in iteration ${iteration}`,
    about: { tool, ...aboutIteration(wanted), ...aboutWanted(input, result) },
    category: 'OutputContains',
    judge: (evidence) => {
      const calls = callsOf(evidence, iteration);
      return {
        passed: calls.some(
          (call) =>
            call.name === tool &&
            !call.isError &&
            call.result !== null &&
            holds(call.input, input ?? '') &&
            holds(call.result, result ?? ''),
        ),
        expected: `a successful call of ${tool}${details === '' ? '' : ` with ${details}`}`,
        actual: list(calls.map(describeCall), 'no tool was called'),
        suggestion: 'Did the agent have the tool, and was it allowed to use it?',
      };
    },
  };
}

function callsOf({ iterations }: Evidence, iteration: number | undefined): readonly ToolCall[] {
  return iterations
    .filter(({ number }) => iteration === undefined || number === iteration)
    .flatMap(({ toolCalls }) => toolCalls);
}

function describeCall({ name, input, result, isError }: ToolCall): string {
  const outcome = result === null ? 'no result' : `${isError ? 'error ' : ''}${excerpt(result, 80)}`;
  return `${name} ${excerpt(input, 80)}: ${outcome}`;
}

/**
 * Checks that the agent said each text on a line of its own, in this order, which shows that the stream was read block
 * by block.
 */
export function saidInOrder(...texts: readonly string[]): Check {
  return {
    kind: 'saidInOrder',
    judges: 'agent',
    name: `the agent says ${texts.map(show).join(', then ')}`,
    about: { texts },
    category: 'OutputContains',
    judge: ({ iterations }) => {
      const lines = iterations.flatMap(({ said }) => said.split('\n'));
      let next = 0;
      for (const line of lines) if (next < texts.length && isSpeech(line, texts[next] ?? '')) next += 1;
      return {
        passed: next === texts.length,
        expected: list(texts.map(show)),
        actual: `${next} of ${texts.length} in order: ${excerpt(lines.join(' | '))}`,
      };
    },
  };
}

/** Checks that the CLI reported its usage without an error: a model, at least this many turns, and tokens in and out. */
export function usageReported(atLeast: { readonly turns: number }): Check {
  return {
    kind: 'usageReported',
    name: `the agent's CLI reports at least ${countNoun(atLeast.turns, 'turn')} and its tokens`,
    about: { limit: atLeast.turns },
    category: 'OutputContains',
    judge: ({ usage, backendErrors }) => ({
      passed:
        usage !== null &&
        usage.model !== null &&
        usage.turns >= atLeast.turns &&
        usage.inputTokens > 0 &&
        usage.outputTokens > 0 &&
        backendErrors.length === 0,
      expected: `a result without error, a model, at least ${countNoun(atLeast.turns, 'turn')}, and tokens in and out`,
      actual:
        usage === null
          ? 'no result from the CLI'
          : `model ${usage.model ?? 'unknown'}, ${countNoun(usage.turns, 'turn')}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out; errors: ${list(backendErrors.map((error) => excerpt(error, 80)))}`,
      suggestion: 'Look at the last lines of the iteration: did the stream end early?',
    }),
  };
}
