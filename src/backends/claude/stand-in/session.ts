import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from '../../../agent/engine/random-id.js';
import { makeFolderSync } from '../../../exec/files/make-folder.js';
import { VERSION } from './identity.js';
import { toRecord } from './settings.js';

/** A conversation on disk: `projects/<the folder in dashes>/<id>.jsonl`, one entry per line. */
export class StoredSession {
  readonly id: string;
  readonly path: string;
  readonly #cwd: string;
  readonly #persists: boolean;
  readonly #prompts: string[];
  #parent: string | null = null;
  #hasFolder = false;

  constructor(folder: string, id: string, cwd: string, persists: boolean) {
    this.id = id;
    this.path = join(folder, `${id}.jsonl`);
    this.#cwd = cwd;
    this.#persists = persists;
    this.#prompts = existsSync(this.path) ? readPrompts(this.path) : [];
  }

  /** The user's prompts before the current turn, in this process and in those that it resumes. */
  get earlierPrompts(): readonly string[] {
    return this.#prompts.slice(0, -1);
  }

  /** Reads the session's usage so far, by model. */
  readUsage(): Readonly<Record<string, Record<string, number>>> {
    if (!existsSync(this.path)) return {};
    const states = readEntries(this.path).filter(({ type }) => type === 'cost-state');
    const usage: Record<string, Record<string, number>> = {};
    for (const [model, numbers] of Object.entries(toRecord(states.at(-1)?.modelUsage))) {
      const entries = Object.entries(toRecord(numbers));
      usage[model] = Object.fromEntries(
        entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      );
    }
    return usage;
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

  endTurn(prompt: string, totalCostUSD: number, modelUsage: object): void {
    this.#append({ type: 'last-prompt', lastPrompt: prompt, leafUuid: this.#parent, sessionId: this.id });
    this.#append({ type: 'cost-state', sessionId: this.id, totalCostUSD, modelUsage });
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

function readPrompts(path: string): string[] {
  return readEntries(path).flatMap(({ operation, content }) =>
    operation === 'enqueue' && typeof content === 'string' ? [content] : [],
  );
}

function readEntries(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => toRecord(JSON.parse(line)));
}
