import { existsSync } from 'node:fs';
import { messageOf } from '../../domain/common/message-of.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { appendTextFile, readTextFile, writeTextFile } from './files.js';

export type TaskStatus = 'open' | 'in_progress' | 'closed' | 'failed';

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly key?: string;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly blockedBy: readonly string[];
  readonly loopId?: string;
  readonly created: string;
  readonly started?: string;
  readonly closed?: string;
}

/** Reads tasks for a loop; touches nothing if there are none. */
export function readExistingTasks(path: string, log: Log): readonly Task[] {
  return existsSync(path) ? readTasks(path, log) : [];
}

/** Reads the tasks of a workspace; skips lines that are not tasks, with a warning each time. */
export function readTasks(path: string, log: Log): readonly Task[] {
  appendTextFile(`${path}.lock`, '');
  const lines = (readTextFile(path) ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    const task = parseTask(line);
    if (!('error' in task)) return [task];
    const what = 'Skipping malformed task line in JSONL';
    log.warn('ralph_core::task_store', `${what} error=${task.error} line=${JSON.stringify(line)}`);
    return [];
  });
}

export function writeTasks(path: string, tasks: readonly Task[]): void {
  writeTextFile(path, tasks.map((task) => `${JSON.stringify(toRecord(task))}\n`).join(''));
}

/** Converts a task to its record, with the fields in the order of the file. */
export function toRecord(task: Task): Readonly<Record<string, unknown>> {
  return {
    id: task.id,
    title: task.title,
    ...(task.description === undefined ? {} : { description: task.description }),
    ...(task.key === undefined ? {} : { key: task.key }),
    status: task.status,
    priority: task.priority,
    blocked_by: task.blockedBy,
    ...(task.loopId === undefined ? {} : { loop_id: task.loopId }),
    created: task.created,
    ...(task.started === undefined ? {} : { started: task.started }),
    ...(task.closed === undefined ? {} : { closed: task.closed }),
  };
}

/** Whether a task is closed or failed. */
export function isTerminal(task: Task): boolean {
  return task.status === 'closed' || task.status === 'failed';
}

/** Finds tasks that can start: open, with all their blockers closed; a failed blocker still blocks. */
export function findReady(tasks: readonly Task[]): readonly Task[] {
  const closed = new Set(tasks.filter(({ status }) => status === 'closed').map(({ id }) => id));
  return tasks.filter(
    (task) =>
      task.status === 'open' && (task.blockedBy.every((id) => closed.has(id)) || faulty('ignore-blocked-by')),
  );
}

/** Renders the block at the top of a prompt; empty if this loop has no tasks. */
export function renderReadyTasks(all: readonly Task[], loopId: string): string {
  const mine = all.filter((task) => task.loopId === loopId);
  if (mine.length === 0) return '';
  const ready = findReady(all).filter((task) => task.loopId === loopId);
  const open = mine.filter((task) => !isTerminal(task));
  if (open.length === 0) {
    return '<ready-tasks>\nNo task is open. Add one with `ralph tools task add`.\n</ready-tasks>\n\n';
  }
  const lines = [
    `## Tasks: ${ready.length} ready, ${open.length} open, ${mine.length - open.length} closed`,
    '',
    ...ready.map((task) => `- [ ] [P${task.priority}] ${task.title} (${task.id})${renderKey(task)}`),
  ];
  // Tasks in progress are not ready either, so they appear here with no blockers.
  const others = open.filter((task) => !ready.includes(task));
  if (others.length > 0) lines.push('', 'Blocked:');
  for (const task of others) {
    lines.push(
      `- [blocked] [P${task.priority}] ${task.title} (${task.id})${renderKey(task)} — blocked by: ${task.blockedBy.join(', ')}`,
    );
  }
  return `<ready-tasks>\n${lines.join('\n')}\n</ready-tasks>\n\n`;
}

function renderKey(task: Task): string {
  return task.key === undefined ? '' : ` — key: ${task.key}`;
}

function parseTask(line: string): Task | { readonly error: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { error: messageOf(error) };
  }
  if (typeof value !== 'object' || value === null) return { error: 'invalid type: expected struct Task' };
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string | undefined => {
    const found = fields.get(name);
    return typeof found === 'string' ? found : undefined;
  };
  const [id, title, created] = [text('id'), text('title'), text('created')];
  const status = readStatus(fields.get('status'));
  const priority = readPriority(fields.get('priority'));
  const blockedBy = fields.has('blocked_by') ? readTexts(fields.get('blocked_by')) : [];
  if (id === undefined) return refuse('id');
  if (title === undefined) return refuse('title');
  if (status === undefined) return refuse('status');
  if (priority === undefined) return refuse('priority');
  if (blockedBy === undefined) return refuse('blocked_by');
  if (created === undefined) return refuse('created');
  const optional = ['description', 'key', 'loop_id', 'started', 'closed'];
  const wrong = optional.find((name) => text(name) === undefined && (fields.get(name) ?? null) !== null);
  if (wrong !== undefined) return refuse(wrong);
  const [description, key, loopId, started, closed] = optional.map(text);
  return {
    id,
    title,
    status,
    priority,
    blockedBy,
    created,
    ...(description === undefined ? {} : { description }),
    ...(key === undefined ? {} : { key }),
    ...(loopId === undefined ? {} : { loopId }),
    ...(started === undefined ? {} : { started }),
    ...(closed === undefined ? {} : { closed }),
  };
}

function refuse(field: string): { readonly error: string } {
  return { error: `missing or invalid field \`${field}\`` };
}

function readStatus(value: unknown): TaskStatus | undefined {
  return (['open', 'in_progress', 'closed', 'failed'] as const).find((status) => status === value);
}

/** One byte, as in the real Ralph. */
function readPriority(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256
    ? value
    : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === value.length ? texts : undefined;
}
