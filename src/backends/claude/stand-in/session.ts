import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomUUID } from '../../../agent/engine/random-id.js';
import { parseMapping } from '../../../agent/stand-in/json.js';
import { makeFolderSync } from '../../../exec/files/make-folder.js';

/** Tokens of the model. */
interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** Dollars per million tokens, of every model: those of the default one. */
const [INPUT_PRICE, OUTPUT_PRICE] = [4, 20];

/** Tokens, as the program reports them. */
export function describeUsage(inputTokens: number, outputTokens: number) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
  };
}

/** A conversation on disk: `projects/<the folder in dashes>/<id>.jsonl`, one entry per line. */
export class StoredSession {
  readonly id: string;
  readonly path: string;
  readonly #cwd: string;
  readonly #prompts: string[];
  #cost: number;
  #turn: Usage = { inputTokens: 0, outputTokens: 0 };
  #hasFolder = false;

  constructor(folder: string, id: string, cwd: string) {
    this.id = id;
    this.path = join(folder, `${id}.jsonl`);
    this.#cwd = cwd;
    const earlier = existsSync(this.path) ? readEntries(this.path) : [];
    this.#prompts = readPrompts(earlier);
    this.#cost = readCost(earlier);
  }

  /** The user's prompts before the current turn, in this process and in those that it resumes. */
  get earlierPrompts(): readonly string[] {
    return this.#prompts.slice(0, -1);
  }

  /** What the session has cost so far, in this process and in those that it resumes. */
  get totalCost(): number {
    return this.#cost;
  }

  /** The tokens of the current turn. */
  get turnUsage(): ReturnType<typeof describeUsage> {
    return describeUsage(this.#turn.inputTokens, this.#turn.outputTokens);
  }

  startCounting(): void {
    this.#turn = { inputTokens: 0, outputTokens: 0 };
  }

  /** Counts an answer of the model. */
  count({ inputTokens, outputTokens }: Usage): void {
    this.#turn.inputTokens += inputTokens;
    this.#turn.outputTokens += outputTokens;
    this.#cost += (inputTokens * INPUT_PRICE + outputTokens * OUTPUT_PRICE) / 1e6;
  }

  beginTurn(prompt: string): void {
    this.#prompts.push(prompt);
    this.#append({ type: 'queue-operation', operation: 'enqueue', content: prompt });
    this.say('user', { role: 'user', content: prompt });
  }

  /** Appends a message to the conversation. */
  say(type: 'user' | 'assistant', message: Readonly<Record<string, unknown>>): void {
    this.#append({ type, message, uuid: randomUUID(), cwd: this.#cwd });
  }

  endTurn(): void {
    this.#append({ type: 'cost-state', totalCostUSD: this.#cost });
  }

  #append(entry: object): void {
    if (!this.#hasFolder) makeFolderSync(dirname(this.path));
    this.#hasFolder = true;
    const at = { sessionId: this.id, timestamp: new Date().toISOString() };
    appendFileSync(this.path, `${JSON.stringify({ ...entry, ...at })}\n`);
  }
}

/** Where Claude Code keeps the sessions of a folder. A long path is cut: its end tells workspaces apart. */
export function sessionFolder(config: string, cwd: string): string {
  return join(config, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-').slice(-200));
}

function readPrompts(entries: readonly Record<string, unknown>[]): string[] {
  return entries.flatMap(({ operation, content }) =>
    operation === 'enqueue' && typeof content === 'string' ? [content] : [],
  );
}

function readCost(entries: readonly Record<string, unknown>[]): number {
  const cost = entries.findLast(({ type }) => type === 'cost-state')?.totalCostUSD;
  return typeof cost === 'number' ? cost : 0;
}

function readEntries(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.map(parseMapping).filter((entry) => entry !== null);
}
