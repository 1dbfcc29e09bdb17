import type { Writable } from 'node:stream';
import { RALPH_FILES } from '../../domain/evidence/ralph-words.js';
import { readBytesInside } from '../../workspace/read-inside.js';
import { loopHasEnded } from './evidence/events.js';

const TICK_MS = 50;
/** A person reads before they close the interface: half a second after the last record. */
const FAREWELL_TICKS = { wait: 10, type: 10 };
/** What the agent appends here is typed. */
const TYPED = 'typed.txt';
/** Of these files, which an agent can reach, a larger one counts as empty. */
const MAX_BYTES = 4 * 1024 * 1024;

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
    // A tick begins when the one before has ended, so a slow disk piles up no reads.
    this.#timer = setTimeout(async () => {
      await this.#type(stdin);
      this.#timer?.refresh();
    }, TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #type(stdin: Writable): Promise<void> {
    const typed = await this.#read(TYPED);
    const hasEnded = await this.#hasEnded();
    if (this.#timer === null) return;
    if (typed.length > this.#typed) stdin.write(typed.subarray(this.#typed));
    this.#typed = Math.max(this.#typed, typed.length);
    if (!hasEnded) return;
    if (this.#terminal === 'tui') {
      const { wait, type } = FAREWELL_TICKS;
      this.#farewells += 1;
      if (this.#farewells > wait) stdin.write('q');
      if (this.#farewells < wait + type) return;
    }
    stdin.end();
    this.stop();
  }

  async #hasEnded(): Promise<boolean> {
    // The list of loops is the last file that Ralph writes.
    if ((await this.#read('.ralph/loops.json')).length === 0) return false;
    const events = (await this.#read(RALPH_FILES.eventsMarker)).toString().trim();
    return events !== '' && loopHasEnded((await this.#read(events)).toString(), this.#began);
  }

  async #read(path: string): Promise<Buffer> {
    // What cannot be read now is tried again in the next tick.
    const found = await readBytesInside(this.#workspace, path, MAX_BYTES).catch(() => null);
    return found?.kind === 'bytes' ? found.bytes : Buffer.alloc(0);
  }
}
