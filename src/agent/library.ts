import type { AgentScript, Failure, MatchPlace, Response } from '../domain/agent-script.js';
import { KnownError } from '../domain/common/known-error.js';
import { coverage } from './engine/coverage.js';
import {
  type Answer,
  advance,
  answer,
  describePlace,
  EMPTY_STATE,
  type EngineState,
  failFirst,
} from './engine/engine.js';
import { explainNoMatch } from './engine/explain.js';
import { type Action, play } from './engine/play.js';
import { readPrompt } from './engine/prompt-view.js';
import { loadScriptSource, type ScriptSource } from './script/load.js';

/** A scripted agent in this process, without a CLI or a server. */
export interface Agent {
  readonly script: AgentScript;
  /** Notes from loading the script file, for example about keys that have no effect. */
  readonly notes: readonly string[];
  /** Every prompt so far, answered or not. */
  readonly calls: readonly AgentCall[];
  /** Answers a prompt; throws if nothing in the script answers it. */
  execute(prompt: string, about?: CallOptions): Promise<AgentReply>;
  /** Whether the next prompt in the conversation is tried against a turn first. */
  hasActiveSequence(conversation?: string): boolean;
  /** Ends the sequences of all conversations. */
  resetTurns(): void;
  /** Forgets how often rules matched, and ends all sequences. */
  resetCounts(): void;
  /** The rules and turns that were never used, as `response[0].turn[1]`. */
  unused(): string[];
}

/** Facts about a prompt other than its text. */
export interface CallOptions {
  readonly model?: string;
  /**
   * Prompts in the same conversation share a sequence of turns; all prompts without a conversation share one sequence.
   */
  readonly conversation?: string;
  readonly systemPrompt?: string;
  readonly flags?: readonly string[];
}

/** What the agent answered. */
export interface AgentReply {
  /** Everything the agent said, joined by line feeds. */
  readonly text: string;
  /** Which part of the script answered: `response[0]`, `response[0].turn[1]` or `default`. */
  readonly matched: string;
  /** How it failed, if it did. */
  readonly failure?: Failure;
  /** Set if the agent would hang; the library reports this and does not wait. */
  readonly hangs?: true;
  readonly usage?: Response['usage'];
  readonly stopReason?: string;
  /** What the agent did, in order: texts, and tools with their results. */
  readonly actions: readonly Action[];
}

/** A recorded prompt and its outcome. */
export interface AgentCall {
  readonly prompt: string;
  readonly model: string | undefined;
  readonly conversation: string;
  /** null if nothing answered. */
  readonly matched: string | null;
  /** What the agent said; empty until it has finished. */
  readonly text: string;
  readonly failure?: Failure;
}

export interface AgentOptions {
  /**
   * The folder in which steps that act (write, run and so on) are played. Without it, they are skipped and only text
   * remains.
   */
  readonly cwd?: string;
}

/** Makes an agent from a script file, a script as an object, or rules built with `onPrompt`, `onHat` and so on. */
export async function createAgent(source: ScriptSource, options: AgentOptions = {}): Promise<Agent> {
  const { script, notes } = await loadScriptSource(source);
  return new ScriptedAgent(script, notes, options);
}

class ScriptedAgent implements Agent {
  readonly script: AgentScript;
  readonly notes: readonly string[];
  readonly calls: (AgentCall & { readonly place: MatchPlace | null })[] = [];
  readonly #cwd: string | undefined;
  readonly #failed = new Map<string, number>();
  #state: EngineState = EMPTY_STATE;

  constructor(script: AgentScript, notes: readonly string[], { cwd }: AgentOptions) {
    this.script = script;
    this.notes = notes;
    this.#cwd = cwd;
  }

  async execute(prompt: string, about: CallOptions = {}): Promise<AgentReply> {
    const { model, conversation = MAIN, systemPrompt, flags } = about;
    const view = readPrompt(prompt);
    const cwd = this.#cwd ?? process.cwd();
    const session = this.script.identity?.sessionId ?? conversation;
    // Do not await before the state has advanced: prompts may arrive concurrently.
    const found = answer(this.script, this.#state, {
      prompt: view,
      conversation,
      cwd,
      model: model ?? this.script.identity?.model,
      systemPrompt,
      session,
      flags,
    });
    const captured = { prompt, model, conversation };
    if (found.kind === 'none') {
      this.#state = advance(this.script, this.#state, conversation, null);
      this.calls.push({ ...captured, matched: null, place: null, text: '' });
      throw new KnownError(explainNoMatch(view, found), {
        hint: 'Add a rule for this prompt, or a default for prompts that no rule answers.',
      });
    }
    const response = this.#take(found, conversation);
    const matched = describePlace(found.place);
    const { failure, usage, stopReason } = response;
    const call = { ...captured, matched, place: found.place, text: '', ...(failure && { failure }) };
    this.calls.push(call);
    const actions: Action[] = [];
    const values = { captures: found.captures, cwd, session, prompt: view.text };
    const options = { prompt: view, cwd, values, tools: this.script.tools, inside: this.#cwd === undefined };
    for await (const action of play(response, options)) {
      actions.push(action);
      call.text = textOf(actions);
      if (action.kind === 'hang') return { ...summarize(actions, matched), hangs: true };
    }
    return {
      ...summarize(actions, matched),
      ...(failure && { failure }),
      ...(usage && { usage }),
      ...(stopReason && { stopReason }),
    };
  }

  hasActiveSequence(conversation: string = MAIN): boolean {
    return (this.#state.conversations[conversation]?.active ?? null) !== null;
  }

  resetTurns(): void {
    const conversations = Object.entries(this.#state.conversations).map(
      ([name, state]) => [name, { ...state, active: null }] as const,
    );
    this.#state = { ...this.#state, conversations: Object.fromEntries(conversations) };
  }

  resetCounts(): void {
    this.#state = { ...this.#state, entries: {} };
    this.#failed.clear();
    this.resetTurns();
  }

  unused(): string[] {
    const calls = this.calls.map(({ place }) => ({ place, outcome: 'played' as const }));
    return coverage(this.script, calls).unused.map(({ where }) => where);
  }

  /** Advances the state. A temporary failure leaves it unchanged, so that the same prompt can be retried. */
  #take({ place, response }: Extract<Answer, { kind: 'answer' }>, conversation: string): Response {
    const key = `${describePlace(place)} ${conversation}`;
    const failed = this.#failed.get(key) ?? 0;
    const now = failFirst(response, failed);
    if (now.passes) this.#failed.set(key, failed + 1);
    else this.#state = advance(this.script, this.#state, conversation, place);
    return now.response;
  }
}

const MAIN = 'main';

function summarize(actions: readonly Action[], matched: string): AgentReply {
  return { text: textOf(actions), matched, actions };
}

function textOf(actions: readonly Action[]): string {
  return actions.flatMap((action) => (action.kind === 'text' ? [action.text] : [])).join('\n');
}
