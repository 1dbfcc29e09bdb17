import { type OptionSpec, type ParsedArgs, readCount, readOption } from '../argv.js';
import { CommandError } from '../failure.js';
import { appendTextFile, findWorkspace, layOutFiles, readTextFile } from '../files.js';
import {
  findReady,
  isTerminal,
  readTasks,
  type Task,
  type TaskStatus,
  toRecord,
  writeTasks,
} from '../task-store.js';
import { ellipsize } from '../text.js';
import { formatEventTime } from '../time.js';
import { runSubcommand, type Subcommand, splitCommas } from './subcommands.js';

const FORMAT: OptionSpec = { long: 'format', value: 'FORMAT', choices: ['table', 'json', 'quiet'] };
const ROOT: OptionSpec = { long: 'root', value: 'ROOT' };
const ADD_OPTIONS: readonly OptionSpec[] = [
  { long: 'priority', short: 'p', value: 'PRIORITY', choices: ['1', '2', '3', '4', '5'] },
  { long: 'description', short: 'd', value: 'DESCRIPTION' },
  { long: 'blocked-by', value: 'BLOCKED_BY' },
  FORMAT,
  ROOT,
];

const COMMANDS: Readonly<Record<string, Subcommand>> = {
  add: {
    spec: { usage: 'ralph tools task add [OPTIONS] <TITLE>', options: ADD_OPTIONS, positionals: ['<TITLE>'] },
    run: (args) => {
      const task = create(args);
      save(args, [...read(args), task]);
      printOne(task, args, 'Created');
    },
  },
  ensure: {
    spec: {
      usage: 'ralph tools task ensure [OPTIONS] --key <KEY> <TITLE>',
      options: [{ long: 'key', value: 'KEY' }, ...ADD_OPTIONS],
      positionals: ['<TITLE>'],
    },
    run: ensure,
  },
  list: {
    spec: {
      usage: 'ralph tools task list [OPTIONS]',
      options: [
        { long: 'status', short: 's', value: 'STATUS', choices: ['open', 'in_progress', 'closed', 'failed'] },
        { long: 'days', short: 'd', value: 'DAYS' },
        { long: 'limit', short: 'l', value: 'LIMIT' },
        { long: 'all', short: 'a' },
        FORMAT,
        ROOT,
      ],
    },
    run: (args, spec) => {
      const status = readOption(args, 'status');
      const days = readCount(args, 'days', spec);
      const since = days === undefined ? '' : new Date(Date.now() - days * 86_400_000).toISOString();
      const found = read(args)
        .filter((task) =>
          status === undefined ? args.values.has('all') || !isTerminal(task) : task.status === status,
        )
        .filter((task) => task.created >= since);
      printList(found.slice(0, readCount(args, 'limit', spec)), args, true);
    },
  },
  ready: {
    spec: { usage: 'ralph tools task ready [OPTIONS]', options: [{ long: 'all', short: 'a' }, FORMAT, ROOT] },
    run: (args) => {
      const loopId = readLoopId(args);
      const mine = (task: Task) => args.values.has('all') || loopId === undefined || task.loopId === loopId;
      printList(findReady(read(args)).filter(mine), args, false);
    },
  },
  show: {
    spec: { usage: 'ralph tools task show [OPTIONS] <ID>', options: [FORMAT, ROOT], positionals: ['<ID>'] },
    run: show,
  },
  start: changeStatus('start', 'in_progress', 'Started'),
  close: changeStatus('close', 'closed', 'Closed'),
  fail: changeStatus('fail', 'failed', 'Failed'),
  reopen: changeStatus('reopen', 'open', 'Reopened'),
};

/** `ralph tools task`. */
export function taskCommand(words: readonly string[]): number {
  return runSubcommand('task', COMMANDS, words);
}

function create(args: ParsedArgs): Task {
  const loopId = readLoopId(args);
  const description = readOption(args, 'description');
  const key = readOption(args, 'key');
  return {
    id: `task-${Math.floor(Date.now() / 1000)}-${makeSuffix()}`,
    title: args.positionals[0] ?? '',
    status: 'open',
    priority: Number(readOption(args, 'priority') ?? '3'),
    blockedBy: splitCommas(readOption(args, 'blocked-by')),
    created: formatEventTime(),
    ...(description === undefined ? {} : { description }),
    ...(key === undefined ? {} : { key }),
    ...(loopId === undefined ? {} : { loopId }),
  };
}

function ensure(args: ParsedArgs): void {
  const task = create(args);
  const tasks = read(args);
  const existing = tasks.find(
    ({ key, loopId }) => key !== undefined && key === task.key && loopId === task.loopId,
  );
  if (existing === undefined) save(args, [...tasks, task]);
  printOne(existing ?? task, args, existing === undefined ? 'Ensured' : 'Reused');
}

