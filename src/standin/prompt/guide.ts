import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ScratchpadConfig } from '../config/config.js';
import { faulty } from '../faults.js';
import type { PromptInput } from './input.js';

/** Renders the workflow of an iteration without hat instructions. */
export function renderWorkflow(input: PromptInput): string {
  const { config } = input;
  if (config.hats.length === 0) return `## WORKFLOW\n\n${renderSoloSteps(input)}`;
  const start = findFastPath(input);
  if (start !== undefined) {
    return `## WORKFLOW

**FAST PATH**: You MUST publish \`${start}\` immediately to start the hat workflow.
Run \`ralph emit "${start}" "<brief handoff>"\` and stop. You MUST NOT plan or look around first.

`;
  }
  return `## WORKFLOW

### 1. PLAN
${renderPlanStep(input)}
### 2. DELEGATE
You MUST publish exactly ONE event with \`ralph emit\`; the hat that receives it does the work.
Describing a hand-off is not one. You MUST NOT do the work of a hat yourself.

`;
}

/** Renders how to publish events. Because of these words, the loop waits for an event if a backend echoes its prompt. */
export function renderEventWriting(scratchpad: ScratchpadConfig): string {
  const details = scratchpad.enabled
    ? `\nDetails belong into \`${scratchpad.path}\`; an event only points at them.\n`
    : '';
  return `## EVENT WRITING

An event tells the loop what comes next. It is a signal, not a parcel: keep the payload short.

You MUST write events with \`ralph emit\`, which takes care of the quoting:
\`\`\`bash
ralph emit "build.done" "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass"
ralph emit "review.done" --json '{"status": "approved", "issues": 0}'
\`\`\`

You MUST NOT append to the events file by hand.
${details}
**Constraints:**
- You MUST stop after you have published an event: what follows belongs to the next iteration
- You MUST NOT start other work in the same iteration, it would be done under the wrong hat
`;
}

/** Renders how to end the loop; only the coordinator sees it. */
export function renderDone({ config, objective }: PromptInput): string {
  const promise = faulty('default-promise-in-prompt') ? 'LOOP_COMPLETE' : config.eventLoop.completionPromise;
  const how =
    config.hats.length > 0
      ? `You MUST emit the completion event \`${promise}\` via \`ralph emit\` when the objective is reached and no task is left.
Text alone does not end a loop with hats.
`
      : `You MUST output the literal completion promise \`${promise}\` as the final non-empty line when the objective is reached and no task is left.
You MUST NOT say so in other words instead, and MUST NOT print anything after it.
`;
  const tasks = config.memories.enabled
    ? `
**Before you declare completion:**
1. Look at \`ralph tools task list\`
2. Close, fail or reopen what is still open or in progress
3. Declare completion only when none of the tasks of this objective is left

Tasks of other loops do not count; yours do: completion is refused while one is open.
`
    : '';
  return `## DONE

${how}${tasks}
**Remember your objective:**
> ${objective}

You MUST NOT declare completion before it is fully reached.
`;
}

function renderSoloSteps(input: PromptInput): string {
  const { config, scratchpad } = input;
  const memories = config.memories.enabled;
  const finish = memories
    ? 'Close the task with `ralph tools task close <id>` after the commit, and keep what you learned with `ralph tools memory add`.\nIf you are stuck, record a `fix` memory, and `ralph tools task fail <id>` or `ralph tools task reopen <id>`.\n'
    : scratchpad.enabled
      ? 'Mark the task `[x]` in your notes.\n'
      : '';
  const steps = [
    ['Study the prompt.', 'You MUST find out what is asked and what is there already.\n'],
    ...(memories || scratchpad.enabled ? [['PLAN', renderPlanStep(input)]] : []),
    [
      'IMPLEMENT',
      `You MUST take exactly ONE task${memories ? ' from `<ready-tasks>` and mark it with `ralph tools task start <id>`' : ''}.\n`,
    ],
    [
      memories ? 'VERIFY & COMMIT' : 'COMMIT',
      `You MUST run the tests and, where there is something to run, use it once as its user would, failures included.\nYou MUST commit what passed, one commit a task, after a look at the staged diff.\n${finish}`,
    ],
    memories
      ? ['EXIT', 'You MUST end the iteration after that ONE task.\n']
      : ['REPEAT', 'You MUST go on until no task is left.\n'],
  ];
  return steps.map(([title, text], index) => `### ${index + 1}. ${title}\n${text}\n`).join('');
}

function renderPlanStep({ config, scratchpad }: PromptInput): string {
  const note = scratchpad.enabled
    ? `You MUST bring \`${scratchpad.path}\` up to date with what you understood and plan.\n`
    : '';
  const tasks = config.memories.enabled
    ? 'You MUST look at `<ready-tasks>` first, and keep work as tasks (`ralph tools task ensure` with a stable key, `ralph tools task add` otherwise).\nYou SHOULD search memories with `ralph tools memory search` where you do not know your way.\n'
    : '';
  return `${note}${tasks}`;
}

/** A new loop with a starting event goes straight to its hat if there is no scratchpad yet. */
function findFastPath({ config, iteration, scratchpad, workspace }: PromptInput): string | undefined {
  if (iteration > 0) return undefined;
  if (scratchpad.enabled && existsSync(resolve(workspace, scratchpad.path))) return undefined;
  return config.eventLoop.startingEvent;
}
