import type { IsolationRecord, Stopped } from '../domain/evidence/isolation.js';
import type { ProcessInfo } from '../exec/process/tree.js';

/** A program about to be started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** What an attempt may reach inside. Everything else is read-only or not there. */
export interface Site {
  /** Folders to work in. */
  readonly folders: readonly string[];
  /** Single files that programs inside append to. */
  readonly files: readonly string[];
  /** What must be readable although it may lie in a closed place. */
  readonly readable: readonly string[];
  /** Ports on the loopback of this machine that are reachable inside under the same number. */
  readonly ports: readonly number[];
}

/** How a program inside ended. */
export interface InsideReport {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What still ran inside when the program had ended; it ended with the sandbox. */
  readonly leftBehind: readonly ProcessInfo[];
}

/** One program on its way in. */
export interface Passage {
  /** What to start on this machine so that the program starts inside. */
  readonly launch: Launch;
  /**
   * Call it when the started process has ended. Null when the program was ended before it could tell how it went.
   * Throws when the sandbox, not the program, did not start.
   */
  readonly settle: (stderr: string) => Promise<InsideReport | null>;
}

/** The inside of one attempt. */
export interface Cell {
  readonly kind: IsolationRecord['kind'];
  readonly enter: (launch: Launch) => Promise<Passage>;
  /** What programs inside tried to reach outside so far. */
  readonly stopped: () => Stopped[];
  readonly close: () => Promise<void>;
}

/** The folders of a run. */
export interface RunPlace {
  /** For workspaces, runs and reports. */
  readonly folder: string;
  /** What belongs to this run alone, outside the agent's reach. */
  readonly run: string;
  /** The run's own record: no agent may change it. */
  readonly journal: string;
  /** What is under test. */
  readonly program: string;
}

/** What isolates the attempts of a run. */
export interface Enclosure {
  readonly kind: IsolationRecord['kind'];
  readonly open: (site: Site) => Promise<Cell>;
  readonly close: () => Promise<void>;
}
