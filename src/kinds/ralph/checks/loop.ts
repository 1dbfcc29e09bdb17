import type { Check } from '../../../domain/check.js';
import { aboutWanted, excerpt, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import { aboutIteration, type Where } from './agent.js';

/** ralph kept this from the agent; at least one prompt must be there to tell. */
export function promptLacked(wanted: Wanted, { iteration }: Where = {}): Check {
  const where = iteration === undefined ? '' : ` in iteration ${iteration}`;
  return onUncut('prompts', {
    kind: 'promptLacked',
    name: `the prompt does not contain ${show(wanted)}${where}`,
    about: { ...aboutIteration({ iteration }), ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const prompts = iterations
        .filter(({ number }) => iteration === undefined || number === iteration)
        .flatMap(({ prompt }) => (prompt === null ? [] : [prompt]));
      const found = prompts.filter((prompt) => holds(prompt, wanted)).length;
      return {
        passed: prompts.length > 0 && found === 0,
        expected: `a prompt${where} without ${show(wanted)}`,
        actual:
          prompts.length === 0 ? 'ralph logged no such prompt' : `in ${found} of ${prompts.length} prompt(s)`,
        suggestion: 'Something reached the agent that should not have: look for it in the prompts.',
      };
    },
  });
}

/** Some prompt was longer than this, so that what the scenario is about really happened. */
export function promptExceeds(bytes: number): Check {
  return {
    kind: 'promptExceeds',
    name: `a prompt is longer than ${bytes} bytes`,
    about: { limit: bytes },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const longest = Math.max(0, ...iterations.map(({ prompt }) => Buffer.byteLength(prompt ?? '')));
      return {
        passed: longest > bytes,
        expected: `more than ${bytes} bytes`,
        actual: longest === 0 ? 'ralph logged no prompt' : `${longest} bytes`,
      };
    },
  };
}

/** The agent was cut off before it could say this: its words up to there must be known, or nothing is proved. */
export function cutOffBefore(wanted: Wanted, iteration: number): Check {
  return {
    kind: 'cutOffBefore',
    name: `the agent is cut off before it says ${show(wanted)} in iteration ${iteration}`,
    about: { iteration, ...aboutWanted(wanted) },
    category: 'OutputContains',
    judge: ({ iterations }) => {
      const { said = '', saidCut } = iterations.find(({ number }) => number === iteration) ?? {};
      const known = saidCut !== true;
      return {
        passed: said.trim() !== '' && !holds(said, wanted) && known,
        expected: `some words without ${show(wanted)} in iteration ${iteration}`,
        actual: known ? excerpt(said) : `not all of its words are kept: ${excerpt(said)}`,
      };
    },
  };
}

/** An iteration was over in time: ralph did not wait for a backend that had nothing more to say. */
export function iterationEndedWithin(number: number, seconds: number): Check {
  return {
    kind: 'iterationEndedWithin',
    name: `iteration ${number} ends within ${seconds} s`,
    about: { iteration: number, limit: seconds },
    category: 'IterationCount',
    judge: ({ iterations }) => {
      const took = iterations.find((iteration) => iteration.number === number)?.durationSeconds ?? null;
      return {
        passed: took !== null && took <= seconds,
        expected: `at most ${seconds} s`,
        actual: took === null ? 'it was not finished' : `${took} s`,
      };
    },
  };
}

/** The loop counts its iterations on from an earlier run: its first one has this number. */
export function countsOnFrom(number: number): Check {
  return {
    kind: 'countsOnFrom',
    name: `the first iteration is number ${number}`,
    about: { limit: number },
    category: 'IterationCount',
    judge: ({ iterations }) => ({
      passed: iterations[0]?.number === number,
      expected: `iterations from number ${number} on`,
      actual: list(iterations.map((iteration) => `${iteration.number}`)),
    }),
  };
}

/** An earlier session in the same workspace ended with this exit code. */
export function earlierSessionEnded(exitCode: number): Check {
  return {
    kind: 'earlierSessionEnded',
    name: `the earlier session ends with exit code ${exitCode}`,
    category: 'ExitCode',
    judge: ({ errands }) => {
      const sessions = errands.filter(({ when, command }) => when === 'before' && command[1] === 'run');
      return {
        passed: sessions.length > 0 && sessions.every((session) => session.exitCode === exitCode),
        expected: `exit code ${exitCode}`,
        actual: list(
          sessions.map((session) => `exit code ${session.exitCode ?? 'none: it had to be ended'}`),
          'no session',
        ),
      };
    },
  };
}

/** ralph handed on at least so much of what its backend printed. */
export function printedAtLeast(bytes: number): Check {
  return {
    kind: 'printedAtLeast',
    name: `ralph prints at least ${bytes} bytes`,
    about: { limit: bytes },
    category: 'OutputContains',
    judge: ({ stdout }) => ({
      passed: stdout.bytes >= bytes,
      expected: `at least ${bytes} bytes on stdout`,
      actual: `${stdout.bytes} bytes`,
      suggestion: 'Part of what the backend printed was lost on its way through ralph.',
    }),
  };
}
