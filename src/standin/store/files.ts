import { isUtf8 } from 'node:buffer';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { RALPH_FILES } from '../../domain/evidence/ralph-words.js';
import { CommandError, readErrorCode } from '../failure.js';
import { formatLogTime } from '../time.js';

/** Returns the paths of all files in a workspace; `.agent/` of older versions is no longer used. */
export function layOutFiles(workspace: string) {
  const ralph = join(workspace, '.ralph');
  return {
    ralph,
    agent: join(ralph, 'agent'),
    eventsMarker: join(workspace, RALPH_FILES.eventsMarker),
    loopIdMarker: join(ralph, 'current-loop-id'),
    lock: join(ralph, 'loop.lock'),
    loops: join(ralph, 'loops.json'),
    history: join(workspace, RALPH_FILES.history),
    historyLock: join(ralph, 'history.jsonl.lock'),
    loopState: join(ralph, 'api', 'loop-state.json'),
    stopRequested: join(ralph, 'stop-requested'),
    restartRequested: join(ralph, 'restart-requested'),
    resumeRequested: join(ralph, 'resume-requested'),
    suspendState: join(ralph, 'suspend-state.json'),
    urgentSteer: join(ralph, 'urgent-steer.json'),
    diagnostics: join(ralph, 'diagnostics'),
    memories: join(workspace, RALPH_FILES.memories),
    tasks: join(workspace, RALPH_FILES.tasks),
    summary: join(workspace, RALPH_FILES.summary),
    handoff: join(workspace, RALPH_FILES.handoff),
  } as const;
}

/** The files of one workspace. */
export type Files = ReturnType<typeof layOutFiles>;

/** Finds the workspace of `emit` and `tools`: from the loop's variable, else the nearest folder that looks like one. */
export function findWorkspace(root?: string): string {
  if (root !== undefined) return root;
  const told = process.env.RALPH_WORKSPACE_ROOT ?? '';
  if (told.trim() !== '') return told;
  const start = process.cwd();
  for (let folder = start; ; folder = dirname(folder)) {
    if (isFolder(join(folder, '.ralph')) || existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Returns the events file that the marker names, or `undefined` without a marker. */
export function readEventsMarker(workspace: string): string | undefined {
  const marker = readTextFile(layOutFiles(workspace).eventsMarker)?.trim();
  if (marker === undefined) return undefined;
  return isAbsolute(marker) ? marker : join(workspace, marker);
}

/** Reads a file; `undefined` if it does not exist. Throws if it is not UTF-8. */
export function readTextFile(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(readErrorCode(error) ?? '')) return undefined;
    throw error;
  }
  if (!isUtf8(bytes)) throw new CommandError('stream did not contain valid UTF-8');
  return bytes.toString();
}

/** Writes a file, and creates its folder if missing. */
export function writeTextFile(path: string, content: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, content);
}

/** Appends to a file in one write, so that lines of two programs do not mix. Creates its folder if missing. */
export function appendTextFile(path: string, content: string): void {
  makeFolder(dirname(path));
  appendFileSync(path, content);
}

/** Creates a folder and its parents. Node's recursive mkdir reports a read-only disk as a missing folder. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  try {
    mkdirSync(path);
  } catch (error) {
    // Two commands that start together may both find no folder; the second then finds one.
    if (readErrorCode(error) === 'EEXIST' && isFolder(path)) return;
    if (readErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}

/** Adds a record to the history of loops in this workspace. */
export function appendHistory(files: Files, type: Readonly<Record<string, string>>): void {
  appendTextFile(files.historyLock, '');
  appendTextFile(files.history, `${JSON.stringify({ ts: formatLogTime(), type })}\n`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
