import { type Failure, isToolStep, type Response, type Step } from '../../../domain/agent-script.js';
import type { NeutralTool } from '../../../domain/tool-recipe.js';
import type { PromptView } from '../../engine/prompt-view.js';
import { type NativeTool, readStep, type StepTool } from '../../engine/read-step.js';
import type { TemplateValues } from '../../engine/template.js';
import { emitCommand, putCommand } from '../../engine/workflow.js';

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
        const tool = toMoveTool(played.tool);
        const before = moves.at(-1);
        if (parallel && joins(step, texts) && before?.ending.kind === 'tool') {
          const { ending } = before;
          moves.splice(-1, 1, { ...before, ending: { ...ending, others: [...(ending.others ?? []), tool] } });
        } else close({ kind: 'tool', tool });
        break;
      }
      case 'hang':
        closeWords();
        close(played);
        return moves;
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

/** Puts a tool in terms that every CLI has: none has a tool that appends, or one that emits. */
function toMoveTool(tool: StepTool): MoveTool {
  switch (tool.kind) {
    case 'append':
      return { kind: 'run', command: putCommand(tool.path, '>>', tool.content) };
    case 'emit':
      return { kind: 'run', command: emitCommand(tool.topic, tool.payload) };
    default:
      return tool;
  }
}
