import { completed, loop, onObjective, scenario } from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { type Meeting, meetingChecks, meetingFiles } from '../../support/at-once.js';
import { MECHANICS } from '../../support/commands.js';
import { MEMORY_FILE, remembering } from '../../support/memory.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { planning, TASK_FILE, taskId } from '../tasks/stored.js';

const OLD_TASK = { id: taskId(11), title: 'Old' };
const ONE_TASK = planning(OLD_TASK)[TASK_FILE] ?? '';
const TWO_TASKS = planning(OLD_TASK, { id: taskId(12), title: 'Other' })[TASK_FILE] ?? '';
const OLD = { id: 'mem-1700000001-aaaa', type: 'fix', content: 'Old' } as const;
const ONE_MEMORY = remembering(OLD)[MEMORY_FILE] ?? '';
const TWO_MEMORIES =
  remembering(OLD, { id: 'mem-1700000002-aaaa', type: 'context', content: 'Other' })[MEMORY_FILE] ?? '';

/** A command that changes the tasks, or the memories, while another process adds one. */
const onTasks = (command: string, outcome: RegExp, before = ONE_TASK): Meeting => ({
  ...{ store: TASK_FILE, lock: `${TASK_FILE}.lock`, before, meanwhile: TWO_TASKS },
  ...{ command: `ralph tools task ${command} --root .`, outcome },
});
const onMemories = (command: string, outcome: RegExp, before = ONE_MEMORY): Meeting => ({
  ...{ store: MEMORY_FILE, lock: `${MEMORY_FILE}.lock`, before, meanwhile: TWO_MEMORIES },
  ...{ command: `ralph tools memory ${command} --root .`, outcome },
});

const MEETINGS = {
  ensure: onTasks('ensure New --key new', /^waits, exit 0\n[\s\S]*"Old".*\n.*"Other".*\n.*"New".*\n$/),
  start: onTasks(`start ${OLD_TASK.id}`, /^waits, exit 0\n.*\n.*"Old".*"in_progress".*\n.*"Other".*\n$/),
  reopen: onTasks(`reopen ${OLD_TASK.id}`, /^waits, exit 0\n.*\n.*"Old".*"open".*\n.*"Other".*\n$/),
  tasks: onTasks('list', /^waits, exit 0\n(?=[\s\S]* Old )(?=[\s\S]* Other )/, ''),
  add: onMemories('add New --type fix', /^waits, exit 0\n[\s\S]*> New\n[\s\S]*> Old\n[\s\S]*> Other\n/),
  delete: onMemories(`delete ${OLD.id}`, /^waits, exit 0\n(?![\s\S]*> Old\n)[\s\S]*> Other\n/),
  memories: onMemories('list', /^waits, exit 0\n(?=[\s\S]*\| Old\n)(?=[\s\S]*\| Other\n)/, ''),
} as const;

/** The stores of Ralph have locks. Commands that do not take them lose tasks once in a while. */
const storesAtOnce = scenario({
  id: 'stores-at-once',
  ...MECHANICS,
  description: 'Commands on tasks and memories wait for a process that writes them, and lose nothing',
  covers: ['FR12'],
  beyondStandIn: 'locks',
  programs: ['flock'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: meetingFiles(MEETINGS),
    prompt: 'Run `sh at-once.sh`. Then declare the objective complete.',
  }),

  expect: () => ({ ends: completed(), ...meetingChecks(MEETINGS) }),

  agent: [onObjective('sh at-once.sh').runs('sh at-once.sh').completes()],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'the other process writes without the lock': {
      agent: replacing('sh at-once.sh', 'sed "s/flock/:/" at-once.sh | sh'),
      kills: ['ensure', 'start', 'reopen', 'tasks', 'add', 'delete', 'memories'],
    },
  },
});

export const storeMeetings = [storesAtOnce];
