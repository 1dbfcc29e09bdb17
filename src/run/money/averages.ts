import type { RunSummary } from '../../domain/report/history.js';
import type { BackendId } from '../../domain/vocabulary.js';
import type { CallKind } from './calls.js';

/** What one agent call takes on average. */
export interface Average {
  readonly tokens: number;
  readonly usd: number;
  readonly seconds: number;
}

/** Finds the average of a kind of call on a backend; null if nothing is known. */
export type Averages = (backend: BackendId, kind: CallKind) => Average | null;

/**
 * Averages for a folder without history. Loops: 169 calls of tiers 1–7 with 2.5 tool rounds each; conversations: 135
 * turns with 4. A first request of Claude Code 2.1.325 has about 13,000 tokens, and most of a call is read from the cache.
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

/** The calls from which an average of this folder is better than that of the package. */
const ENOUGH_CALLS = 10;

/** Returns the averages of earlier runs, or else those of the package. */
export function findAverages(earlier: readonly RunSummary[], model: string | null): Averages {
  const measured = new Map<string, Sum>();
  for (const { backend, spent } of earlier.flatMap(({ tests }) => tests)) {
    if (spent === undefined || !isLike(spent.model, model)) continue;
    // An estimate must not become the evidence for the next one.
    if (spent.usd <= 0 || spent.estimated_usd > 0) continue;
    const key = `${backend} ${spent.kind} ${spent.model ?? ''}`;
    const sum = measured.get(key) ?? { calls: 0, tokens: 0, usd: 0, seconds: 0 };
    measured.set(key, {
      calls: sum.calls + spent.calls,
      tokens: sum.tokens + (spent.tokens ?? 0),
      usd: sum.usd + spent.usd,
      seconds: sum.seconds + spent.seconds,
    });
  }
  return (backend, kind) => {
    // Nobody knows which model the CLI will use by default: the dearest one that was measured is the safe guess.
    const [dearest] = [...measured]
      .filter(([key, { calls }]) => key.startsWith(`${backend} ${kind} `) && calls >= ENOUGH_CALLS)
      .map(([, { calls, tokens, usd, seconds }]) => ({
        tokens: tokens / calls,
        usd: usd / calls,
        seconds: seconds / calls,
      }))
      .toSorted((a, b) => b.usd - a.usd);
    if (dearest !== undefined) return dearest;
    return hasPrice(backend) ? priced(PER_CALL[kind], model) : null;
  };
}

interface Sum extends Average {
  readonly calls: number;
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
