/** Where Ralph keeps tasks, one a line. */
export const TASK_FILE = '.ralph/agent/tasks.jsonl';
/** When the tasks were created. */
export const LONG_AGO = '2026-01-31T08:00:00+00:00';

/** A task in the file that a scenario starts with. */
export interface StoredTask {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

/** Returns the files for a workspace that already has these tasks. */
export function planning(...tasks: readonly StoredTask[]): Readonly<Record<string, string>> {
  return { [TASK_FILE]: tasks.map((task) => `${JSON.stringify(storedTask(task))}\n`).join('') };
}

/** Fills in the fields that most tasks have in common. */
export function storedTask({ id, title, ...rest }: StoredTask) {
  return { id, title, status: 'open', priority: 3, blocked_by: [], created: LONG_AGO, ...rest };
}

/** Makes the id of a task from a number with two digits. */
export const taskId = (number: number) => `task-17000000${number}-aaaa`;
/** The id of a task that does not exist. */
export const UNKNOWN_TASK = 'task-1600000000-0000';
