import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from '../../../agent/engine/random-id.js';
import { makeFolderSync } from '../../../exec/files/make-folder.js';
import { VERSION } from './identity.js';
import { toRecord } from './settings.js';

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
  readonly #persists: boolean;
  readonly #prompts: string[];
  #cost: number;
  #turn: Usage = { inputTokens: 0, outputTokens: 0 };
  #parent: string | null = null;
  #hasFolder = false;

  constructor(folder: string, id: string, cwd: string, persists: boolean) {
    this.id = id;
    this.path = join(folder, `${id}.jsonl`);
    this.#cwd = cwd;
    this.#persists = persists;
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
    const timestamp = new Date().toISOString();
    const at = { timestamp, sessionId: this.id };
    this.#append({ type: 'queue-operation', operation: 'enqueue', ...at, content: prompt });
    this.#append({ type: 'queue-operation', operation: 'dequeue', ...at });
    this.say('user', { role: 'user', content: prompt });
  }

  /** Appends a message to the conversation. */
  say(type: 'user' | 'assistant', message: Readonly<Record<string, unknown>>, more: object = {}): void {
    const uuid = randomUUID();
    this.#append({
      parentUuid: this.#parent,
      isSidechain: false,
      type,
      message,
      uuid,
      timestamp: new Date().toISOString(),
      ...more,
      userType: 'external',
      entrypoint: 'sdk-cli',
      cwd: this.#cwd,
      sessionId: this.id,
      version: VERSION,
      gitBranch: 'HEAD',
    });
    this.#parent = uuid;
  }

  endTurn(prompt: string): void {
    this.#append({ type: 'last-prompt', lastPrompt: prompt, leafUuid: this.#parent, sessionId: this.id });
    this.#append({ type: 'cost-state', sessionId: this.id, totalCostUSD: this.#cost });
  }

  #append(entry: object): void {
    if (!this.#persists) return;
    if (!this.#hasFolder) makeFolderSync(dirname(this.path));
    this.#hasFolder = true;
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`);
  }
}

/** Where Claude Code keeps the sessions of a folder. A long path is cut and told apart by a hash (seen in 2.1.325). */
export function sessionFolder(config: string, cwd: string): string {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  return join(config, 'projects', name.length <= 200 ? name : `${name.slice(0, 200)}-${hashPath(cwd)}`);
}

function hashPath(path: string): string {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1)
    hash = ((hash << 5) - hash + path.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}

/** Finds the most recently used session of a folder. */
export function findLatestSession(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const dated = files.map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }));
  const latest = dated.sort((one, other) => other.time - one.time)[0];
  return latest === undefined ? null : basename(latest.name, '.jsonl');
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
  return lines.filter((line) => line !== '').map((line) => toRecord(JSON.parse(line)));
}