function changeStatus(name: string, status: TaskStatus, word: string): Subcommand {
  return {
    spec: {
      usage: `ralph tools task ${name} [OPTIONS] <ID>`,
      options: [FORMAT, ROOT],
      positionals: ['<ID>'],
    },
    run: (args) => {
      const task = find(args);
      const { closed: _, ...open } = task;
      const now = formatEventTime();
      const changed: Task = {
        ...open,
        status,
        ...(status === 'in_progress' ? { started: now } : {}),
        ...(status === 'closed' || status === 'failed' ? { closed: now } : {}),
      };
      save(
        args,
        read(args).map((candidate) => (candidate.id === task.id ? changed : candidate)),
      );
      process.stdout.write(`${word} task: ${task.id} - ${task.title}\n`);
    },
  };
}

function printOne(task: Task, args: ParsedArgs, word: string): void {
  const format = readOption(args, 'format') ?? 'table';
  if (format === 'json') process.stdout.write(`${JSON.stringify(toRecord(task))}\n`);
  else if (format === 'quiet') process.stdout.write(`${task.id}\n`);
  else {
    const lines = [
      `${word} task ${task.id}`,
      `  Title: ${task.title}`,
      ...(task.key === undefined ? [] : [`  Key: ${task.key}`]),
      `  Priority: ${task.priority}`,
      ...(task.blockedBy.length === 0 ? [] : [`  Blocked by: ${task.blockedBy.join(', ')}`]),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

function printList(tasks: readonly Task[], args: ParsedArgs, withStatus: boolean): void {
  const format = readOption(args, 'format') ?? 'table';
  if (format === 'json') process.stdout.write(`${JSON.stringify(tasks.map(toRecord), null, 2)}\n`);
  else if (format === 'quiet') process.stdout.write(tasks.map(({ id }) => `${id}\n`).join(''));
  else if (tasks.length === 0) process.stdout.write(withStatus ? 'No tasks found\n' : 'No ready tasks\n');
  else {
    const row = (id: string, status: string, priority: string, title: string, key: string) =>
      `${id.padEnd(20)} ${withStatus ? `${status.padEnd(15)} ` : ''}${priority.padEnd(8)} ${title.padEnd(60)} ${key.padEnd(24)}`;
    const head = row('ID', 'Status', 'Priority', 'Title', 'Key');
    const rows = tasks.map((task) =>
      row(task.id, task.status, String(task.priority), ellipsize(task.title, 60), task.key ?? '-'),
    );
    process.stdout.write(`${[head, '-'.repeat(head.length), ...rows].join('\n')}\n`);
  }
}

function show(args: ParsedArgs): void {
  const task = find(args);
  const format = readOption(args, 'format') ?? 'table';
  if (format === 'json') process.stdout.write(`${JSON.stringify(toRecord(task), null, 2)}\n`);
  else if (format === 'quiet') process.stdout.write(`${task.id}\n`);
  else {
    const facts: readonly (readonly [string, string | undefined])[] = [
      ['ID', task.id],
      ['Title', task.title],
      ['Description', task.description],
      ['Key', task.key],
      ['Status', task.status],
      ['Priority', String(task.priority)],
      ['Blocked by', task.blockedBy.length === 0 ? undefined : task.blockedBy.join(', ')],
      ['Created', task.created],
      ['Started', task.started],
      ['Closed', task.closed],
    ];
    for (const [name, value] of facts) {
      if (value !== undefined) process.stdout.write(`${`${name}:`.padEnd(13)}${value}\n`);
    }
  }
}

function find(args: ParsedArgs): Task {
  const id = args.positionals[0] ?? '';
  const task = read(args).find((candidate) => candidate.id === id);
  if (task === undefined) throw new CommandError(`Task ${id} not found`);
  return task;
}

function read(args: ParsedArgs): readonly Task[] {
  return readTasks(locate(args).tasks);
}

function save(args: ParsedArgs, tasks: readonly Task[]): void {
  const { tasks: path } = locate(args);
  appendTextFile(`${path}.lock`, '');
  writeTasks(path, tasks);
}

function readLoopId(args: ParsedArgs): string | undefined {
  const id = readTextFile(locate(args).loopIdMarker)?.trim() ?? '';
  return id === '' ? undefined : id;
}

function locate(args: ParsedArgs) {
  return layOutFiles(findWorkspace(readOption(args, 'root')));
}

function makeSuffix(): string {
  return ((process.hrtime.bigint() / 1000n) % 65_536n).toString(16).padStart(4, '0');
}
