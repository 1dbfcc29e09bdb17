import * as z from 'zod';
import { quoteWord } from '../../agent/engine/workflow.js';
import type { Step } from '../../domain/agent-script.js';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import type { Timeline } from './timeline.js';

const FILE = '.ralph/agent/tasks.jsonl';

const taskSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: z.enum(['open', 'in_progress', 'closed', 'failed']),
  description: z.string().nullish(),
  key: z.string().nullish(),
  priority: z.number().optional(),
  blocked_by: z.array(z.string()).optional(),
  created: z.string(),
  started: z.string().nullish(),
  closed: z.string().nullish(),
});
type Task = z.infer<typeof taskSchema>;

/** The tasks of a folder: their state before the run, and what the run did with them. */
export interface FoundTasks {
  readonly before: Readonly<Record<string, string>>;
  readonly touched: readonly Task[];
  readonly steps: readonly { readonly at: number; readonly step: Step }[];
  readonly gaps: readonly string[];
}

/** Reads the tasks. The times in each task show what the run did with it. */
export async function readTasks(reader: WorkspaceReader, timeline: Timeline | null): Promise<FoundTasks> {
  const { records } = parseJsonLines((await reader.read(FILE)) ?? '', FILE, taskSchema);
  const began = timeline?.began ?? Number.POSITIVE_INFINITY;
  const isNew = (time: string | null | undefined) => time != null && Date.parse(time) >= began;
  const old = records.filter(({ created }) => !isNew(created));
  const touched = records.filter(({ created, closed, started }) => [created, closed, started].some(isNew));
  const waiting = touched.filter((task) => isNew(task.created) && (task.blocked_by ?? []).length > 0);
  return {
    before:
      old.length === 0
        ? {}
        : { [FILE]: old.map((task) => `${JSON.stringify(asBefore(task, isNew))}\n`).join('') },
    touched,
    steps: touched.flatMap((task) => listSteps(task, isNew)),
    gaps: waiting.map(
      ({ title }) => `Task "${title}" was blocked by others; the draft adds it without them.`,
    ),
  };
}

function asBefore(task: Task, isNew: (time: string | null | undefined) => boolean): Task {
  const { started, closed, ...rest } = task;
  const early = { ...(isNew(started) ? {} : { started }), ...(isNew(closed) ? {} : { closed }) };
  if (isNew(closed))
    return { ...rest, ...early, status: started && !isNew(started) ? 'in_progress' : 'open' };
  return { ...rest, ...early, status: isNew(started) ? 'open' : task.status };
}

function listSteps(task: Task, isNew: (time: string | null | undefined) => boolean) {
  const { created, started, closed, status } = task;
  const done = status === 'failed' ? 'fail' : 'close';
  return [
    ...(isNew(created) ? [{ at: created, command: addCommand(task) }] : []),
    ...(started && isNew(started) ? [{ at: started, command: changeCommand('start', task) }] : []),
    ...(closed && isNew(closed) ? [{ at: closed, command: changeCommand(done, task) }] : []),
  ].map(({ at, command }): { at: number; step: Step } => ({
    at: Date.parse(at),
    step: { do: 'run', command },
  }));
}

function addCommand({ title, key, description, priority }: Task): string {
  const words = ['ralph', 'tools', 'task', ...(key ? ['ensure', title, '--key', key] : ['add', title])];
  return [
    ...words,
    ...(priority === undefined ? [] : ['-p', `${priority}`]),
    ...(description ? ['-d', description] : []),
  ]
    .map(quoteWord)
    .join(' ');
}

/** A replay gives the task a new id, so the command looks it up in the file. */
function changeCommand(verb: string, { title }: Task): string {
  const line = quoteWord(`"title":${JSON.stringify(title)}`);
  return `ralph tools task ${verb} "$(grep -F ${line} ${FILE} | tail -n 1 | cut -d '"' -f 4)"`;
}
