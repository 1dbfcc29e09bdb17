import { writeOutput } from '../../exec/direct-output.js';
import { type ParsedArgs, readOption } from '../argv.js';
import { type Task, toRecord } from '../store/tasks.js';
import { ellipsize } from '../text.js';

/** Prints a task that was just created or found. */
export function printOne(task: Task, args: ParsedArgs, word: string): void {
  const format = readOption(args, 'format') ?? 'table';
  if (format === 'json') writeOutput('stdout', `${JSON.stringify(toRecord(task))}\n`);
  else if (format === 'quiet') writeOutput('stdout', `${task.id}\n`);
  else {
    const lines = [
      `${word} task ${task.id}`,
      `  Title: ${task.title}`,
      ...(task.key === undefined ? [] : [`  Key: ${task.key}`]),
      `  Priority: ${task.priority}`,
      ...(task.blockedBy.length === 0 ? [] : [`  Blocked by: ${task.blockedBy.join(', ')}`]),
    ];
    writeOutput('stdout', `${lines.join('\n')}\n`);
  }
}

/** Prints tasks as a table, as JSON or as ids. */
export function printList(tasks: readonly Task[], args: ParsedArgs, withStatus: boolean): void {
  const format = readOption(args, 'format') ?? 'table';
  if (format === 'json') writeOutput('stdout', `${JSON.stringify(tasks.map(toRecord), null, 2)}\n`);
  else if (format === 'quiet') writeOutput('stdout', tasks.map(({ id }) => `${id}\n`).join(''));
  else if (tasks.length === 0) writeOutput('stdout', withStatus ? 'No tasks found\n' : 'No ready tasks\n');
  else {
    const row = (id: string, status: string, priority: string, title: string, key: string) =>
      `${id.padEnd(20)} ${withStatus ? `${status.padEnd(15)} ` : ''}${priority.padEnd(8)} ${title.padEnd(60)} ${key.padEnd(24)}`;
    const head = row('ID', 'Status', 'Priority', 'Title', 'Key');
    const rows = tasks.map((task) =>
      row(task.id, task.status, String(task.priority), ellipsize(task.title, 60), task.key ?? '-'),
    );
    writeOutput('stdout', `${[head, '-'.repeat(head.length), ...rows].join('\n')}\n`);
  }
}

/** Prints one task with all its fields. */
export function printDetails(task: Task, args: ParsedArgs): void {
  const format = readOption(args, 'format') ?? 'table';
  if (format === 'json') writeOutput('stdout', `${JSON.stringify(toRecord(task), null, 2)}\n`);
  else if (format === 'quiet') writeOutput('stdout', `${task.id}\n`);
  else {
    const facts: readonly (readonly [string, string | undefined])[] = [
      ['ID', task.id],
      ['Title', task.title],
      ['Description', task.description],
      ['Status', task.status],
      ['Priority', String(task.priority)],
      ['Key', task.key],
      ['Blocked by', task.blockedBy.length === 0 ? undefined : task.blockedBy.join(', ')],
      ['Created', task.created],
      ['Started', task.started],
      ['Closed', task.closed],
    ];
    for (const [name, value] of facts) {
      if (value !== undefined) writeOutput('stdout', `${`${name}:`.padEnd(13)}${value}\n`);
    }
  }
}
