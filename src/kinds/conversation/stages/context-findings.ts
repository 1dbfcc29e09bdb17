import type { Finding } from '../../../domain/evidence/conversation.js';
import type { NamedCall } from './tool-class.js';
import { classesOf } from './tool-class.js';

/** A tool call, with the facts that findings need. */
export interface SeenCall extends NamedCall {
  /** The result of the call, or null if there is none. */
  readonly result: string | null;
  /** Whether the call failed. */
  readonly isError: boolean;
}

/** One turn, with the facts that findings need. */
export interface SeenTurn {
  /** The number of the turn, from 1. */
  readonly number: number;
  /** The prompt as it was sent. */
  readonly prompt: string;
  /** The agent's answer. */
  readonly said: string;
  /** The tool calls in the turn. */
  readonly calls: readonly SeenCall[];
}

const REPEATS = 3;
const REPEATED_ERRORS = 2;

/** Finds signs of confusion: the same call three times with no change in between, or the same error twice in a row. */
export function findRepeatedCalls(turns: readonly SeenTurn[]): Finding[] {
  const findings: Finding[] = [];
  let counts = new Map<string, number>();
  let lastError = { key: '', times: 0 };
  for (const { number, calls } of turns) {
    for (const call of calls) {
      const key = `${call.name} ${canonical(call.input)}`;
      if (changesWorld(call)) counts = new Map();
      else {
        const times = (counts.get(key) ?? 0) + 1;
        counts.set(key, times);
        if (times === REPEATS) findings.push({ kind: 'repeated-call', turn: number, tool: call.name, times });
      }
      if (!call.isError) lastError = { key: '', times: 0 };
      else lastError = { key, times: lastError.key === key ? lastError.times + 1 : 1 };
      if (call.isError && lastError.times === REPEATED_ERRORS) {
        findings.push({ kind: 'repeated-error', turn: number, tool: call.name, times: REPEATED_ERRORS });
      }
    }
  }
  return findings;
}

/** Finds files that the agent mentions although no prompt, call or result mentioned them before. */
export function findUnknownFiles(turns: readonly SeenTurn[], exists: (path: string) => boolean): Finding[] {
  const findings: Finding[] = [];
  let known = '';
  const told = new Set<string>();
  for (const { number, prompt, said, calls } of turns) {
    known += `\n${prompt}\n${calls.map(({ input, result }) => `${canonical(input)}\n${result ?? ''}`).join('\n')}`;
    for (const path of pathsIn(said)) {
      if (told.has(path) || known.includes(path)) continue;
      told.add(path);
      findings.push({ kind: 'unknown-file', turn: number, path, exists: exists(path) });
    }
  }
  return findings;
}

/** Matches the relative path of a source file. */
export const FILE_PATH =
  /(?<![\w/:.@-])(?:[\w.-]+\/)*[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|css|scss|html?|json|ya?ml|toml|md|sh|txt)(?![\w/-])/g;

function pathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(FILE_PATH)].map(([path]) => path))];
}

function changesWorld(call: SeenCall): boolean {
  const classes = classesOf(call);
  return classes.includes('write') || (classes.includes('run') && !classes.includes('read'));
}

/** Writes input with sorted keys, so that equal calls give equal text. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
