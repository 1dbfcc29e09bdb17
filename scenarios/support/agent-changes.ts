import {
  type AgentScript,
  changingResponses,
  changingSteps,
  onlyIn,
  type Step,
} from '../../src/authoring.js';

/*
 * Values for the `agent` of a saboteur, in addition to `without`, `onlyIn`, `changingSteps` and `changingResponses`. Each
 * is the scenario's agent with one thing changed.
 */

type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;
/** A change of a scenario's agent. */
export type AgentChange = (script: AgentScript) => AgentScript;

/** Runs out of credits before it can answer. */
export const outOfCredits: AgentChange = changingResponses((response) => ({
  ...response,
  failure: { type: 'out-of-credits' },
}));

/** Takes these steps before each rule's own steps. */
export function doingFirst(...extra: readonly Step[]): AgentChange {
  return changingResponses((response) => ({ ...response, steps: [...extra, ...response.steps] }));
}

/** Replaces each step of this kind with what `change` returns. */
export function changingEach<Kind extends Step['do']>(
  kind: Kind,
  change: (step: StepOf<Kind>) => Step | readonly Step[],
): AgentChange {
  const isOfKind = (step: Step): step is StepOf<Kind> => step.do === kind;
  return changingSteps((step) => (isOfKind(step) ? [change(step)].flat() : [step]));
}

/** Says, writes or runs `text` where it should say, write or run `old`. */
export function replacing(old: string, text: string): AgentChange {
  return changingSteps((step) => [replaceIn(step, old, text)]);
}

/** Publishes this event with a different topic or payload. */
export function emitting(
  topic: string,
  change: { readonly topic?: string; readonly payload?: string },
): AgentChange {
  return changingEach('emit', (step) => (step.topic === topic ? { ...step, ...change } : step));
}

/** Never publishes this event. */
export function withoutEmitting(topic: string): AgentChange {
  return changingEach('emit', (step) => (step.topic === topic ? [] : step));
}

/** Writes different text to this file. */
export function writing(path: string, text: string): AgentChange {
  return changingEach('write', (step) => (step.path === path ? { ...step, text } : step));
}

/** Never writes this file. */
export function withoutWriting(path: string): AgentChange {
  return changingEach('write', (step) => (step.path === path ? [] : step));
}

/** Changes only the rules whose names contain one of these texts. */
export function onlyInEach(names: readonly string[], change: AgentChange): AgentChange {
  return (script) => names.reduce((changed, name) => onlyIn(name, change)(changed), script);
}

function replaceIn(step: Step, old: string, text: string): Step {
  switch (step.do) {
    case 'say':
    case 'write':
      return { ...step, text: step.text.replaceAll(old, () => text) };
    case 'edit':
      return { ...step, new: step.new.replaceAll(old, () => text) };
    case 'run':
      return { ...step, command: step.command.replaceAll(old, () => text) };
    default:
      return step;
  }
}
