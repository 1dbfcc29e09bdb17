import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { loopHasEnded } from './evidence/events.js';

const TICK_MS = 50;
/** A person reads before they close the interface: half a second after the last record. */
const FAREWELL_TICKS = { wait: 10, type: 10 };
/** What the agent appends here is typed. */
const TYPED = 'typed.txt';

/** Types into a running Ralph what its agent asks for, and closes the interface once the loop has ended. */
export class Typist {
  readonly #workspace: string;
  readonly #terminal: 'tui' | 'rpc';
  readonly #began = new Date();
  #typed = 0;
  #farewells = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(workspace: string, terminal: 'tui' | 'rpc') {
    this.#workspace = workspace;
    this.#terminal = terminal;
  }

  /** Begins to type. The input stays open until the loop has ended; only then does Ralph exit. */
  start(stdin: Writable): void {
    // Ralph may exit while something is typed.
    stdin.on('error', () => this.stop());
    this.#timer = setInterval(() => this.#type(stdin), TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #type(stdin: Writable): void {
    const typed = this.#read(TYPED);
    if (typed.length > this.#typed) stdin.write(typed.slice(this.#typed));
    this.#typed = Math.max(this.#typed, typed.length);
    if (!this.#hasEnded()) return;
    if (this.#terminal === 'tui') {
      const { wait, type } = FAREWELL_TICKS;
      this.#farewells += 1;
      if (this.#farewells > wait) stdin.write('q');
      if (this.#farewells < wait + type) return;
    }
    stdin.end();
    this.stop();
  }

  #hasEnded(): boolean {
    // The list of loops is the last file that Ralph writes.
    if (this.#read('.ralph/loops.json') === '') return false;
    const events = this.#read('.ralph/current-events').trim();
    return events !== '' && loopHasEnded(this.#read(events), this.#began);
  }

  #read(path: string): string {
    try {
      return readFileSync(join(this.#workspace, path), 'utf8');
    } catch {
      return '';
    }
  }
}
