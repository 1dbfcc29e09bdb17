import { answerControl } from './control.js';
import { userEvent } from './output/messages.js';
import { toRecord } from './settings.js';
import type { ClaudeStage } from './stage.js';
import { playTurn, type UserTurn } from './turn.js';

/**
 * One process, many turns: each line of stdin is a message of the user or a control request. Messages wait for the
 * turn under way; control requests are answered at once. Gives the exit code.
 */
export async function playStream(stage: ClaudeStage): Promise<number> {
  const queue: UserTurn[] = [];
  let count = 0;
  let isError = false;
  let turn: AbortController | null = null;
  let playing: Promise<void> | null = null;
  let problem: unknown = null;

  const playQueue = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      turn = new AbortController();
      isError = await playTurn(stage, next, turn.signal);
    }
    turn = null;
  };
  const start = () => {
    playing ??= playQueue()
      .catch((error: unknown) => {
        problem = error;
      })
      .finally(() => {
        playing = null;
      });
  };

  for await (const line of stage.around.readLines()) {
    if (problem !== null) break;
    if (line.trim() === '') continue;
    const message = parseLine(line);
    if (message === null) {
      const kind = `(type=unknown, ${line.length} chars)`;
      stage.around.write('stderr', `Error parsing streaming input line ${kind}: SyntaxError\n`);
      return 1;
    }
    if (message.type === 'control_request') {
      answerControl(stage, message, () => turn?.abort(new Error('interrupted')));
    } else if (message.type === 'user') {
      const content = toRecord(message.message).content;
      const prompt = textOf(content);
      // Words come back as they were sent, in blocks or not; of a command its tags.
      const replay = (shown: string) =>
        stage.output.emit(userEvent(shown === prompt ? content : shown, { isReplay: true }));
      const shown = stage.args.replaysUser ? { replay } : {};
      queue.push({ prompt, source: 'stdin', index: count, ...shown });
      count += 1;
      start();
    }
  }
  while (playing !== null) await playing;
  if (problem !== null) throw problem;
  return isError ? 1 : 0;
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    return toRecord(JSON.parse(line));
  } catch {
    // Said by the caller, in the words of the real program.
    return null;
  }
}

/** The words of a message, given as they are or in blocks. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .flatMap((block) => (toRecord(block).type === 'text' ? [String(toRecord(block).text)] : []))
    .join('\n');
}
