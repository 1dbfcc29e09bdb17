import type { Finding } from '../../../domain/evidence/conversation.js';
import type { NamedCall } from './tool-class.js';
import { classesOf } from './tool-class.js';

/** A call as the findings look at it. */
export interface SeenCall extends NamedCall {
  readonly result: string | null;
  readonly isError: boolean;
}

/** What one turn showed. */
export interface SeenTurn {
  readonly number: number;
  readonly prompt: string;
  readonly said: string;
  readonly calls: readonly SeenCall[];
}

const REPEATS = 3;
const REPEATED_ERRORS = 2;

/** The same call again and again with nothing changed in between, or the same error twice in a row: confusion. */
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

/** Files that the agent speaks of and has neither been told of, nor seen, nor written. */
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

const PATH =
  /(?<![\w/:.@-])(?:[\w.-]+\/)*[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|css|scss|html?|json|ya?ml|toml|md|sh|txt)(?![\w/-])/g;

function pathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(PATH)].map(([path]) => path))];
}

function changesWorld(call: SeenCall): boolean {
  const classes = classesOf(call);
  return classes.includes('write') || (classes.includes('run') && !classes.includes('read'));
}

/** Input with its keys in order, so that the same call reads the same. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
