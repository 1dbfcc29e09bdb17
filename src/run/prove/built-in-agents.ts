import { changingResponses, changingSteps, without } from '../../agent/sabotage.js';
import type { AgentScript, Step } from '../../domain/agent-script.js';

/** How each built-in saboteur changes the agent. `leftovers` needs more than a script: its variant plants files. */
export const BUILT_IN_AGENTS = {
  'does-nothing': () => answering([]),
  parrot: () => answering([{ do: 'say', text: '{{prompt}}' }]),
  'claims-success': () =>
    answering([
      { do: 'say', text: 'All the work is done, every file is written and every test passes.' },
      { do: 'complete' },
    ]),
  'acts-silently': without('says', 'emits', 'completes'),
  'wrong-place': changingSteps(misplace),
  'after-the-deadline': changingResponses((response) => ({
    ...response,
    steps: [{ do: 'wait', milliseconds: LATE_MS }, ...response.steps],
  })),
  leftovers: () => answering([]),
} as const satisfies Readonly<Record<string, (script: AgentScript) => AgentScript>>;

/** The time limit of a run that is meant to be late; `LATE_MS` is how late it is. */
export const DEADLINE_SECONDS = 1;
const LATE_MS = 20_000;

function answering(steps: readonly Step[]): AgentScript {
  return { format: 1, rules: [], default: { steps: [...steps] } };
}

/** Puts the right words in the wrong place. */
function misplace(step: Step): Step[] {
  switch (step.do) {
    case 'say':
      return [{ do: 'write', path: 'said-elsewhere.txt', text: step.text }];
    case 'write':
    case 'append':
    case 'note':
      return [{ do: 'say', text: step.text }];
    case 'edit':
      return [{ do: 'say', text: step.new }];
    case 'run':
      return [{ do: 'say', text: step.command }];
    case 'emit':
      return [{ do: 'say', text: `I would emit ${step.topic} with ${step.payload ?? 'nothing'} here.` }];
    case 'complete':
      return [{ do: 'say', text: 'LOOP_COMPLETE is what I would say now, and then go on.' }];
    case 'think':
    case 'read':
    case 'tool':
    case 'wait':
    case 'hang':
      return [step];
    default:
      return step satisfies never;
  }
}
