import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import { readMaxIterations } from '../../lane/time-limit.js';
import { tryScenario } from '../attempt/scenario-code.js';

/** What an agent call of a scenario is: an iteration of a loop, or a turn of a conversation. */
type CallKind = 'iteration' | 'turn';

/** The calls of a test for which neither the scenario nor its configuration has a number. */
const UNKNOWN_CALLS = 3;

export function callKindOf(scenario: Scenario): CallKind {
  return scenario.kind === 'ralph' ? 'iteration' : 'turn';
}

/** Counts the agent calls of a good run of this scenario. */
export function countCalls(scenario: Scenario, backend: BackendId, lane: Lane): number {
  switch (scenario.kind) {
    case 'ralph': {
      const { expectedIterations, arrange } = scenario;
      if (expectedIterations !== null) return expectedIterations;
      const known = () => readMaxIterations(arrange(sampleContext(backend, lane)).config);
      return tryScenario(known, null) ?? UNKNOWN_CALLS;
    }
    case 'conversation': {
      const { arrange } = scenario;
      return tryScenario(() => arrange(sampleContext(backend, lane)).turns.length, UNKNOWN_CALLS);
    }
    default:
      return scenario satisfies never;
  }
}

/** Returns false if the agent gets no valid login, so that no model answers. */
export function isPaid(scenario: Scenario, backend: BackendId, lane: Lane): boolean {
  if (scenario.kind !== 'ralph') return true;
  return tryScenario(() => scenario.arrange(sampleContext(backend, lane)).credentials !== 'refused', true);
}

/** What one agent call takes on average. */
export interface Average {
  readonly tokens: number;
  readonly usd: number;
  readonly seconds: number;
}

/**
 * The averages of 169 calls in loops of tiers 1–7 with 2.5 tool rounds each, and of 135 turns of conversations with 4.
 * A first request of Claude Code 2.1.325 has about 13,000 tokens, and most of a call is read from the cache.
 * The prices are those of an Opus-class model ($5 in, $25 out for a million tokens).
 */
const PER_CALL: Readonly<Record<CallKind, Average>> = {
  iteration: { tokens: 48_000, usd: 0.077, seconds: 37 },
  turn: { tokens: 90_000, usd: 0.133, seconds: 27 },
};

/** Cheaper classes of models, as a part of the Opus-class price. */
const CHEAPER: readonly { readonly named: RegExp; readonly part: number }[] = [
  { named: /sonnet/i, part: 0.6 },
  { named: /haiku/i, part: 0.2 },
];

/** The backends that report their cost, or whose calls were measured. The others do neither. */
const PRICED: ReadonlySet<BackendId> = new Set(['claude', 'kiro', 'opencode', 'pi']);

/** Whether the cost of a backend is reported or can be estimated. */
export function hasPrice(backend: BackendId): boolean {
  return PRICED.has(backend);
}

/**
 * Returns the average of a kind of call on a backend; null if nothing is known. What a test took before says more. Null as
 * the model is the default of the CLI.
 */
export function averageOf(backend: BackendId, kind: CallKind, model: string | null): Average | null {
  return hasPrice(backend) ? priced(PER_CALL[kind], model) : null;
}

/** The time of a call on a backend about which nothing is known. */
export const UNKNOWN_SECONDS = PER_CALL.iteration.seconds;
/** The tokens of such a call. */
export const UNKNOWN_TOKENS = PER_CALL.iteration.tokens;

/** Returns the price of a token on average, for a CLI that reports tokens and no cost. */
export function usdPerToken(model: string | null): number {
  const { usd, tokens } = priced(PER_CALL.iteration, model);
  return usd / tokens;
}

function priced(average: Average, model: string | null): Average {
  const { part } = CHEAPER.find(({ named }) => named.test(model ?? '')) ?? { part: 1 };
  return { ...average, usd: average.usd * part };
}

/** Whether a measurement with one model tells something about a run with another. Null is the default of the CLI. */
export function isLike(measured: string | null, asked: string | null): boolean {
  return asked === null || (measured ?? '').toLowerCase().includes(asked.toLowerCase());
}
