import type { ChildProcess } from 'node:child_process';
import type { ContainmentKind } from '../../../domain/evidence/containment.js';
import type { ProcessMarker } from '../table.js';
import type { ProcessInfo } from '../tree.js';

/** Where the programs of an attempt run, and what sees and ends everything that they start. */
export interface ProcessScope {
  readonly kind: ContainmentKind;
  /** Changes what to spawn so that the program starts in the scope. */
  readonly admit: (program: Program, about: ProgramMark) => Admission;
  /** Ends everything inside. */
  readonly close: () => Promise<void>;
}

/** A program to start. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ProgramMark {
  readonly marker: ProcessMarker;
  /** Values that must not be in the names of processes. */
  readonly secrets: readonly string[];
}

/** A program on its way into a scope. */
interface Admission {
  readonly program: Program;
  /** Whether the started process takes orders on its descriptor 3. */
  readonly channel: boolean;
  /** Call it as soon as the process runs. */
  readonly follow: (child: ChildProcess, pid: number) => Followed;
}

/** How a program ended. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly atMs: number;
}

/** A program that runs in a scope. */
export interface Followed {
  readonly exited: Promise<Exit>;
  readonly offspring: Offspring;
  /** Call it at the end. */
  readonly release: () => void;
}

/** A program and everything it started. */
export interface Offspring {
  /** Whether nothing of it runs any more. */
  readonly isGone: () => boolean;
  /** How often `isGone` must hold in a row to be believed. */
  readonly proof: 1 | 2;
  /** Describes what runs now. */
  readonly list: () => ProcessInfo[];
  /** Signals everything. TERM reaches each process once and lets it continue; KILL stops everything before it kills. */
  readonly signal: (name: ScopeSignal) => Promise<void>;
}

export type ScopeSignal = 'TERM' | 'STOP' | 'KILL';

/** Reports the end of the started process itself. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, atMs: performance.now() }));
  });
}

/** Whether the started process itself has ended. */
export function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
