import type { AgentScript, Response, Step } from '../domain/agent-script.js';

/** The verbs of the builder, and the steps that they become. */
const VERBS = {
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

/** A change of an agent script: the same agent, but it leaves out what these verbs do. */
export function without(...verbs: readonly Verb[]): (script: AgentScript) => AgentScript {
  const left = new Set<string>(verbs.map((verb) => VERBS[verb]));
  return changingSteps((step) => (left.has(step.do) ? [] : [step]));
}

/** A change of an agent script, step by step: each becomes the steps that `change` gives for it. */
export function changingSteps(change: (step: Step) => readonly Step[]): (script: AgentScript) => AgentScript {
  return changingResponses((response) => ({ ...response, steps: response.steps.flatMap(change) }));
}

/** A change of everything that a script answers, its turns and its default included. */
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

/** A change that only the rules see whose name has this in it: `onlyIn('agent-loop:plan', without('says'))`. */
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
