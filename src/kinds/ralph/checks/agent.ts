import type { About, Check } from '../../../domain/check.js';
import { aboutWanted, excerpt, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';

/** Narrows a check to one iteration. */
export interface Where {
  readonly iteration?: number;
}

/** The iteration that a check is narrowed to, as a fact. */
export function aboutIteration({ iteration }: Where): About {
  return iteration === undefined ? {} : { iteration };
}

/** The agent said this: its own words, not the prompt and not what ralph prints around them. */
export function agentSaid(wanted: Wanted, where: Where = {}): Check {
  return {
    kind: 'agentSaid',
    name: `the agent says ${show(wanted)}${suffix(where)}`,
    about: { ...aboutIteration(where), ...aboutWanted(wanted) },
    category: 'OutputContains',
    judge: (evidence) => {
      const said = pick(evidence, where).map((iteration) => iteration.said);
      return {
        passed: said.some((text) => holds(text, wanted)),
        expected: `${show(wanted)} in the agent's words${suffix(where)}`,
        actual: describeSaid(said),
        suggestion: 'Compare the prompt that was sent with the answer: was the instruction in it?',
      };
    },
  };
}

function describeSaid(said: readonly string[]): string {
  if (said.length === 0) return 'no such iteration';
  const words = said.filter((text) => text.trim() !== '');
  return words.length === 0 ? `nothing in ${said.length} iteration(s)` : excerpt(words.join(' | '));
}

/** ralph sent this to the agent. */
export function promptContained(wanted: Wanted, where: Where = {}): Check {
  return {
    kind: 'promptContained',
    name: `the prompt contains ${show(wanted)}${suffix(where)}`,
    about: { ...aboutIteration(where), ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = pick(evidence, where).flatMap(({ prompt }) => (prompt === null ? [] : [prompt]));
      return {
        passed: prompts.some((prompt) => holds(prompt, wanted)),
        expected: `${show(wanted)} in the prompt${suffix(where)}`,
        actual: describePrompts(prompts, wanted),
        suggestion: 'Was it handed to ralph at all? If it was, ralph did not pass it on.',
      };
    },
  };
}

function describePrompts(prompts: readonly string[], wanted: Wanted): string {
  if (prompts.length === 0) return 'ralph logged no such prompt';
  const found = prompts.filter((prompt) => holds(prompt, wanted)).length;
  return `in ${found} of ${prompts.length} prompt(s) of ${list(prompts.map((prompt) => `${prompt.length} characters`))}`;
}

/** This hat (by id) was active, as ralph itself says. */
export function hatActive(hat: string, where: Where = {}): Check {
  return {
    kind: 'hatActive',
    name: `hat ${hat} is active${suffix(where)}`,
    about: { ...aboutIteration(where), hat },
    category: 'PromptContent',
    judge: (evidence) => {
      const hats = pick(evidence, where).map((iteration) => iteration.hat ?? 'unknown');
      return { passed: hats.includes(hat), expected: `hat ${hat}${suffix(where)}`, actual: list(hats) };
    },
  };
}

/** The backend reported an error of its own that reads like this. */
export function backendReported(wanted: Wanted): Check {
  return {
    kind: 'backendReported',
    name: `the backend reports ${show(wanted)}`,
    about: aboutWanted(wanted),
    category: 'OutputContains',
    judge: ({ backendErrors }) => ({
      passed: backendErrors.some((error) => holds(error, wanted)),
      expected: `an error of the backend that matches ${show(wanted)}`,
      actual:
        backendErrors.length === 0 ? 'the backend reported no error' : excerpt(backendErrors.join(' | ')),
    }),
  };
}

function pick({ iterations }: Evidence, { iteration }: Where): readonly Iteration[] {
  return iteration === undefined ? iterations : iterations.filter(({ number }) => number === iteration);
}

function suffix({ iteration }: Where): string {
  return iteration === undefined ? '' : ` in iteration ${iteration}`;
}
