import type { AgentScript, Response, Step } from '../domain/agent-script.js';

/** The builder's verbs, and the steps they produce. */
export const VERBS = {
  says: 'say',
  writes: 'write',
  appends: 'append',
  edits: 'edit',
  readsFile: 'read',
  notes: 'note',
  runs: 'run',
  emits: 'emit',
  calls: 'tool',
  completes: 'complete',
  waits: 'wait',
  hangs: 'hang',
} as const satisfies Readonly<Record<string, Step['do']>>;
export type Verb = keyof typeof VERBS;

/** Changes an agent script: removes the steps with these verbs. */
export function without(...verbs: readonly Verb[]): (script: AgentScript) => AgentScript {
  const left = new Set<string>(verbs.map((verb) => VERBS[verb]));
  return changingSteps((step) => (left.has(step.do) ? [] : [step]));
}

/** Changes an agent script: replaces each step with the steps that `change` returns for it. */
export function changingSteps(change: (step: Step) => readonly Step[]): (script: AgentScript) => AgentScript {
  return changingResponses((response) => ({ ...response, steps: response.steps.flatMap(change) }));
}

/** Changes every response in a script, including those in turns and the default. */
export function changingResponses(
  change: (response: Response) => Response,
): (script: AgentScript) => AgentScript {
  return (script) => ({
    ...script,
    rules: script.rules.map((rule) => ({
      ...rule,
      respond: change(rule.respond),
      turns: rule.turns.map((turn) => ({ ...turn, respond: change(turn.respond) })),
    })),
    ...(script.default === undefined ? {} : { default: change(script.default) }),
  });
}

/** Applies a change only to rules whose name contains this text: `onlyIn('agent-loop:plan', without('says'))`. */
export function onlyIn(
  name: string,
  change: (script: AgentScript) => AgentScript,
): (script: AgentScript) => AgentScript {
  return (script) => ({
    ...script,
    rules: script.rules.flatMap((rule) =>
      rule.name.includes(name) ? change({ ...script, rules: [rule] }).rules : [rule],
    ),
  });
}
