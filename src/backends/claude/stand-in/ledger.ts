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
    const costUSD = (inputTokens * INPUT_PRICE + outputTokens * OUTPUT_PRICE) / 1e6;
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

  get sessionModels(): Readonly<Record<string, ModelUsage>> {
    return Object.fromEntries(this.#session);
  }
}

/** Resolves a short model name. */
export function resolveModel(name: string | undefined): string {
  if (name === undefined || name === 'default') return DEFAULT_MODEL;
  return ['opus', 'sonnet', 'haiku'].includes(name) ? `claude-${name}-5-5` : name;
}

const DEFAULT_MODEL = 'claude-opus-5-5';

/** Dollars per million tokens, of every model: those of the default one. */
const [INPUT_PRICE, OUTPUT_PRICE] = [4, 20];

function describeUsage(inputTokens: number, outputTokens: number) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}

function sum(used: readonly ModelUsage[], key: 'inputTokens' | 'outputTokens'): number {
  return used.reduce((total, usage) => total + usage[key], 0);
}
