import type { AgentScript, Response, Step } from '../../domain/agent-script.js';
import { type Action, play, type Scene } from './play.js';
import type { PromptView } from './prompt-view.js';
import { fillTemplate, fillTemplates } from './template.js';
import { completionStep } from './workflow.js';

/** How the library plays steps. */
export interface Performance {
  readonly scene: Scene;
  readonly tools: AgentScript['tools'];
  /** Whether to play steps that reach outside this process; otherwise they are skipped. */
  readonly acts: boolean;
}

/** Plays a response without a CLI. There are no CLI tools, so calls to them are shown but not executed. */
export async function* perform(
  response: Response,
  { scene, tools, acts }: Performance,
): AsyncGenerator<Action> {
  const { steps, delayMs, failure } = response;
  yield* play({ steps: [], delayMs }, scene);
  for (const step of steps) {
    if (step.do === 'tool') yield showTool(step, tools, scene);
    else if (acts || staysInside(step, scene.prompt)) yield* play({ steps: [step] }, scene);
  }
  if (failure !== undefined) yield { kind: 'failure', failure };
}

/** Shows a CLI tool call with its scripted result: the step's own, else the script's result for that tool. */
function showTool(
  { name, input, result }: Extract<Step, { do: 'tool' }>,
  tools: AgentScript['tools'],
  { values }: Scene,
): Action {
  const filled = Object.entries(input).map(([key, value]) => [key, fillTemplates(value, values)] as const);
  const tool = { name: 'native', tool: name, input: Object.fromEntries(filled) } as const;
  const policy = tools?.policies[name];
  if (policy?.error !== undefined) return { kind: 'tool', tool, result: policy.error, isError: true };
  const scripted = result === undefined ? policy?.result : fillTemplate(result, values);
  if (scripted !== undefined) return { kind: 'tool', tool, result: scripted, isError: false };
  return { kind: 'tool', tool, result: `No result is scripted for the tool ${name}`, isError: true };
}

/** Whether a step has no effect outside this process. */
function staysInside(step: Exclude<Step, { do: 'tool' }>, prompt: PromptView): boolean {
  switch (step.do) {
    case 'say':
    case 'think':
    case 'wait':
    case 'hang':
      return true;
    case 'emit':
      return step.by === 'tag';
    case 'complete':
      return completionStep(prompt).do === 'say';
    case 'write':
    case 'append':
    case 'note':
    case 'edit':
    case 'read':
    case 'run':
      return false;
    default:
      return step satisfies never;
  }
}
