import type { Failure, Response } from '../../../domain/agent-script.js';
import { type PlannedAnswer, toolsOf } from '../../engine/planned-answers.js';
import { toFault } from '../faults.js';
import { chooseTool, type Toolbox } from './choose-tool.js';
import { type ModelReply, makeReply } from './reply.js';
import type { ModelRequest } from './request.js';

/** How to respond to a request. */
export type ModelAction =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'hang' }
  | { readonly kind: 'fail'; readonly failure: Failure; readonly reply: ModelReply }
  | {
      readonly kind: 'refuse';
      readonly why: 'no-match' | 'script-error';
      readonly message: string;
      /** The whole prompt, if no rule answers it. */
      readonly unanswered?: string;
    };

/** Turns an answer into what the server does. */
export function actOn(
  answer: PlannedAnswer,
  response: Response,
  { toolbox, wantsThoughts }: { readonly toolbox: Toolbox; readonly wantsThoughts: boolean },
): ModelAction {
  const { texts, ending } = answer;
  const { usage, stopReason: stop } = response;
  const said = {
    usage,
    inTokens: response.tokenDelayMs !== undefined,
    thoughts: wantsThoughts ? (answer.thoughts ?? []) : [],
  };
  switch (ending.kind) {
    case 'tool': {
      const tools = toolsOf(answer).map((tool) =>
        tool.kind === 'native' ? { name: tool.name, input: tool.input } : chooseTool(tool, toolbox),
      );
      return { kind: 'reply', reply: makeReply(texts, { ...said, tools }) };
    }
    case 'end':
      return { kind: 'reply', reply: makeReply(texts, { ...said, stop }) };
    case 'hang':
      return { kind: 'hang' };
    case 'failure':
      return { kind: 'fail', failure: ending.failure, reply: makeReply(texts, said) };
    default:
      return ending satisfies never;
  }
}

/** Whether CLIs retry after this action. A final failure ends the exchange. */
export function isRetried(action: ModelAction, { api }: ModelRequest): boolean {
  if (action.kind !== 'fail') return false;
  const fault = toFault(action.failure, api);
  return fault.kind !== 'refuse' || fault.status === 429 || fault.status >= 500;
}
