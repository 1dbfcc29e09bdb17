import { asMapping, parseMapping, textOfBlocks } from '../../../agent/stand-in/json.js';
import type { ClaudeCall } from './call.js';
import { answerControl } from './control.js';
import { userEvent } from './output.js';
import { playTurn, type UserTurn } from './turn.js';

/**
 * Plays many turns in one process: each line of stdin is a user message or a control request. Messages wait for the
 * current turn; control requests are answered at once. Returns the exit code.
 */
export async function playStream(call: ClaudeCall): Promise<number> {
  const queue: UserTurn[] = [];
  let count = 0;
  let isError = false;
  let turn: AbortController | null = null;
  let playing: Promise<void> | null = null;
  let problem: unknown = null;
  const broken = new AbortController();

  const playQueue = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      turn = new AbortController();
      isError = await playTurn(call, next, turn.signal);
    }
    turn = null;
  };
  const start = () => {
    playing ??= playQueue()
      .catch((error: unknown) => {
        problem = error;
        // The caller waits for an answer and sends nothing: it must learn at once that none will come.
        broken.abort();
      })
      .finally(() => {
        playing = null;
      });
  };

  for await (const line of call.around.readLines(broken.signal)) {
    if (problem !== null) break;
    if (line.trim() === '') continue;
    const message = parseMapping(line);
    if (message === null) {
      const kind = `(type=unknown, ${line.length} chars)`;
      call.around.write('stderr', `Error parsing streaming input line ${kind}: SyntaxError\n`);
      return 1;
    }
    if (message.type === 'control_request') {
      answerControl(call, message, () => turn?.abort(new Error('interrupted')));
    } else if (message.type === 'user') {
      const content = asMapping(message.message).content;
      const prompt = textOfBlocks(content);
      // A replayed message has the form in which it was sent, in blocks or not; a command is replayed as its tags.
      const replay = (shown: string) =>
        call.output.emit(userEvent(shown === prompt ? content : shown, { isReplay: true }));
      const shown = call.args.replaysUser ? { replay } : {};
      queue.push({ prompt, source: 'stdin', index: count, ...shown });
      count += 1;
      start();
    }
  }
  while (playing !== null) await playing;
  if (problem !== null) throw problem;
  return isError ? 1 : 0;
}
