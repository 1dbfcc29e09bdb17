import { randomUUID } from '../../../agent/engine/random-id.js';
import type { Question } from '../../../agent/stand-in/responder.js';
import { ScriptMistake } from '../../../agent/stand-in/responder.js';
import { fail, playAgentLoop, type Tally } from './agent-loop.js';
import { type Ending, initEvent, resultEvent } from './bookends.js';
import { type ClaudeCall, hookPayload } from './call.js';
import { NOT_LOGGED_IN, userEvent } from './output.js';
import { expandPrompt, shownPrompt } from './plugins/commands.js';
import { runHooks } from './plugins/hooks.js';

/** A user's prompt, and where it came from. */
export interface UserTurn {
  readonly prompt: string;
  readonly source: Question['source'];
  readonly index: number;
  /** Prints the message before the answer, for callers that ask to have it replayed. */
  readonly replay?: (shown: string) => void;
}

/** Plays one user turn, from the hooks on the prompt to the result. Returns whether the result is an error. */
export async function playTurn(call: ClaudeCall, turn: UserTurn, signal: AbortSignal): Promise<boolean> {
  const startedAt = process.uptime() * 1000;
  const promptId = randomUUID();
  const tally: Tally = { turns: 0, lastText: '', denials: [] };
  call.session.startCounting();
  const ending = await interruptible(call, tally, signal, () =>
    playToEnd(call, turn, tally, promptId, signal),
  );
  call.session.endTurn();
  const about = { turns: tally.turns, denials: tally.denials, index: turn.index, startedAt };
  const event = resultEvent(call, ending, about);
  call.output.emit(event);
  return event.is_error === true;
}

async function playToEnd(
  call: ClaudeCall,
  turn: UserTurn,
  tally: Tally,
  promptId: string,
  signal: AbortSignal,
): Promise<Ending> {
  const { output, session } = call;
  const place = { session: session.id, cwd: call.around.cwd };
  const expanded = expandPrompt(turn.prompt, call.additions, place);
  const payload = { ...hookPayload(call, promptId), prompt: turn.prompt };
  const { blocked, context } = await runHooks(call.hooks, 'UserPromptSubmit', '', payload);
  if (blocked !== null) {
    output.emit(initEvent(call));
    return sayBlocked(call, blocked, turn.prompt);
  }
  session.beginTurn(turn.prompt);
  if (!call.loggedIn) {
    output.emit(initEvent(call));
    return fail(call, NOT_LOGGED_IN, tally);
  }
  // Ask the script before printing anything: a prompt without an answer must leave nothing that looks real.
  // What a hook says at the start of the session comes with the first prompt.
  const said = turn.index === 0 ? [...call.startContext, ...context] : context;
  let question = toQuestion(call, expanded, turn.source, said);
  call.received.put(...(turn.index === 0 ? [instructions(call)] : []), ...said, expanded);
  let found = await call.responder.ask(question);
  output.emit(initEvent(call));
  turn.replay?.(shownPrompt(turn.prompt, expanded));
  for (let sentBack = false; ; sentBack = true) {
    const ending = await playAgentLoop(call, found, tally, { promptId, question, signal });
    if (ending.kind !== 'answered') return ending;
    const stop = await runHooks(call.hooks, 'Stop', '', {
      ...hookPayload(call, promptId),
      effort: { level: 'medium' },
      stop_hook_active: sentBack,
      last_assistant_message: tally.lastText,
      background_tasks: [],
      session_crons: [],
    });
    const feedback = stop.blocked === null ? null : `Stop hook feedback:\n${stop.blocked.message}`;
    if (feedback !== null) output.emit(userEvent([{ type: 'text', text: feedback }], { isSynthetic: true }));
    if (feedback === null) return ending;
    session.say('user', { role: 'user', content: feedback });
    call.received.put(feedback);
    question = toQuestion(call, feedback, turn.source, []);
    found = await call.responder.ask(question);
  }
}

function toQuestion(
  call: ClaudeCall,
  prompt: string,
  source: Question['source'],
  context: readonly string[],
): Question {
  const { args, session, model, memory } = call;
  return {
    prompt,
    source,
    conversation: session.id,
    model,
    systemPrompt: [instructions(call), ...context].filter((text) => text !== '').join('\n'),
    earlier: session.earlierPrompts.join('\n'),
    flags: args.given,
    memory,
  };
}

/** The instructions of the model: those of the agent that answers, then those of the call. */
function instructions({ args, additions }: ClaudeCall): string {
  const agent = additions.agents.find(({ name }) => name === args.agent);
  return [agent?.body.trim() ?? '', args.systemPrompt].filter((text) => text !== '').join('\n');
}

function sayBlocked(call: ClaudeCall, blocked: { message: string; reason: string }, prompt: string): Ending {
  const content = `UserPromptSubmit operation blocked by hook:\n${blocked.message}\n\nOriginal prompt: ${prompt}`;
  call.output.emit({
    type: 'system',
    subtype: 'informational',
    content,
    level: 'warning',
    prevent_continuation: true,
    prompt_submit_outcome: { kind: 'blocked_by_hook', prompt_kept: false, reason: blocked.reason },
  });
  return { kind: 'local', text: content };
}

/** Ends the turn with its own result if it is interrupted. */
async function interruptible(
  call: ClaudeCall,
  tally: Tally,
  signal: AbortSignal,
  play: () => Promise<Ending>,
): Promise<Ending> {
  try {
    return await play();
  } catch (error) {
    if (!signal.aborted || error instanceof ScriptMistake) throw error;
    call.output.emit(userEvent([{ type: 'text', text: '[Request interrupted by user]' }]));
    tally.turns += 2;
    return { kind: 'interrupted', during: 'streaming' };
  }
}
