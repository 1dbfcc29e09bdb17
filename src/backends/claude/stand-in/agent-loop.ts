import { setTimeout as sleep } from 'node:timers/promises';
import { makeId } from '../../../agent/engine/random-id.js';
import { Renames } from '../../../agent/engine/renames.js';
import { fillTemplate, type TemplateValues } from '../../../agent/engine/template.js';
import type { Part } from '../../../agent/face/actor.js';
import { hang } from '../../../agent/face/hang.js';
import { type Move, planMoves } from '../../../agent/server/model/moves.js';
import { makeReply } from '../../../agent/server/model/reply.js';
import type { Failure, Step } from '../../../domain/agent-script.js';
import type { Ending } from './bookends.js';
import { type ClaudeFailure, describeClaudeFailure } from './failures.js';
import { assistantEvent, type Block, failureEvent, failureResult, type ModelAnswer } from './output.js';
import { pathOf } from './plugins/paths.js';
import { letSignalsKill } from './signals.js';
import type { ClaudeStage } from './stage.js';
import { redoTool } from './tools/redo.js';
import { type Denial, makeWish, useTool, type Wish } from './tools/use.js';

/** Totals over the turns of one prompt, across several loops if a hook sends the agent back. */
export interface Tally {
  turns: number;
  lastText: string;
  readonly denials: Denial[];
}

/** Plays a part as the real program's loop: a model answer, the tool it asks for, the next answer. */
export async function playAgentLoop(
  stage: ClaudeStage,
  part: Part,
  tally: Tally,
  { promptId, ask, signal }: LoopOptions,
): Promise<Ending> {
  const { response } = part;
  if (response.failure !== undefined && response.failTimes !== undefined) {
    const failure = describeClaudeFailure(response.failure);
    const tries = Math.min(response.failTimes, maxRetries(stage));
    for (let attempt = 1; attempt <= tries; attempt += 1) showRetry(stage, failure, attempt);
    if (response.failTimes > tries) return fail(stage, failure, tally);
  }
  const { failure: _, ...healthy } = response;
  const played = response.failTimes === undefined ? response : healthy;
  const moves = planMoves(played, part.prompt, part.values, { canCarryOn: true });
  const results = nativeResults(response.steps, part.values);
  const renames = namesFor(part, stage);
  for (const planned of moves) {
    const move = renames === null ? planned : renames.apply(planned);
    if (move.pauseMs > 0) await sleep(move.pauseMs, undefined, { signal });
    switch (move.ending.kind) {
      case 'end':
        speak(stage, move, null, tally, response.usage);
        return { kind: 'answered', text: tally.lastText, stopReason: response.stopReason ?? 'end_turn' };
      case 'hang':
        speak(stage, move, null, tally, response.usage);
        return hang(signal);
      case 'failure':
        return playFailure(stage, move, move.ending.failure, tally);
      case 'tool': {
        const wish = toWish(move.ending.tool, stage, results);
        speak(stage, move, wish, tally, response.usage);
        const redo =
          planned.ending.kind === 'tool' && 'redo' in planned.ending.tool && planned.ending.tool.redo;
        const { content, denial } =
          redo && renames !== null
            ? await redoTool(stage, wish, redo, { promptId, renames, signal })
            : await useTool(stage, wish, promptId, signal);
        if (denial !== null) tally.denials.push(denial);
        if (signal.aborted) return { kind: 'interrupted', during: 'tools' };
        const limit = stage.args.maxTurns;
        if (limit !== undefined && tally.turns >= limit) {
          tally.turns += 1;
          return { kind: 'max-turns', limit };
        }
        stage.inbox.put(content);
        const other = await ask(content);
        if (other !== null) return playAgentLoop(stage, other, tally, { promptId, ask, signal });
        break;
      }
      default:
        move.ending satisfies never;
    }
  }
  return { kind: 'answered', text: tally.lastText, stopReason: 'end_turn' };
}

/** Knows the new names of what a recorded part refers to; null if the part is from a script. */
function namesFor({ recorded }: Part, { around }: ClaudeStage): Renames | null {
  return recorded === undefined
    ? null
    : new Renames({ from: recorded.workspace, to: around.cwd, renamed: recorded.renamed });
}

