import type { AgentScript, MatchPlace } from '../../domain/agent-script.js';
import {
  type Answer,
  advance,
  answer,
  answerToolResult,
  EMPTY_STATE,
  type EngineState,
} from '../engine/engine.js';
import type { Call } from '../engine/match.js';
import { Conversations, hashTexts, remember } from './conversations.js';
import type { ModelRequest } from './model/request.js';

/** One prompt and the script's answers, from the first request of its agent loop to the last. */
export interface PromptExchange {
  /** The answer to the prompt, and those that tool results triggered. */
  readonly answers: PlayedAnswer[];
  /** How many tool results the script has seen. */
  seen: number;
  /** The model has given its last answer. */
  finished: boolean;
}

/** An answer of the script while it plays, and the number of tools after which it began. */
export interface PlayedAnswer {
  readonly from: number;
  readonly answer: Answer;
  /** How often its failure has played. */
  failures: number;
}

/** A limit, so that a server that runs for days does not keep growing. The oldest are dropped. */
const REMEMBERED = 5000;

/**
 * The server's memory. It asks the script once per prompt of a conversation; later requests of the same loop, and
 * repeated requests, reuse that answer.
 */
export class Dialogue {
  readonly conversations = new Conversations();
  readonly #script: AgentScript;
  readonly #exchanges = new Map<string, PromptExchange>();
  #state: EngineState = EMPTY_STATE;

  constructor(script: AgentScript) {
    this.#script = script;
  }

  /** Identifies the conversation of a request. */
  identify(request: ModelRequest, session: string | null, prompt: string): string {
    return this.conversations.identify(
      request,
      session,
      (name) => this.#exchanges.get(keyOf(name, 1, prompt))?.finished === true,
    );
  }

  /** Opens the exchange that a prompt belongs to; the rules see `call`, and the results of the tools that have run. */
  open(number: number, prompt: string, call: Call, results: readonly string[]): PromptExchange {
    const key = keyOf(call.conversation, number, prompt);
    const last = results.at(-1);
    const exchange =
      this.#exchanges.get(key) ?? this.#begin(key, last === undefined ? call : { ...call, toolResult: last });
    const found = this.#takeOver(call, results.slice(exchange.seen));
    exchange.seen = Math.max(exchange.seen, results.length);
    if (found !== null) {
      exchange.answers.push({ from: results.length, answer: found, failures: 0 });
      this.#state = countEntry(this.#state, found.place);
    }
    return exchange;
  }

  /** Finds the rule that takes over after new results: one answer can ask for several tools. */
  #takeOver(call: Call, results: readonly string[]): ReturnType<typeof answerToolResult> {
    for (const toolResult of results) {
      const found = answerToolResult(this.#script, this.#state, { ...call, toolResult });
      if (found !== null) return found;
    }
    return null;
  }

  #begin(key: string, call: Call): PromptExchange {
    const found = answer(this.#script, this.#state, call);
    const place = found.kind === 'answer' ? found.place : null;
    this.#state = advance(this.#script, this.#state, call.conversation, place);
    const exchange: PromptExchange = {
      answers: [{ from: 0, answer: found, failures: 0 }],
      seen: 0,
      finished: false,
    };
    remember(this.#exchanges, key, exchange, REMEMBERED);
    return exchange;
  }
}

/** Finds the answer that plays after `toolsRun` tools. */
export function answerAfter({ answers }: PromptExchange, toolsRun: number): PlayedAnswer {
  const current = answers.findLast(({ from }) => from <= toolsRun);
  if (current === undefined) throw new Error('an exchange has no answer');
  return current;
}

function countEntry(state: EngineState, place: MatchPlace): EngineState {
  if (place.kind === 'default') return state;
  const { rule } = place;
  return { ...state, entries: { ...state.entries, [rule]: (state.entries[rule] ?? 0) + 1 } };
}

function keyOf(conversation: string, number: number, prompt: string): string {
  return `${conversation} ${number} ${hashTexts([prompt])}`;
}
