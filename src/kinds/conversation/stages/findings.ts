import { relative } from 'node:path';
import type { FileSeen, Finding, TurnSnapshot } from '../../../domain/evidence/conversation.js';
import { splitShellLine } from '../../../domain/text/shell-line.js';
import { classesOf, type NamedCall } from './tool-class.js';

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
      if (changesSomething(call)) counts = new Map();
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
const FILE_PATH =
  /(?<![\w/:.@-])(?:[\w.-]+\/)*[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|css|scss|html?|json|ya?ml|toml|md|sh|txt)(?![\w/-])/g;

function pathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(FILE_PATH)].map(([path]) => path))];
}

function changesSomething(call: SeenCall): boolean {
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

/** A search may list a whole repository. So many mentions of a turn are kept. */
const MAX_MENTIONS = 200;

/** The names that tools have for the path of a file. */
const PATH_KEYS = ['file_path', 'filePath', 'notebook_path', 'path'] as const;

/** Matches the part of a shell command that shows the content of files. */
const SHOWING = /^(?:cat|head|tail|less|more|nl|bat|sed|awk|grep|rg|git (?:show|diff|blame))\s/;

const CHANGING = /^sed (?:-[a-zA-Z]*i|--in-place)/;

/** Lists the files of each turn: those in its texts, those that it read, and those that it changed. */
export function listFilesSeen(
  turns: readonly SeenTurn[],
  folder: string,
  snapshots: readonly TurnSnapshot[] = [],
): FileSeen[] {
  return turns.flatMap(({ number: turn, prompt, said, calls }): FileSeen[] => {
    const done = calls.filter(({ isError }) => !isError);
    const texts = [prompt, said, ...calls.map(({ result }) => result ?? '')];
    const mentioned = [...new Set(texts.flatMap((text) => findPaths(text, folder)))].slice(0, MAX_MENTIONS);
    const read = done.flatMap((call) => findRead(call, folder));
    const changed = snapshots.find((snapshot) => snapshot.turn === turn)?.files ?? [];
    const modified = [
      ...done.filter((call) => classesOf(call).includes('write')).flatMap((call) => findTarget(call, folder)),
      ...changed.map(({ path }) => path),
    ];
    const list = (how: FileSeen['how'], paths: readonly string[]) =>
      [...new Set(paths)].map((path) => ({ turn, path, how }));
    return [...list('mentioned', mentioned), ...list('read', read), ...list('modified', modified)];
  });
}

/** A search names files; only what shows their content reads them. */
function findRead(call: SeenCall, folder: string): string[] {
  const classes = classesOf(call);
  if (!classes.includes('run')) {
    return classes.includes('read') && !classes.includes('search') ? findTarget(call, folder) : [];
  }
  const { command } = call.input;
  if (typeof command !== 'string') return [];
  // What a line with substitutions or here-documents reads is not known.
  return (splitShellLine(command) ?? [])
    .map(({ words }) => words.join(' '))
    .filter((part) => SHOWING.test(part) && !CHANGING.test(part))
    .flatMap((part) => findPaths(part, folder));
}

function findTarget({ input }: SeenCall, folder: string): string[] {
  const path = PATH_KEYS.map((key) => input[key]).find((value) => typeof value === 'string');
  if (typeof path !== 'string') return [];
  return [path.startsWith('/') ? relative(folder, path) : path.replace(/^\.\//, '')];
}

/** Finds paths in a text. Those inside the workspace are relative to it. */
function findPaths(text: string, folder: string): string[] {
  const plain = text.replaceAll(`${folder}/`, ' ');
  return [...plain.matchAll(FILE_PATH)].map(([path]) => path.replace(/^(?:\.\/)+/, ''));
}
