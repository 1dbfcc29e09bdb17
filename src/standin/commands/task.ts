import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, type OptionSpec, type ParsedArgs, readCount, readOption } from '../argv.js';
import { CommandError, inContext } from '../failure.js';
import { faulty } from '../faults.js';
import { createLog } from '../log.js';
import { makeId } from '../make-id.js';
import { findWorkspace, layOutFiles, readTextFile } from '../store/files.js';
import { findReady, isTerminal, readTasks, type Task, type TaskStatus, writeTasks } from '../store/tasks.js';
import { formatEventTime } from '../time.js';
import { runSubcommand, type Subcommand, splitCommas } from './subcommands.js';
import { printDetails, printList, printOne } from './task-render.js';

const FORMAT: OptionSpec = { long: 'format', value: 'FORMAT', choices: ['table', 'json', 'quiet'] };
const ROOT: OptionSpec = { long: 'root', value: 'ROOT' };
const ADD_OPTIONS: readonly OptionSpec[] = [
  { long: 'priority', short: 'p', value: 'PRIORITY' },
  { long: 'description', short: 'd', value: 'DESCRIPTION' },
  { long: 'blocked-by', value: 'BLOCKED_BY' },
  FORMAT,
  ROOT,
];

const COMMANDS: Readonly<Record<string, Subcommand>> = {
  add: {
    spec: { usage: 'ralph tools task add [OPTIONS] <TITLE>', options: ADD_OPTIONS, positionals: ['<TITLE>'] },
    run: (args, spec) => {
      const task = create(args, spec);
      save(args, [...read(args), task]);
      printOne(task, args, 'Created');
    },
  },
  ensure: {
    spec: {
      usage: 'ralph tools task ensure [OPTIONS] --key <KEY> <TITLE>',
      options: [{ long: 'key', value: 'KEY', required: true }, ...ADD_OPTIONS],
      positionals: ['<TITLE>'],
    },
    run: ensure,
  },
  list: {
    spec: {
      usage: 'ralph tools task list [OPTIONS]',
      options: [
        { long: 'status', short: 's', value: 'STATUS' },
        { long: 'days', short: 'd', value: 'DAYS' },
        { long: 'limit', short: 'l', value: 'LIMIT' },
        { long: 'all', short: 'a' },
        FORMAT,
        ROOT,
      ],
    },
    run: (args, spec) => {
      const status = readOption(args, 'status')?.toLowerCase().replace(/[_-]/g, '');
      const days = readCount(args, 'days', spec);
      const since = days === undefined ? undefined : Date.now() - days * 86_400_000;
      const found = read(args)
        .filter((task) =>
          status === undefined
            ? args.values.has('all') || !isTerminal(task)
            : task.status.replace('_', '') === status,
        )
        .filter((task) => since === undefined || isRecent(task, since))
        .sort(compareForList);
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
    run: (args) => printDetails(find(args), args),
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

function create(args: ParsedArgs, spec: CommandSpec): Task {
  const loopId = readLoopId(args);
  const description = readOption(args, 'description');
  const key = readOption(args, 'key');
  return {
    id: makeId('task'),
    title: args.positionals[0] ?? '',
    status: 'open',
    priority: Math.min(5, Math.max(1, readCount(args, 'priority', spec) ?? 3)),
    blockedBy: chooseBlockers(splitCommas(readOption(args, 'blocked-by'))),
    created: formatEventTime(),
    ...(description === undefined ? {} : { description }),
    ...(key === undefined ? {} : { key }),
    ...(loopId === undefined ? {} : { loopId }),
  };
}

function chooseBlockers(ids: readonly string[]): readonly string[] {
  return ids.length > 1 && faulty('first-blocker-only') ? ids.slice(0, 1) : ids;
}

/** An existing key, of any loop, keeps its task and updates the fields that are given. */
function ensure(args: ParsedArgs, spec: CommandSpec): void {
  const task = create(args, spec);
  const tasks = read(args);
  const existing = tasks.find(({ key }) => key === task.key);
  if (existing === undefined || faulty('duplicate-keyed-tasks')) {
    save(args, [...tasks, task]);
    printOne(task, args, 'Ensured');
    return;
  }
  const { title, priority, description = existing.description } = task;
  const updated: Task = {
    ...existing,
    title,
    priority,
    ...(description === undefined ? {} : { description }),
    blockedBy: task.blockedBy.length > 0 ? task.blockedBy : existing.blockedBy,
  };
  save(
    args,
    tasks.map((candidate) => (candidate === existing ? updated : candidate)),
  );
  printOne(updated, args, 'Reused');
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
        ...(status === 'in_progress' && task.started === undefined ? { started: now } : {}),
        ...(status === 'closed' || status === 'failed' ? { closed: now } : {}),
      };
      save(
        args,
        read(args).map((candidate) => (candidate.id === task.id ? changed : candidate)),
      );
      writeOutput('stdout', `${word} task: ${task.id} - ${task.title}\n`);
    },
  };
}

/** Whether a task was created or closed since a time; an invalid time never counts. */
function isRecent({ created, closed }: Task, since: number): boolean {
  return Date.parse(created) > since || Date.parse(closed ?? '') > since;
}

/** Sorts tasks in progress first, then by priority and age. */
function compareForList(a: Task, b: Task): number {
  const rank = ({ status }: Task) => ['in_progress', 'open', 'closed', 'failed'].indexOf(status);
  return rank(a) - rank(b) || a.priority - b.priority || compareText(a.created, b.created);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function find(args: ParsedArgs): Task {
  const id = args.positionals[0] ?? '';
  const task = read(args).find((candidate) => candidate.id === id);
  if (task === undefined) throw new CommandError(`Task ${id} not found`);
  return task;
}

function read(args: ParsedArgs): readonly Task[] {
  const { tasks } = locate(args);
  // Warnings go to stdout, before the output.
  const log = createLog({ verbose: false, headless: true, workspace: process.cwd() });
  return inContext('Failed to load tasks', () => readTasks(tasks, log));
}

function save(args: ParsedArgs, tasks: readonly Task[]): void {
  const { tasks: path } = locate(args);
  inContext('Failed to save tasks', () => writeTasks(path, tasks));
}

function readLoopId(args: ParsedArgs): string | undefined {
  const id = readTextFile(locate(args).loopIdMarker)?.trim() ?? '';
  return id === '' ? undefined : id;
}

function locate(args: ParsedArgs) {
  return layOutFiles(findWorkspace(readOption(args, 'root')));
}
