import type { Failure, Redo, Response, Step, ToolStep } from '../../domain/agent-script.js';
import type { NeutralTool } from '../../domain/tool-recipe.js';
import type { PromptView } from './prompt-view.js';
import { fillTemplate, fillTemplates, type TemplateValues } from './template.js';
import { completionStep, emitCommand, putCommand } from './workflow.js';

/** What one step of a script comes to for a prompt, with its templates filled. */
export type PlayedStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'pause'; readonly milliseconds: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'tool'; readonly tool: StepTool };

/** Whether a step uses a tool of the CLI. The schema of steps is elsewhere: the stand-ins start without it. */
export function isToolStep(step: Step): step is ToolStep {
  switch (step.do) {
    case 'say':
    case 'think':
    case 'wait':
    case 'complete':
    case 'hang':
      return false;
    default:
      return true;
  }
}

/** A tool that a step asks for. */
export type StepTool =
  | NeutralTool
  | { readonly kind: 'append'; readonly path: string; readonly content: string }
  | { readonly kind: 'emit'; readonly topic: string; readonly payload: string | undefined }
  | NativeTool;

/** A call of one of the CLI's tools by its own name. */
export interface NativeTool {
  readonly kind: 'native';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the script says that it returns. */
  readonly result?: string | undefined;
  /** Set if the call comes from a recording. */
  readonly redo?: Redo | undefined;
}

/** Reads a step. The stand-ins and the library do what it says; the server asks a CLI to. */
export function readStep(step: Step, prompt: PromptView, values: TemplateValues): PlayedStep {
  const fill = (text: string) => fillTemplate(text, values);
  const use = (tool: StepTool): PlayedStep => ({ kind: 'tool', tool });
  switch (step.do) {
    case 'say':
      return { kind: 'text', text: fill(step.text) };
    case 'think':
      return { kind: 'thought', text: fill(step.text) };
    case 'write':
    case 'append':
      return use({ kind: step.do, path: fill(step.path), content: fill(step.text) });
    case 'note':
      return use({ kind: 'append', path: prompt.scratchpadPath, content: `${fill(step.text)}\n` });
    case 'edit':
      return use({ kind: 'edit', path: fill(step.path), old: fill(step.old), new: fill(step.new) });
    case 'read':
      return use({ kind: 'read', path: fill(step.path) });
    case 'run':
      return use({ kind: 'run', command: fill(step.command) });
    case 'emit': {
      const topic = fill(step.topic);
      const payload = step.payload === undefined ? undefined : fill(step.payload);
      return step.by === 'tag'
        ? { kind: 'text', text: `<event topic="${topic}">${payload ?? ''}</event>` }
        : use({ kind: 'emit', topic, payload });
    }
    case 'complete':
      return readStep(completionStep(prompt), prompt, values);
    case 'tool': {
      const { name, redo } = step;
      const input = Object.entries(step.input).map(([key, value]) => [key, fillTemplates(value, values)]);
      const result = step.result === undefined ? undefined : fill(step.result);
      return use({ kind: 'native', name, input: Object.fromEntries(input), result, redo });
    }
    case 'wait':
      return { kind: 'pause', milliseconds: step.milliseconds };
    case 'hang':
      return { kind: 'hang' };
    default:
      return step satisfies never;
  }
}

/**
 * One answer of the model in an agent loop: some text, then either tools for the CLI to run or an end. The CLI asks
 * again after the tools, so a response with n groups of tools becomes n + 1 answers.
 */
export interface PlannedAnswer {
  readonly thoughts?: readonly string[];
  readonly texts: readonly string[];
  readonly pauseMs: number;
  readonly ending:
    | {
        readonly kind: 'tool';
        readonly tool: AnswerTool;
        /** The other tools of the same answer. */
        readonly others?: readonly AnswerTool[];
      }
    | { readonly kind: 'end' }
    | { readonly kind: 'hang' }
    | { readonly kind: 'failure'; readonly failure: Failure };
}

export type AnswerTool = NeutralTool | NativeTool;

/** Lists the tools that an answer asks for. */
export function toolsOf(answer: PlannedAnswer | undefined): readonly AnswerTool[] {
  return answer?.ending.kind === 'tool' ? [answer.ending.tool, ...(answer.ending.others ?? [])] : [];
}

/** Splits a response into the answers that play it. */
export function planAnswers(
  response: Response,
  prompt: PromptView,
  values: TemplateValues,
  { canCarryOn, parallel = false }: { readonly canCarryOn: boolean; readonly parallel?: boolean },
): readonly PlannedAnswer[] {
  const answers: PlannedAnswer[] = [];
  let thoughts: string[] = [];
  let texts: string[] = [];
  let pauseMs = response.delayMs ?? 0;
  const close = (ending: PlannedAnswer['ending']) => {
    answers.push({ ...(thoughts.length === 0 ? {} : { thoughts }), texts, pauseMs, ending });
    thoughts = [];
    texts = [];
    pauseMs = 0;
  };
  const closeWords = () => {
    if (texts.length > 0 && canCarryOn) close(CARRY_ON);
    texts = [];
  };
  for (const step of response.steps) {
    const played = readStep(step, prompt, values);
    switch (played.kind) {
      case 'text':
        texts.push(played.text);
        break;
      case 'thought':
        thoughts.push(played.text);
        break;
      case 'pause':
        pauseMs += played.milliseconds;
        break;
      case 'tool': {
        const tool = toAnswerTool(played.tool);
        const before = answers.at(-1);
        if (parallel && joins(step, texts) && before?.ending.kind === 'tool') {
          const { ending } = before;
          answers.splice(-1, 1, {
            ...before,
            ending: { ...ending, others: [...(ending.others ?? []), tool] },
          });
        } else close({ kind: 'tool', tool });
        break;
      }
      case 'hang':
        closeWords();
        close(played);
        return answers;
      default:
        played satisfies never;
    }
  }
  const { failure } = response;
  if (failure === undefined) {
    // Claude Code treats an empty answer as a mistake and asks again.
    if (texts.length === 0 && !isRecorded(response)) texts.push('Done.');
    close({ kind: 'end' });
  } else {
    if (!breaksOffInTheMiddle(failure)) closeWords();
    close({ kind: 'failure', failure });
  }
  return answers;
}

/**
 * A CLI shows text only once its answer is complete. Text before a silence or a refusal therefore needs its own answer,
 * and only a tool makes the CLI ask again. A caller that offers no shell gets only the silence or the refusal.
 */
const CARRY_ON: PlannedAnswer['ending'] = { kind: 'tool', tool: { kind: 'run', command: 'true' } };

/** Whether a response repeats what an agent did. Nothing may be added to that. */
function isRecorded({ steps }: Response): boolean {
  return steps.some((step) => step.do === 'tool' && step.redo !== undefined);
}

/** Whether the model asks for the tool of a step in the same answer as for the one before. */
function joins(step: Step, textsBetween: readonly string[]): boolean {
  return isToolStep(step) && step.alongside === true && textsBetween.length === 0;
}

/** Whether a failure interrupts an answer that has already started. */
function breaksOffInTheMiddle({ type }: Failure): boolean {
  return type === 'truncated' || type === 'malformed';
}

/** Puts a tool in terms that every CLI has: none has a tool that appends, or one that emits. */
function toAnswerTool(tool: StepTool): AnswerTool {
  switch (tool.kind) {
    case 'append':
      return { kind: 'run', command: putCommand(tool.path, '>>', tool.content) };
    case 'emit':
      return { kind: 'run', command: emitCommand(tool.topic, tool.payload) };
    default:
      return tool;
  }
}
