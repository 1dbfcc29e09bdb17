import type { About, Check } from '../../../domain/check.js';
import { says } from '../../../domain/checks/speech.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  excerptNear,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';

/** Limits a check to one iteration, by its number or by its position. Without either, every iteration counts. */
export interface Where {
  /** The number that Ralph gives the iteration. A continued run may count on from an earlier session. */
  readonly iteration?: number;
  /** The position among the iterations of this run, from 1, whatever their numbers are. */
  readonly nth?: number;
}

/** Returns the iteration that a check is limited to, as a fact. */
export function aboutIteration({ iteration }: Where): About {
  return iteration === undefined ? {} : { iteration };
}

/** Names the prompt that a check is limited to, or null. */
export function namePrompt({ iteration, nth }: Where): string | null {
  if (nth !== undefined) return `prompt ${nth} of this run`;
  return iteration === undefined ? null : `the prompt of iteration ${iteration}`;
}

/** Names the prompt that a check is limited to, or any prompt. */
export function promptOf(where: Where): string {
  return namePrompt(where) ?? 'a prompt';
}

/** Checks that the agent said this text, decorated or not. The prompt and Ralph's own output do not count. */
export function agentSaid(wanted: Wanted, where: Where = {}): Check {
  return {
    kind: 'agentSaid',
    judges: 'agent',
    name: `the agent says ${show(wanted)}${suffix(where)}`,
    about: { ...aboutIteration(where), ...aboutWanted(wanted) },
    category: 'OutputContains',
    judge: (evidence) => {
      const said = pickIterations(evidence, where).map((iteration) => iteration.said);
      return {
        passed: said.some((text) => says(text, wanted)),
        expected: `${show(wanted)} from the agent${suffix(where)}`,
        actual: describeSaid(said, wanted),
        suggestion: 'Compare the prompt with the answer: did the prompt contain the instruction?',
      };
    },
  };
}

function describeSaid(said: readonly string[], wanted: Wanted): string {
  if (said.length === 0) return 'no such iteration';
  const words = said.filter((text) => text.trim() !== '');
  return words.length === 0
    ? `nothing in ${countNoun(said.length, 'iteration')}`
    : excerptNear(words.join(' | '), wanted);
}

/** Checks that Ralph sent this text to the agent. */
export function promptContained(wanted: Wanted, where: Where = {}): Check {
  return {
    kind: 'promptContained',
    judges: 'course',
    name: `${promptOf(where)} contains ${show(wanted)}`,
    about: { ...aboutIteration(where), ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = pickIterations(evidence, where).flatMap(({ prompt }) =>
        prompt === null ? [] : [prompt],
      );
      return {
        passed: prompts.some((prompt) => holds(prompt, wanted)),
        expected: `${show(wanted)} in ${promptOf(where)}`,
        actual: describePrompts(prompts, wanted),
        suggestion: 'Did Ralph get this text? If so, it did not pass the text on.',
      };
    },
  };
}

function describePrompts(prompts: readonly string[], wanted: Wanted): string {
  if (prompts.length === 0) return 'Ralph logged no such prompt';
  const found = prompts.filter((prompt) => holds(prompt, wanted)).length;
  return `found in ${found} of ${countNoun(prompts.length, 'prompt')} (${list(prompts.map((prompt) => `${prompt.length}`))} characters)`;
}

/** Checks that Ralph reported this hat, named by its id, as active. */
export function hatActive(hat: string, where: Where = {}): Check {
  return {
    kind: 'hatActive',
    judges: 'course',
    name: `hat ${hat} is active${suffix(where)}`,
    about: { ...aboutIteration(where), hat },
    category: 'PromptContent',
    judge: (evidence) => {
      const hats = pickIterations(evidence, where).map((iteration) => iteration.hat ?? 'unknown');
      return { passed: hats.includes(hat), expected: `hat ${hat}${suffix(where)}`, actual: list(hats) };
    },
  };
}

/** Checks that the backend reported an error with this text. */
export function backendReported(wanted: Wanted): Check {
  return {
    kind: 'backendReported',
    name: `the backend reports ${show(wanted)}`,
    about: aboutWanted(wanted),
    category: 'OutputContains',
    judge: ({ backendErrors }) => ({
      passed: backendErrors.some((error) => holds(error, wanted)),
      expected: `a backend error with ${show(wanted)}`,
      actual:
        backendErrors.length === 0 ? 'the backend reported no error' : excerpt(backendErrors.join(' | ')),
    }),
  };
}

/** Returns the iterations that a check is limited to. */
export function pickIterations({ iterations }: Evidence, { iteration, nth }: Where): readonly Iteration[] {
  return iterations
    .filter((_, index) => nth === undefined || index + 1 === nth)
    .filter(({ number }) => iteration === undefined || number === iteration);
}

function suffix({ iteration, nth }: Where): string {
  if (nth !== undefined) return ` in iteration ${nth} of this run`;
  return iteration === undefined ? '' : ` in iteration ${iteration}`;
}
