import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerTool, type PlannedAnswer, planAnswers } from '../../../agent/engine/planned-answers.js';
import { makeId } from '../../../agent/engine/random-id.js';
import { Renames } from '../../../agent/engine/renames.js';
import { makeReply } from '../../../agent/server/model/reply.js';
import type { FoundResponse, Question } from '../../../agent/stand-in/responder.js';
import { hang } from '../../../agent/stand-in/run-stand-in.js';
import type { Failure } from '../../../domain/agent-script.js';
import { notPlayed } from './arguments.js';
import type { Ending } from './bookends.js';
import type { ClaudeCall } from './call.js';
import {
  assistantEvent,
  type Block,
  type ClaudeFailure,
  describeClaudeFailure,
  failureEvent,
  type ModelAnswer,
} from './output.js';
import { pathOf } from './plugins/paths.js';
import { letSignalsKill } from './signals.js';
import { redoTool } from './tools/redo.js';
import { type Denial, makeToolRequest, type ToolRequest, useTool } from './tools/use.js';

/** Totals over the turns of one prompt, across several loops if a hook sends the agent back. */
export interface Tally {
  turns: number;
  lastText: string;
  readonly denials: Denial[];
}

/** Plays a response as the real program's loop: a model answer, the tool it asks for, the next answer. */
export async function playAgentLoop(
  call: ClaudeCall,
  found: FoundResponse,
  tally: Tally,
  { promptId, question, signal }: LoopOptions,
): Promise<Ending> {
  const { response } = found;
  if (response.failure !== undefined && response.failTimes !== undefined) {
    const failure = describeClaudeFailure(response.failure);
    const tries = Math.min(response.failTimes, maxRetries(call));
    for (let attempt = 1; attempt <= tries; attempt += 1) showRetry(call, failure, attempt);
    if (response.failTimes > tries) return fail(call, failure, tally);
  }
  const { failure: _, ...healthy } = response;
  const played = response.failTimes === undefined ? response : healthy;
  const answers = planAnswers(played, found.prompt, found.values, { canCarryOn: true });
  const renames = namesFor(found, call);
  for (const planned of answers) {
    const answer = renames === null ? planned : renames.apply(planned);
    if (answer.pauseMs > 0) await sleep(answer.pauseMs, undefined, { signal });
    switch (answer.ending.kind) {
      case 'end':
        speak(call, answer, null, tally, response.usage);
        return { kind: 'answered', text: tally.lastText, stopReason: response.stopReason ?? 'end_turn' };
      case 'hang':
        speak(call, answer, null, tally, response.usage);
        return hang(signal);
      case 'failure':
        return playFailure(call, answer, answer.ending.failure, tally);
      case 'tool': {
        const request = toToolRequest(answer.ending.tool, call);
        speak(call, answer, request, tally, response.usage);
        const redo =
          planned.ending.kind === 'tool' && 'redo' in planned.ending.tool && planned.ending.tool.redo;
        const { content, denial } =
          redo && renames !== null
            ? await redoTool(call, request, redo, { promptId, renames, signal })
            : await useTool(call, request, promptId, signal);
        if (denial !== null) tally.denials.push(denial);
        if (signal.aborted) return { kind: 'interrupted', during: 'tools' };
        const limit = call.args.maxTurns;
        if (limit !== undefined && tally.turns >= limit) throw notPlayed('--max-turns if it is reached');
        call.received.put(content);
        const other = await call.responder.askAfterTool(question, content);
        if (other !== null) return playAgentLoop(call, other, tally, { promptId, question, signal });
        break;
      }
      default:
        answer.ending satisfies never;
    }
  }
  return { kind: 'answered', text: tally.lastText, stopReason: 'end_turn' };
}

/** Knows the new names of what a recorded response refers to; null if the response is from a script. */
function namesFor({ recorded }: FoundResponse, { around }: ClaudeCall): Renames | null {
  return recorded === undefined
    ? null
    : new Renames({ from: recorded.workspace, to: around.cwd, renamed: recorded.renamed });
}

interface LoopOptions {
  readonly promptId: string;
  /** What the response answers. A rule for the result of a tool sees it too. */
  readonly question: Question;
  readonly signal: AbortSignal;
}

/** Prints an answer block by block, and counts it. */
function speak(
  call: ClaudeCall,
  { texts }: PlannedAnswer,
  request: ToolRequest | null,
  tally: Tally,
  usage: FoundResponse['response']['usage'],
): void {
  const tools = request === null ? [] : [{ name: request.name, input: request.asked }];
  const reply = makeReply(texts, { tools, usage });
  const blocks: Block[] = texts.map((text) => ({ type: 'text', text }));
  if (request !== null)
    blocks.push({ type: 'tool_use', id: request.id, name: request.name, input: request.input });
  const message: ModelAnswer = {
    id: makeId('msg_'),
    model: call.model,
    usage: { input_tokens: reply.usage.inputTokens, output_tokens: reply.usage.outputTokens },
  };
  tally.turns += 1;
  call.received.send();
  call.session.count(reply.usage);
  for (const block of blocks) {
    call.output.emit(assistantEvent(message, block));
    call.session.say('assistant', { ...message, role: 'assistant', content: [block] });
  }
  tally.lastText = texts.at(-1) ?? (request === null ? '' : tally.lastText);
}

function playFailure(call: ClaudeCall, answer: PlannedAnswer, failure: Failure, tally: Tally): Ending {
  if (failure.type === 'crash') letSignalsKill();
  if (failure.type === 'crash') process.kill(process.pid, failure.signal ?? 'SIGKILL');
  if (answer.texts.length > 0) speak(call, answer, null, tally, undefined);
  const described = describeClaudeFailure(failure);
  for (let attempt = 1; attempt <= maxRetries(call); attempt += 1) showRetry(call, described, attempt);
  return fail(call, described, tally);
}

/** Ends a turn as the real program does when its service fails. */
export function fail(call: ClaudeCall, failure: ClaudeFailure, tally: Tally): Ending {
  tally.turns += 1;
  call.output.emit(failureEvent(failure));
  call.session.say('assistant', { role: 'assistant', content: failure.text });
  return { kind: 'failed', text: failure.text, status: failure.status };
}

/** The real program retries ten times by default. The stand-in reports the same retries, but does not wait. */
function maxRetries({ around }: ClaudeCall): number {
  return Number(around.env.CLAUDE_CODE_MAX_RETRIES ?? 10);
}

function showRetry(call: ClaudeCall, { status, retriedAs }: ClaudeFailure, attempt: number): void {
  if (retriedAs === null) return;
  call.output.emit({
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: maxRetries(call),
    retry_delay_ms: Math.min(500 * 2 ** (attempt - 1), 32_000),
    error_status: status,
    error: retriedAs,
  });
}

function toToolRequest(tool: AnswerTool, call: ClaudeCall): ToolRequest {
  const path = (file: string) => pathOf({ file_path: file }, call.around.cwd) ?? file;
  switch (tool.kind) {
    case 'write':
      return makeToolRequest('Write', { file_path: path(tool.path), content: tool.content });
    case 'edit':
      return makeToolRequest('Edit', {
        file_path: path(tool.path),
        old_string: tool.old,
        new_string: tool.new,
      });
    case 'read':
      return makeToolRequest('Read', { file_path: path(tool.path) });
    case 'run':
      return makeToolRequest('Bash', { command: tool.command });
    case 'native':
      return makeToolRequest(tool.name, tool.input, tool.result);
    default:
      return tool satisfies never;
  }
}
