import type { IsolationRecord, Stopped } from '../domain/evidence/isolation.js';
import type { Program } from '../exec/process/containment/process-scope.js';
import type { ProcessInfo } from '../exec/process/tree.js';
import type { Companion } from './protocol.js';

export type { Program as Launch };

/** What an attempt can access inside, in addition to programs. Everything else is missing. */
export interface Site {
  /** Folders to work in. */
  readonly folders: readonly string[];
  /** Single files that programs inside append to. */
  readonly files: readonly string[];
  /** What must be readable. */
  readonly readable: readonly string[];
  /** The folders around the workspace. They are empty inside, and a write to them is reported if that is possible. */
  readonly around?: readonly string[];
  /** Loopback ports of this machine that are reachable inside, under the same number. */
  readonly ports: readonly number[];
}

/** How a program inside ended. */
export interface InsideReport {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What still ran inside after the program ended. It ended with the sandbox. */
  readonly leftBehind: readonly ProcessInfo[];
}

/** A program on its way into a sandbox. */
export interface SandboxEntry {
  /** What to start on this machine so that the program starts inside. */
  readonly launch: Program;
  /**
   * Call it after the started process has ended. Null if the program was ended before the warden could report its end.
   * Throws if the sandbox or the program did not start.
   */
  readonly settle: (stderr: string) => Promise<InsideReport | null>;
  /** How the companion ended before the program did; null if it did not. */
  readonly companionEnd: () => string | null;
}

/** The inside of one attempt. */
export interface Sandbox {
  readonly kind: IsolationRecord['kind'];
  /** Takes a program inside, with a companion that runs beside it. */
  readonly enter: (launch: Program, companion?: Companion) => Promise<SandboxEntry>;
  /** Lists what programs inside have tried to reach outside so far. */
  readonly stopped: () => Stopped[];
  readonly close: () => Promise<void>;
}

/** The folders of a run. */
export interface RunPlace {
  /** For workspaces, runs and reports. */
  readonly folder: string;
  /** The folder of this run, out of the agent's reach. */
  readonly run: string;
  /** The journal of the run. No agent may change it. */
  readonly journal: string;
  /** The program under test. */
  readonly program: string;
}

/** What isolates the attempts of a run. */
export interface Enclosure {
  readonly kind: IsolationRecord['kind'];
  readonly open: (site: Site) => Promise<Sandbox>;
  readonly close: () => Promise<void>;
}

/** Whether a kind of isolation works on this machine; if not, why and what to do. */
export type IsolationHealth<Found = object> =
  | ({ readonly ok: true; readonly detail: string } & Found)
  | { readonly ok: false; readonly detail: string; readonly fix: string };
