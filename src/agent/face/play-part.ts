import { type Action, play } from '../engine/play.js';
import type { Actor, Part, Question } from './actor.js';

/**
 * Plays a part for CLIs that do not print their agent loop in detail. Temporary failures stay invisible, because these
 * CLIs retry silently. A tool's result can trigger another part, which then takes over.
 */
export async function* playPart(
  actor: Actor,
  question: Question,
  cwd: string,
  untrusted = false,
): AsyncGenerator<Action, Part['response']> {
  let part: Part | null = await actor.ask(question);
  for (;;) {
    const { failure: _, ...healthy } = part.response;
    const response: Part['response'] = part.response.failTimes === undefined ? part.response : healthy;
    let next: Part | null = null;
    for await (const action of play(response, { ...part, cwd, untrusted })) {
      if (action.kind === 'failure' && action.failure.type === 'crash') {
        process.kill(process.pid, action.failure.signal ?? 'SIGKILL');
      }
      yield action;
      next = action.kind === 'tool' ? await actor.askAfterTool(question, action.result) : null;
      if (next !== null) break;
    }
    if (next === null) return response;
    part = next;
  }
}