interface LoopOptions {
  readonly promptId: string;
  /** Finds the part that a tool's result triggers, or null. */
  readonly ask: (toolResult: string) => Promise<Part | null>;
  readonly signal: AbortSignal;
}

/** Prints an answer block by block, and counts it. */
function speak(
  stage: ClaudeStage,
  { texts }: Move,
  wish: Wish | null,
  tally: Tally,
  usage: Part['response']['usage'],
): void {
  const tool = wish === null ? {} : { tool: { type: 'tool' as const, name: wish.name, input: wish.asked } };
  const reply = makeReply(texts, { ...tool, usage });
  const blocks: Block[] = texts.map((text) => ({ type: 'text', text }));
  if (wish !== null) blocks.push({ type: 'tool_use', id: wish.id, name: wish.name, input: wish.input });
  const message: ModelAnswer = {
    id: makeId('msg_'),
    requestId: makeId('req_'),
    model: stage.model,
    usage: { input_tokens: reply.usage.inputTokens, output_tokens: reply.usage.outputTokens },
  };
  tally.turns += 1;
  stage.inbox.send();
  stage.ledger.add(stage.model, reply.usage.inputTokens, reply.usage.outputTokens);
  for (const block of blocks) {
    stage.output.emit(assistantEvent(message, block));
    stage.session.say('assistant', {
      ...headOf(message),
      content: [block],
      stop_reason: wish === null ? 'end_turn' : 'tool_use',
    });
  }
  tally.lastText = texts.at(-1) ?? (wish === null ? '' : tally.lastText);
}

function headOf({ id, model, usage }: ModelAnswer) {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null, usage };
}

function playFailure(stage: ClaudeStage, move: Move, failure: Failure, tally: Tally): Ending {
  if (failure.type === 'crash') letSignalsKill();
  if (failure.type === 'crash') process.kill(process.pid, failure.signal ?? 'SIGKILL');
  if (move.texts.length > 0) speak(stage, move, null, tally, undefined);
  const described = describeClaudeFailure(failure);
  for (let attempt = 1; attempt <= maxRetries(stage); attempt += 1) showRetry(stage, described, attempt);
  return fail(stage, described, tally);
}

/** Ends a turn as the real program does when its service fails. */
export function fail(stage: ClaudeStage, failure: ClaudeFailure, tally: Tally): Ending {
  tally.turns += 1;
  stage.output.emit(failureEvent(failure));
  stage.session.say('assistant', { role: 'assistant', content: failure.text }, { isApiErrorMessage: true });
  return { kind: 'failed', text: failure.text, about: failureResult(failure) };
}

/** The real program retries ten times by default. The stand-in reports the same retries, but does not wait. */
function maxRetries({ around }: ClaudeStage): number {
  return Number(around.env.CLAUDE_CODE_MAX_RETRIES ?? 10);
}

function showRetry(stage: ClaudeStage, { status, retriedAs }: ClaudeFailure, attempt: number): void {
  if (retriedAs === null) return;
  stage.output.emit({
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: maxRetries(stage),
    retry_delay_ms: Math.min(500 * 2 ** (attempt - 1), 32_000),
    error_status: status,
    error: retriedAs,
  });
}

function toWish(
  tool: Extract<Move['ending'], { kind: 'tool' }>['tool'],
  stage: ClaudeStage,
  results: Results,
): Wish {
  const path = (file: string) => pathOf({ file_path: file }, stage.around.cwd) ?? file;
  switch (tool.kind) {
    case 'write':
      return makeWish('Write', { file_path: path(tool.path), content: tool.content });
    case 'edit':
      return makeWish('Edit', { file_path: path(tool.path), old_string: tool.old, new_string: tool.new });
    case 'read':
      return makeWish('Read', { file_path: path(tool.path) });
    case 'run':
      return makeWish('Bash', { command: tool.command });
    case 'native':
      return makeWish(tool.name, tool.input, results.shift()?.result);
    default:
      return tool satisfies never;
  }
}

type Results = { readonly result: string | undefined }[];

/** Collects the scripted results of native tools, in order. */
function nativeResults(steps: readonly Step[], values: TemplateValues): Results {
  return steps.flatMap((step) =>
    step.do === 'tool'
      ? [{ result: step.result === undefined ? undefined : fillTemplate(step.result, values) }]
      : [],
  );
}
