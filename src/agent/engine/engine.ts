import type { AgentScript, MatchPlace, Response } from '../../domain/agent-script.js';
import { type Call, type Fit, testCondition } from './match.js';

/**
 * The engine's memory between calls: plain data, so that it can be rebuilt from a log, kept in memory or written to
 * disk. Entries count for the whole script; each conversation has its own sequence.
 */
export interface EngineState {
  /** How often each rule matched, by its index. */
  readonly entries: Readonly<Record<number, number>>;
  readonly conversations: Readonly<Record<string, ConversationState>>;
}

interface ConversationState {
  /** How many prompts the conversation has had. */
  readonly prompts: number;
  /** The rule whose turns are playing, and the next turn. */
  readonly active: { readonly rule: number; readonly turn: number } | null;
}

export type Answer =
  | {
      readonly kind: 'answer';
      readonly place: MatchPlace;
      readonly response: Response;
      readonly captures: readonly string[];
      readonly renamed?: ReadonlyMap<string, string> | undefined;
    }
  | {
      readonly kind: 'none';
      readonly mismatches: readonly Mismatch[];
    };

/** Why a rule did not answer. */
interface Mismatch {
  readonly name: string;
  readonly reason: string;
  /** True if it answered as often as it may. */
  readonly spent?: boolean;
}

export const EMPTY_STATE: EngineState = { entries: {}, conversations: {} };

/**
 * Answers a call. If a rule's turns are playing, its current turn is tried first. A prompt that does not match that
 * turn ends the sequence; then all rules are tried from the top, including the same one.
 */
export function answer(script: AgentScript, state: EngineState, call: Call): Answer {
  const mismatches: Mismatch[] = [];
  for (const { place, name, response, fit, spent } of tryInOrder(script, state, call)) {
    if (fit.fits) {
      return { kind: 'answer', place, response, captures: fit.captures, renamed: fit.renamed };
    }
    const reason = place.kind === 'turn' ? `awaited in this conversation, but ${fit.reason}` : fit.reason;
    mismatches.push({ name, reason, ...(spent && { spent }) });
  }
  if (script.default !== undefined) {
    return { kind: 'answer', place: { kind: 'default' }, response: script.default, captures: [] };
  }
  return { kind: 'none', mismatches };
}

/** One part of a script, and whether it fits a call on its own, whatever comes before it. */
interface Trial {
  readonly place: Exclude<MatchPlace, { kind: 'default' }>;
  readonly name: string;
  readonly response: Response;
  readonly fit: Fit;
  readonly spent?: boolean;
}

/** Tries the awaited turn, then every rule, also those after the one that answers. */
export function* tryInOrder(script: AgentScript, state: EngineState, call: Call): Generator<Trial> {
  const conversation = state.conversations[call.conversation];
  const number = (conversation?.prompts ?? 0) + 1;
  const active = conversation?.active ?? null;
  const awaited = active === null ? undefined : script.rules[active.rule];
  const turn = active === null ? undefined : awaited?.turns[active.turn];
  if (active !== null && awaited !== undefined && turn !== undefined) {
    const name = `${awaited.name}, turn ${active.turn + 1}`;
    const fit = testCondition(turn.when, call, number);
    yield { place: { kind: 'turn', ...active }, name, response: turn.respond, fit };
  }
  for (const [index, { name, when, respond: response, maxMatches = Infinity }] of script.rules.entries()) {
    const tried = { place: { kind: 'rule', rule: index }, name, response } as const;
    const isSpent = (state.entries[index] ?? 0) >= maxMatches;
    yield isSpent
      ? { ...tried, fit: { fits: false, reason: `already played ${maxMatches} time(s)` }, spent: true }
      : { ...tried, fit: testCondition(when, call, number) };
  }
}

/**
 * Finds the rule that a tool's result triggers in the middle of an agent loop. Only rules with a condition on tool
 * results are tried; null means that the loop continues unchanged.
 */
export function answerToolResult(
  script: AgentScript,
  state: EngineState,
  call: Call,
): Extract<Answer, { kind: 'answer' }> | null {
  const turnNumber = state.conversations[call.conversation]?.prompts ?? 1;
  for (const [rule, { when, respond: response, maxMatches }] of script.rules.entries()) {
    if (when.toolResult === undefined || (state.entries[rule] ?? 0) >= (maxMatches ?? Infinity)) continue;
    const found = testCondition(when, call, turnNumber);
    if (found.fits) {
      return { kind: 'answer', place: { kind: 'rule', rule }, response, captures: found.captures };
    }
  }
  return null;
}

/** Returns the state after a call that was answered at `place`, or by nothing (null). */
export function advance(
  script: AgentScript,
  state: EngineState,
  conversation: string,
  place: MatchPlace | null,
): EngineState {
  const before = state.conversations[conversation];
  const entries =
    place?.kind === 'rule'
      ? { ...state.entries, [place.rule]: (state.entries[place.rule] ?? 0) + 1 }
      : state.entries;
  return {
    entries,
    conversations: {
      ...state.conversations,
      [conversation]: { prompts: (before?.prompts ?? 0) + 1, active: nextInSequence(script, place) },
    },
  };
}

/** Formats a place the way records do: `response[0].turn[1]`. */
export function describePlace(place: MatchPlace): string {
  switch (place.kind) {
    case 'rule':
      return `response[${place.rule}]`;
    case 'turn':
      return `response[${place.rule}].turn[${place.turn}]`;
    case 'default':
      return 'default';
    default:
      return place satisfies never;
  }
}

function nextInSequence(script: AgentScript, place: MatchPlace | null): ConversationState['active'] {
  if (place === null || place.kind === 'default') return null;
  const next = place.kind === 'rule' ? 0 : place.turn + 1;
  return next < (script.rules[place.rule]?.turns.length ?? 0) ? { rule: place.rule, turn: next } : null;
}

/**
 * Picks what to play this time from a response with a temporary failure that has come `failures` times: only the
 * failure, as often as the script says, then the rest. The steps wait for the attempt that succeeds; otherwise they
 * would play twice.
 */
export function failFirst(
  response: Response,
  failures: number,
): { readonly response: Response; readonly passes: boolean } {
  const { failure, failTimes, ...healthy } = response;
  if (failure === undefined || failTimes === undefined) return { response, passes: false };
  if (failures >= failTimes) return { response: healthy, passes: false };
  return { response: { ...response, steps: [] }, passes: true };
}
