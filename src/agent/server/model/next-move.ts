import type { NeutralTool } from '../../../domain/tool-recipe.js';
import { findTool, type Toolbox, wantsReading } from './choose-tool.js';
import { type Move, type MoveTool, toolsOf } from './moves.js';

/** A tool call that the conversation shows as done. */
interface DoneCall {
  readonly name: string;
  readonly result: string;
}

/** The tools of one answer, and which move they belong to. */
interface Round {
  readonly index: number;
  readonly tools: readonly MoveTool[];
  /** A move is made, then what it could not change is read, then that is tried again: once, or it would never end. */
  readonly kind: 'first' | 'reading' | 'again';
  /** What is tried again after reading. */
  readonly refused: readonly MoveTool[];
}

/** Finds the move after those that the conversation shows as done. A repeated request thus gets the same answer. */
export function nextMove(
  moves: readonly Move[],
  calls: readonly DoneCall[],
  toolbox: Toolbox,
): { readonly move: Move; readonly index: number } {
  let round = begin(moves, 0);
  let done: DoneCall[] = [];
  for (const call of calls) {
    done.push(call);
    if (done.length < round.tools.length) continue;
    round = follow(round, done, moves, toolbox);
    done = [];
  }
  const { index, kind, tools } = round;
  const move = moves[index];
  if (move === undefined) throw new Error('a response has no moves');
  const [tool, ...others] = tools;
  if (kind === 'first' || tool === undefined) return { move, index };
  return { move: { texts: [], pauseMs: 0, ending: { kind: 'tool', tool, others } }, index };
}

function begin(moves: readonly Move[], index: number): Round {
  return { index, tools: toolsOf(moves[index]), kind: 'first', refused: [] };
}

function follow(round: Round, done: readonly DoneCall[], moves: readonly Move[], toolbox: Toolbox): Round {
  const { index, tools, kind } = round;
  if (kind === 'reading') return { ...round, kind: 'again', tools: round.refused, refused: [] };
  const refused =
    kind === 'again' ? [] : tools.filter((tool, position) => mustRead(tool, done[position], toolbox));
  const reading = refused.flatMap((tool) => readBefore(tool));
  // CLIs refuse to change a file that the agent has not read.
  if (reading.length > 0) return { index, kind: 'reading', tools: reading, refused };
  return begin(moves, Math.min(index + 1, moves.length - 1));
}

/** A tool that the script calls by its own name is called once, whatever it answers. */
function mustRead(tool: MoveTool, call: DoneCall | undefined, toolbox: Toolbox): boolean {
  return (
    call !== undefined &&
    wantsReading(call.name, call.result, toolbox) &&
    readBefore(tool).some((reading) => findTool(reading, toolbox) !== null)
  );
}

function readBefore(tool: MoveTool): NeutralTool[] {
  return tool.kind === 'write' || tool.kind === 'edit' ? [{ kind: 'read', path: tool.path }] : [];
}
