import type { MatchPlace } from '../../domain/agent-script.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { ToolRecipes } from '../../domain/tool-recipe.js';
import { describePlace, failFirst } from '../engine/engine.js';
import { explainNoMatch } from '../engine/explain.js';
import { planAnswers } from '../engine/planned-answers.js';
import { readPrompt } from '../engine/prompt-view.js';
import { findPromptFile } from '../stand-in/prompt-argument.js';
import { type Caller, sessionOf } from './caller.js';
import { answerAfter, type Dialogue, type PromptExchange } from './dialogue.js';
import { actOn, isRetried, type ModelAction } from './model/action.js';
import { canRun, chooseTool, readToolText, type Toolbox } from './model/choose-tool.js';
import { nextAnswer } from './model/next-answer.js';
import { makeReply } from './model/reply.js';
import type { ModelRequest } from './model/request.js';
import { answerSideRequest, recogniseSideRequest } from './side-request.js';
import { type PastCall, readSituation, type Situation } from './situation.js';

export interface Decision {
  readonly action: ModelAction;
  readonly kind: 'main' | 'side';
  readonly conversation: string;
  readonly prompt: string;
  readonly toolsRun: number;
  readonly place: MatchPlace | null;
  readonly matched: string | null;
  readonly pauseMs: number;
  readonly tokenDelayMs: number;
  /** The exchange that ends once this action has been delivered. */
  readonly ends: PromptExchange | null;
}

export interface DecisionContext {
  readonly dialogue: Dialogue;
  readonly recipes: readonly ToolRecipes[];
  /** The agent's working directory, if known; it overrides what the CLI says. */
  readonly cwd: string | null;
}

/** Decides how the model answers a request. */
export function decideReply(request: ModelRequest, caller: Caller, context: DecisionContext): Decision {
  const situation = readSituation(request, caller);
  const session = sessionOf(request, caller);
  const side = recogniseSideRequest(request, caller, situation);
  if (side !== null) {
    const reply = answerSideRequest(side, request);
    return { ...describe('side', session ?? '', situation), action: { kind: 'reply', reply } };
  }
  const toolbox: Toolbox = {
    offered: request.tools,
    recipes: context.recipes,
    cwd: context.cwd ?? situation.cwd,
  };
  const conversation = context.dialogue.identify(request, session, situation.prompt);
  const base = describe('main', conversation, situation);
  try {
    const opened = openPrompt(situation, toolbox);
    if ('action' in opened) return { ...base, action: opened.action };
    return {
      ...base,
      ...answerPrompt(opened, { request, situation, toolbox, conversation }, context),
    };
  } catch (error) {
    const message = `ralph-e2e: ${messageOf(error)}`;
    return { ...base, action: { kind: 'refuse', why: 'script-error', message } };
  }
}

interface Ask {
  readonly request: ModelRequest;
  readonly situation: Situation;
  readonly toolbox: Toolbox;
  readonly conversation: string;
}

function answerPrompt(
  { prompt, calls }: { prompt: string; calls: readonly PastCall[] },
  { request, situation, toolbox, conversation }: Ask,
  { dialogue }: DecisionContext,
): Pick<Decision, 'action'> & Partial<Decision> {
  const view = readPrompt(prompt);
  const call = {
    prompt: view,
    conversation,
    session: conversation,
    cwd: toolbox.cwd ?? '',
    model: request.model,
    systemPrompt: request.system,
    earlier: situation.earlier,
  };
  const results = calls.map(({ result }) => result);
  const exchange = dialogue.open(situation.number, situation.prompt, call, results);
  const played = answerAfter(exchange, calls.length);
  const { answer, from } = played;
  if (answer.kind === 'none') {
    const message = explainNoMatch(view, answer);
    const action = { kind: 'refuse', why: 'no-match', message, unanswered: view.text } as const;
    return { action, ends: exchange };
  }
  const { captures, place } = answer;
  const { response, passes } = failFirst(answer.response, played.failures);
  if (passes) played.failures += 1;
  const values = { captures, cwd: toolbox.cwd ?? '', session: conversation, prompt: view.text };
  const answers = planAnswers(response, view, values, {
    canCarryOn: canRun(toolbox),
    parallel: request.parallel,
  });
  const { answer: next, index } = nextAnswer(answers, calls.slice(from), toolbox);
  const usage = response.usages?.[index] ?? response.usage;
  // A CLI that asks to go on after an answer that stopped early gets the same words with a proper end.
  const stopReason = situation.resumed === 0 ? response.stopReason : undefined;
  const action = actOn(
    next,
    { ...response, usage, stopReason },
    { toolbox, wantsThoughts: request.wantsThoughts },
  );
  return {
    action,
    ends: next.ending.kind === 'tool' || passes || isRetried(action, request) ? null : exchange,
    place,
    matched: describePlace(place),
    pauseMs: next.pauseMs,
    tokenDelayMs: response.tokenDelayMs ?? 0,
  };
}

/**
 * Finds the real prompt. Ralph passes prompts over 7,000 bytes to most CLIs as a file to read: the model asks the CLI to
 * read the file and answers its content, if it arrives.
 */
function openPrompt(
  { prompt, calls }: Situation,
  toolbox: Toolbox,
): { prompt: string; calls: readonly PastCall[] } | { action: ModelAction } {
  const path = findPromptFile(prompt);
  if (path === null) return { prompt, calls };
  const [reading, ...rest] = calls;
  if (reading === undefined) {
    const tools = [chooseTool({ kind: 'read', path }, toolbox)];
    return { action: { kind: 'reply', reply: makeReply([], { tools }) } };
  }
  return { prompt: readToolText(reading.name, reading.result, toolbox), calls: rest };
}

function describe(
  kind: Decision['kind'],
  conversation: string,
  { prompt, calls }: Situation,
): Omit<Decision, 'action'> {
  return {
    kind,
    conversation,
    prompt,
    toolsRun: calls.length,
    place: null,
    matched: null,
    pauseMs: 0,
    tokenDelayMs: 0,
    ends: null,
  };
}
