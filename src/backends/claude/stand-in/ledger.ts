/** Usage of one model. */
interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  costUSD: number;
}

/** Counts usage and cost per turn, and over all turns of the session. */
export class Ledger {
  readonly #session = new Map<string, ModelUsage>();
  #turn = new Map<string, ModelUsage>();

  /** Continues from the usage of earlier processes of the session. */
  restore(usage: Readonly<Record<string, Partial<ModelUsage>>>): void {
    for (const [model, { inputTokens = 0, outputTokens = 0, costUSD = 0 }] of Object.entries(usage)) {
      this.#session.set(model, { inputTokens, outputTokens, costUSD });
    }
  }

  beginTurn(): void {
    this.#turn = new Map();
  }

  add(model: string, inputTokens: number, outputTokens: number): void {
    const { input, output } = priceOf(model);
    const costUSD = (inputTokens / 1e6) * input + (outputTokens / 1e6) * output;
    for (const map of [this.#session, this.#turn]) {
      const before = map.get(model) ?? { inputTokens: 0, outputTokens: 0, costUSD: 0 };
      map.set(model, {
        inputTokens: before.inputTokens + inputTokens,
        outputTokens: before.outputTokens + outputTokens,
        costUSD: before.costUSD + costUSD,
      });
    }
  }

  get totalCost(): number {
    return [...this.#session.values()].reduce((sum, { costUSD }) => sum + costUSD, 0);
  }

  get turnUsage(): ReturnType<typeof describeUsage> {
    const used = [...this.#turn.values()];
    return describeUsage(sum(used, 'inputTokens'), sum(used, 'outputTokens'));
  }

  get sessionModels(): Record<string, unknown> {
    return describeModels(this.#session);
  }

  get turnModels(): Record<string, unknown> {
    return describeModels(this.#turn);
  }
}

/** Resolves a short model name. */
export function resolveModel(name: string | undefined): string {
  if (name === undefined || name === 'default') return DEFAULT_MODEL;
  return ['opus', 'sonnet', 'haiku'].includes(name) ? `claude-${name}-5-5` : name;
}

const DEFAULT_MODEL = 'claude-opus-5-5';

/** Dollars per million tokens. */
const PRICES: Readonly<Record<string, { readonly input: number; readonly output: number }>> = {
  'claude-opus-5-5': { input: 4, output: 20 },
  'claude-sonnet-5-5': { input: 2, output: 10 },
  'claude-haiku-5-5': { input: 0.1, output: 0.5 },
};

/** For an unknown model it uses the price of its default model. */
function priceOf(model: string): { readonly input: number; readonly output: number } {
  return PRICES[model] ?? { input: 4, output: 20 };
}

function describeUsage(inputTokens: number, outputTokens: number) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    inference_geo: '',
    iterations: [],
    speed: 'standard',
    fallback_credit: null,
  };
}

function describeModels(used: ReadonlyMap<string, ModelUsage>): Record<string, unknown> {
  const entries = [...used].map(([model, { inputTokens, outputTokens, costUSD }]) => {
    const known = PRICES[model] !== undefined;
    const about = {
      inputTokens,
      outputTokens,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      webSearchRequests: 0,
      costUSD,
      contextWindow: 1_000_000,
      maxOutputTokens: known ? 128_000 : 32_000,
      thinkingTokens: 0,
      cacheCreationEphemeral5mInputTokens: 0,
      cacheCreationEphemeral1hInputTokens: 0,
      canonicalModel: model,
      provider: 'firstParty',
      costBasis: known ? 'list' : 'unknown',
    };
    return [model, about] as const;
  });
  return Object.fromEntries(entries);
}

function sum(used: readonly ModelUsage[], key: 'inputTokens' | 'outputTokens'): number {
  return used.reduce((total, usage) => total + usage[key], 0);
}
