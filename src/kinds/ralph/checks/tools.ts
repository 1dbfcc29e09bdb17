import type { Check } from '../../../domain/check.js';
import { aboutWanted, excerpt, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { Evidence, ToolCall } from '../../../domain/evidence/evidence.js';
import { aboutIteration, type Where } from './agent.js';

/** What a tool call must have been, and what must have come back. */
export interface ToolExpectation extends Where {
  /** In the input that the agent gave, which is JSON. */
  readonly input?: Wanted;
  /** In what the tool answered. */
  readonly result?: Wanted;
}

/** A tool ran with this input, did not fail, and its result came back to the agent. Only Claude's output tells. */
export function toolUsed(tool: string, wanted: ToolExpectation = {}): Check {
  const { input, result, iteration } = wanted;
  const details = [
    ...(input === undefined ? [] : [`with input ${show(input)}`]),
    ...(result === undefined ? [] : [`with result ${show(result)}`]),
  ].join(' and ');
  const sentence = `tool ${tool} runs${details === '' ? '' : ` ${details}`}`;
  return {
    kind: 'toolUsed',
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
        expected: `a call of ${tool} that came back${details === '' ? '' : ` ${details}`}`,
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

/** Each text is a block of its own in the agent's words, in this order: the stream was read block by block. */
export function saidInOrder(...texts: readonly string[]): Check {
  return {
    kind: 'saidInOrder',
    name: `the agent says ${texts.map(show).join(', then ')}`,
    about: { texts },
    category: 'OutputContains',
    judge: ({ iterations }) => {
      const lines = iterations.flatMap(({ said }) => said.split('\n').map((line) => line.trim()));
      let next = 0;
      for (const line of lines) if (line === texts[next]) next += 1;
      return {
        passed: next === texts.length,
        expected: list(texts.map(show)),
        actual: `${next} of ${texts.length} in order: ${excerpt(lines.join(' | '))}`,
      };
    },
  };
}

/** Every iteration ended with a result of the CLI: no error, a model, so many turns of it, and tokens both ways. */
export function usageReported(atLeast: { readonly turns: number }): Check {
  return {
    kind: 'usageReported',
    name: `the agent's CLI reports a result with at least ${atLeast.turns} turns and its tokens`,
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
      expected: `a result without error, a model, at least ${atLeast.turns} turns, and tokens in and out`,
      actual:
        usage === null
          ? 'no result of the CLI'
          : `model ${usage.model ?? 'unknown'}, ${usage.turns} turns, ${usage.inputTokens} tokens in, ${usage.outputTokens} out; errors: ${list(backendErrors.map((error) => excerpt(error, 80)))}`,
      suggestion: 'Look at the last lines of the iteration: did the stream break off?',
    }),
  };
}
