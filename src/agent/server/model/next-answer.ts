import type { NeutralTool } from '../../../domain/tool-recipe.js';
import { type AnswerTool, type PlannedAnswer, toolsOf } from '../../engine/planned-answers.js';
import { findTool, type Toolbox, wantsReading } from './choose-tool.js';

/** A tool call that the conversation shows as done. */
interface DoneCall {
  readonly name: string;
  readonly result: string;
}

/** The tools that one answer asks for, and which planned answer they belong to. */
interface Round {
  readonly index: number;
  readonly tools: readonly AnswerTool[];
  /** An answer is made, then what it could not change is read, then that is tried again: once, or it would never end. */
  readonly kind: 'first' | 'reading' | 'again';
  /** What is tried again after reading. */
  readonly refused: readonly AnswerTool[];
}

/** Finds the answer after those that the conversation shows as done. A repeated request thus gets the same answer. */
export function nextAnswer(
  answers: readonly PlannedAnswer[],
  calls: readonly DoneCall[],
  toolbox: Toolbox,
): { readonly answer: PlannedAnswer; readonly index: number } {
  let round = begin(answers, 0);
  let done: DoneCall[] = [];
  for (const call of calls) {
    done.push(call);
    if (done.length < round.tools.length) continue;
    round = follow(round, done, answers, toolbox);
    done = [];
  }
  const { index, kind, tools } = round;
  const answer = answers[index];
  if (answer === undefined) throw new Error('a response has no answers');
  const [tool, ...others] = tools;
  if (kind === 'first' || tool === undefined) return { answer, index };
  return { answer: { texts: [], pauseMs: 0, ending: { kind: 'tool', tool, others } }, index };
}

function begin(answers: readonly PlannedAnswer[], index: number): Round {
  return { index, tools: toolsOf(answers[index]), kind: 'first', refused: [] };
}

function follow(
  round: Round,
  done: readonly DoneCall[],
  answers: readonly PlannedAnswer[],
  toolbox: Toolbox,
): Round {
  const { index, tools, kind } = round;
  if (kind === 'reading') return { ...round, kind: 'again', tools: round.refused, refused: [] };
  const refused =
    kind === 'again' ? [] : tools.filter((tool, position) => mustRead(tool, done[position], toolbox));
  const reading = refused.flatMap((tool) => readBefore(tool));
  // CLIs refuse to change a file that the agent has not read.
  if (reading.length > 0) return { index, kind: 'reading', tools: reading, refused };
  return begin(answers, Math.min(index + 1, answers.length - 1));
}

/** A tool that the script calls by its own name is called once, whatever it answers. */
function mustRead(tool: AnswerTool, call: DoneCall | undefined, toolbox: Toolbox): boolean {
  return (
    call !== undefined &&
    wantsReading(call.name, call.result, toolbox) &&
    readBefore(tool).some((reading) => findTool(reading, toolbox) !== null)
  );
}

function readBefore(tool: AnswerTool): NeutralTool[] {
  return tool.kind === 'write' || tool.kind === 'edit' ? [{ kind: 'read', path: tool.path }] : [];
}
