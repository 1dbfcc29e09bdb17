import {
  type Failure,
  isToolStep,
  type Redo,
  type Response,
  type Step,
} from '../../../domain/agent-script.js';
import type { NeutralTool } from '../../../domain/tool-recipe.js';
import type { PromptView } from '../../engine/prompt-view.js';
import { fillTemplate, fillTemplates, type TemplateValues } from '../../engine/template.js';
import { completionStep, emitCommand } from '../../engine/workflow.js';
import { putCommand } from './file-commands.js';

/**
 * One answer of the model in an agent loop: some text, then either tools for the CLI to run or an end. The CLI asks
 * again after the tools, so a response with n groups of tools becomes n + 1 answers.
 */
export interface Move {
  readonly thoughts?: readonly string[];
  readonly texts: readonly string[];
  readonly pauseMs: number;
  readonly ending:
    | {
        readonly kind: 'tool';
        readonly tool: MoveTool;
        /** The other tools of the same answer. */
        readonly others?: readonly MoveTool[];
      }
    | { readonly kind: 'end' }
    | { readonly kind: 'hang' }
    | { readonly kind: 'failure'; readonly failure: Failure };
}

/** A call of one of the CLI's tools by its own name. */
interface NativeTool {
  readonly kind: 'native';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Set if the call comes from a recording. */
  readonly redo?: Redo | undefined;
}

export type MoveTool = NeutralTool | NativeTool;

/** Lists the tools that a move asks for. */
export function toolsOf(move: Move | undefined): readonly MoveTool[] {
  return move?.ending.kind === 'tool' ? [move.ending.tool, ...(move.ending.others ?? [])] : [];
}

/** Splits a response into the answers that play it. */
export function planMoves(
  response: Response,
  prompt: PromptView,
  values: TemplateValues,
  { canCarryOn, parallel = false }: { readonly canCarryOn: boolean; readonly parallel?: boolean },
): readonly Move[] {
  const moves: Move[] = [];
  let thoughts: string[] = [];
  let texts: string[] = [];
  let pauseMs = response.delayMs ?? 0;
  const close = (ending: Move['ending']) => {
    moves.push({ ...(thoughts.length === 0 ? {} : { thoughts }), texts, pauseMs, ending });
    thoughts = [];
    texts = [];
    pauseMs = 0;
  };
  const closeWords = () => {
    if (texts.length > 0 && canCarryOn) close(CARRY_ON);
    texts = [];
  };
  for (const step of response.steps) {
    const act = readStep(step, prompt, values);
    const before = moves.at(-1);
    if (act.kind === 'text') texts.push(act.text);
    else if (act.kind === 'thought') thoughts.push(act.text);
    else if (act.kind === 'tool' && parallel && joins(step, texts) && before?.ending.kind === 'tool') {
      const { ending } = before;
      moves.splice(-1, 1, { ...before, ending: { ...ending, others: [...(ending.others ?? []), act.tool] } });
    } else if (act.kind === 'pause') pauseMs += act.milliseconds;
    else if (act.kind === 'tool') close(act);
    else {
      closeWords();
      close(act);
      return moves;
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
  return moves;
}

/**
 * A CLI shows text only once its answer is complete. Text before a silence or a refusal therefore needs its own answer,
 * and only a tool makes the CLI ask again. A caller that offers no shell gets only the silence or the refusal.
 */
const CARRY_ON: Move['ending'] = { kind: 'tool', tool: { kind: 'run', command: 'true' } };

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

type Act =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'pause'; readonly milliseconds: number }
  | { readonly kind: 'hang' }
  | Extract<Move['ending'], { kind: 'tool' }>;

function readStep(step: Step, prompt: PromptView, values: TemplateValues): Act {
  const fill = (text: string) => fillTemplate(text, values);
  switch (step.do) {
    case 'say':
      return { kind: 'text', text: fill(step.text) };
    case 'think':
      return { kind: 'thought', text: fill(step.text) };
    case 'write':
      return use({ kind: 'write', path: fill(step.path), content: fill(step.text) });
    case 'edit':
      return use({ kind: 'edit', path: fill(step.path), old: fill(step.old), new: fill(step.new) });
    case 'read':
      return use({ kind: 'read', path: fill(step.path) });
    case 'append':
      return use(appendCommand(fill(step.path), fill(step.text)));
    case 'note':
      return use(appendCommand(prompt.scratchpadPath, `${fill(step.text)}\n`));
    case 'run':
      return use({ kind: 'run', command: fill(step.command) });
    case 'emit': {
      const topic = fill(step.topic);
      const payload = step.payload === undefined ? undefined : fill(step.payload);
      if (step.by === 'tag')
        return { kind: 'text', text: `<event topic="${topic}">${payload ?? ''}</event>` };
      return use({ kind: 'run', command: emitCommand(topic, payload) });
    }
    case 'complete':
      return readStep(completionStep(prompt), prompt, values);
    case 'tool':
      return {
        kind: 'tool',
        tool: { kind: 'native', name: step.name, input: fillInput(step.input, values), redo: step.redo },
      };
    case 'wait':
      return { kind: 'pause', milliseconds: step.milliseconds };
    case 'hang':
      return { kind: 'hang' };
    default:
      return step satisfies never;
  }
}

function fillInput(input: NativeTool['input'], values: TemplateValues): NativeTool['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, fillTemplates(value, values)]),
  );
}

function use(tool: NeutralTool): Act {
  return { kind: 'tool', tool };
}

/** No CLI has a tool that appends. */
function appendCommand(path: string, text: string): NeutralTool {
  return { kind: 'run', command: putCommand(path, '>>', text) };
}
