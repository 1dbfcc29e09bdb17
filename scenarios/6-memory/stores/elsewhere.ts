import {
  completed,
  eventEmitted,
  fileContains,
  loop,
  memoryStored,
  onEvent,
  onObjective,
  promptContained,
  RALPH_TOPICS,
  scenario,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS, questionsAroundLoop } from '../../support/commands.js';
import { answersOf, askAll, asks } from '../../support/inquiries.js';
import { remembering } from '../../support/memory.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { planning, TASK_FILE, taskId } from '../tasks/stored.js';

const STORED = {
  ...remembering({ id: 'mem-1700000001-aaaa', type: 'fix', content: 'Of the workspace' }),
  ...planning(
    { id: taskId(11), title: 'Of the workspace' },
    { id: taskId(12), title: 'Of another loop', loop_id: 'other-loop' },
  ),
};
const OURS = { stdout: 'Of the workspace' };
const START = { json: [{ topic: RALPH_TOPICS.start }] };

/** A folder below the workspace, without the variables of a run. Empty variables count as none. */
const BELOW = { in: 'deep/down', env: { RALPH_WORKSPACE_ROOT: null, RALPH_EVENTS_FILE: null } };
const EMPTY = { in: 'deep/down', env: { RALPH_WORKSPACE_ROOT: '', RALPH_EVENTS_FILE: '' } };
/** A worktree of git is a workspace of its own, unless a variable names another. */
const TREE = { in: 'tree', env: BELOW.env };
const SENT = { in: 'tree', env: { RALPH_WORKSPACE_ROOT: '..', RALPH_EVENTS_FILE: null } };

/** No two have the same arguments, so that each answer is found by its own. */
const QUESTIONS = {
  ensured: {
    ...asks('tools task ensure New --key new --format json', { stdout: /"loop_id":"[a-z0-9-]+"/ }),
    ...BELOW,
  },
  ready: { ...asks('tools task ready --format json', { json: [{ title: 'New' }] }), ...BELOW },
  tasks: { ...asks('tools task list --limit 9', OURS), ...BELOW },
  memories: { ...asks('tools memory list --last 9', OURS), ...BELOW },
  events: { ...asks('events --topic task.start --last 9 --format json', START), ...BELOW },
  tasksWithEmpty: { ...asks('tools task list --limit 8', OURS), ...EMPTY },
  memoriesWithEmpty: { ...asks('tools memory list --last 8', OURS), ...EMPTY },
  tasksOfTree: { ...asks('tools task list --limit 7', { stdout: /^No tasks found\n$/ }), ...TREE },
  memoriesOfTree: { ...asks('tools memory list --last 7', { stdout: 'No memories yet.' }), ...TREE },
  tasksSent: { ...asks('tools task list --limit 6', OURS), ...SENT },
  memoriesSent: { ...asks('tools memory list --last 6', OURS), ...SENT },
  eventsSent: { ...asks('events --topic task.start --last 6 --format json', START), ...SENT },
};

const commandsElsewhere = questionsAroundLoop({
  id: 'commands-elsewhere',
  description:
    'Commands find the workspace from a folder below it, from a worktree and by the variable that names it',
  covers: ['FR12'],

  plan: {
    files: { ...STORED, 'deep/down/kept': '', '.gitignore': 'tree/\n' },
    before: [{ git: ['worktree', 'add', '-q', '--no-checkout', 'tree'] }],
    after: askAll(QUESTIONS),
  },

  answers: answersOf(QUESTIONS),

  saboteurs: {
    'nothing is stored': {
      config: arranging({ files: { 'deep/down/kept': '', '.gitignore': 'tree/\n' } }),
      kills: ['tasks', 'memories', 'tasksWithEmpty', 'memoriesWithEmpty', 'tasksSent', 'memoriesSent'],
    },
    'there is no worktree, but a folder': {
      config: arranging({ files: { ...STORED, 'deep/down/kept': '', 'tree/kept': '' }, before: [] }),
      kills: ['tasksOfTree', 'memoriesOfTree'],
    },
    'the harness asks nothing': {
      config: arranging({ after: [] }),
      kills: ['ensured', 'ready', 'events', 'eventsSent'],
    },
  },
});

/** The agent works in a repository of its own, below the workspace. The environment that Ralph gives it leads back. */
const APART = `mkdir -p apart/.git apart/below && cd apart/below
ralph emit note.apart here
ralph wave emit note.wave --payloads one two
ralph tools task ensure Apart --key apart
ralph tools memory add Apart --type fix
ralph events --topic note.apart > ../../heard.txt
`;

const agentElsewhere = scenario({
  id: 'agent-elsewhere',
  ...MECHANICS,
  description:
    'An agent in another repository below the workspace reaches the events, tasks and memories of the run',
  covers: ['FR6', 'FR12'],
  beyondStandIn: 'waves',
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 4 }),
    files: { 'apart.sh': APART, '.gitignore': 'apart/\n' },
    prompt: 'Run `sh apart.sh`. When its events are pending, declare the objective complete.',
  }),

  expect: () => ({
    ends: completed(),
    event: eventEmitted('note.apart', /^here$/),
    told: promptContained('Event: note.apart - here'),
    wave: eventEmitted('note.wave', /^two$/),
    heard: fileContains('heard.txt', /note\.apart .*\| here\n/),
    task: fileContains(TASK_FILE, '"title":"Apart"'),
    memory: memoryStored({ content: 'Apart', type: 'fix' }),
  }),

  agent: [onEvent('note.apart').completes(), onObjective('sh apart.sh').runs('sh apart.sh')],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'forgets the environment': {
      agent: replacing(
        'sh apart.sh',
        'env -u RALPH_EVENTS_FILE -u RALPH_WORKSPACE_ROOT sh apart.sh; ralph emit note.apart',
      ),
      kills: ['event', 'told', 'wave', 'task', 'memory'],
    },
    'looks for nothing': { agent: replacing('sh apart.sh', 'grep -v heard apart.sh | sh'), kills: ['heard'] },
  },
});

export const elsewhere = [commandsElsewhere, agentElsewhere];
