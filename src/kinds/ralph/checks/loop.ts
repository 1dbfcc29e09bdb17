import type { Check } from '../../../domain/check.js';
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
import { onUncut } from '../../../domain/checks/uncut.js';
import { aboutIteration, namePrompt, pickIterations, type Where } from './agent.js';

/**
 * Checks that no prompt contains this text or, with `iteration` or `nth`, that this one prompt does not. Fails if there
 * is no prompt.
 */
export function promptLacked(wanted: Wanted, where: Where = {}): Check {
  const one = namePrompt(where);
  return onUncut('prompts', {
    kind: 'promptLacked',
    name: one === null ? `no prompt contains ${show(wanted)}` : `${one} does not contain ${show(wanted)}`,
    about: { ...aboutIteration(where), ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = pickIterations(evidence, where).flatMap(({ prompt }) =>
        prompt === null ? [] : [prompt],
      );
      const found = prompts.filter((prompt) => holds(prompt, wanted)).length;
      return {
        passed: prompts.length > 0 && found === 0,
        expected: `${one ?? 'prompts'} without ${show(wanted)}`,
        actual:
          prompts.length === 0
            ? 'Ralph logged no such prompt'
            : `found in ${found} of ${countNoun(prompts.length, 'prompt')}`,
        suggestion: 'Something reached the agent that should not have. Look for it in the prompts.',
      };
    },
  });
}

/** Checks that at least one prompt was longer than this many bytes, so the scenario tested what it claims to. */
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
        actual: longest === 0 ? 'Ralph logged no prompt' : `${longest} bytes`,
      };
    },
  };
}

/**
 * Checks that the agent said one text in an iteration but was cut off before it said the other. Fails if the evidence
 * lacks part of what it said.
 */
export function cutOffBefore(wanted: Wanted, { after }: { readonly after: Wanted }): Check {
  return {
    kind: 'cutOffBefore',
    name: `the agent is cut off after it says ${show(after)} and before it says ${show(wanted)}`,
    about: aboutWanted(after, wanted),
    category: 'OutputContains',
    judge: ({ iterations }) => {
      const { said = '', saidCut } = iterations.find((iteration) => says(iteration.said, after)) ?? {};
      const known = saidCut !== true;
      return {
        passed: said !== '' && !holds(said, wanted) && known,
        expected: `an iteration with ${show(after)} and without ${show(wanted)}`,
        actual: known ? excerpt(said) : `only part of the agent's text was kept: ${excerpt(said)}`,
      };
    },
  };
}

/** Checks that an iteration ended in time: Ralph did not wait for a backend that had nothing more to say. */
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
        actual: took === null ? 'the iteration did not finish' : `${took} s`,
      };
    },
  };
}

/** Checks that the loop continues the count of an earlier run: its first iteration has this number. */
export function countsOnFrom(number: number): Check {
  return {
    kind: 'countsOnFrom',
    name: `the first iteration is number ${number}`,
    about: { limit: number },
    category: 'IterationCount',
    judge: ({ iterations }) => ({
      passed: iterations[0]?.number === number,
      expected: `iterations numbered from ${number}`,
      actual: list(iterations.map((iteration) => `${iteration.number}`)),
    }),
  };
}

/** Checks that every earlier session in the same workspace exited with this code. */
export function earlierSessionEnded(exitCode: number): Check {
  return {
    kind: 'earlierSessionEnded',
    name: `the earlier session exits with ${exitCode}`,
    category: 'ExitCode',
    judge: ({ errands }) => {
      const sessions = errands.filter(({ when, command }) => when === 'before' && command[1] === 'run');
      return {
        passed: sessions.length > 0 && sessions.every((session) => session.exitCode === exitCode),
        expected: `exit code ${exitCode}`,
        actual: list(
          sessions.map((session) => `exit code ${session.exitCode ?? 'none (ended by the harness)'}`),
          'no session',
        ),
      };
    },
  };
}

/** Checks that Ralph passed on at least this many bytes of its backend's output. */
export function printedAtLeast(bytes: number): Check {
  return {
    kind: 'printedAtLeast',
    name: `Ralph prints at least ${bytes} bytes`,
    about: { limit: bytes },
    category: 'OutputContains',
    judge: ({ stdout }) => ({
      passed: stdout.bytes >= bytes,
      expected: `at least ${bytes} bytes on stdout`,
      actual: `${stdout.bytes} bytes`,
      suggestion: "Part of the backend's output was lost on its way through Ralph.",
    }),
  };
}
