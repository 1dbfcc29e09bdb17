import { type Errand, errandAnswered, scenario } from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { IDLE_WORKERS, MECHANICS, prints, SMALL_WORKER, smallWork, workDone } from '../support/commands.js';
import { asking, COMMANDS_ONLY } from '../support/memory.js';
import { escapePattern } from '../support/texts.js';

const TASK_FILE = '.ralph/agent/tasks.jsonl';
const OLD = '2026-01-31T08:00:00+00:00';

interface StoredTask {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

/** Returns the files for a workspace that already has these tasks. */
function planning(...tasks: readonly StoredTask[]): Readonly<Record<string, string>> {
  return { [TASK_FILE]: tasks.map((task) => `${JSON.stringify(fillIn(task))}\n`).join('') };
}

function fillIn({ id, title, ...rest }: StoredTask) {
  return { id, title, status: 'open', priority: 3, blocked_by: [], created: OLD, ...rest };
}

/** Ids of tasks, by their number. */
const t = (number: number) => `task-17000000${number}-aaaa`;

const STORE: readonly StoredTask[] = [
  { id: t(10), title: 'Sweep', priority: 4, created: '2026-01-31T08:00:02+00:00' },
  { id: t(11), title: 'Mop', priority: 4, created: '2026-01-31T08:00:01+00:00', key: 'house:mop' },
  { id: t(12), title: 'Cook', priority: 1, status: 'failed', closed: OLD },
  { id: t(13), title: 'Bake', priority: 5, status: 'in_progress', started: OLD },
  { id: t(14), title: 'Wash', priority: 2, status: 'closed', closed: OLD },
  { id: t(15), title: 'Iron', priority: 1, description: 'The blue shirts' },
  { id: t(16), title: 'Mend', priority: 1, status: 'closed', closed: '2126-01-31T08:00:00+00:00' },
  { id: t(17), title: 'Fold', blocked_by: [t(14), t(15)], loop_id: 'another-loop' },
];
const BROKEN = 'This line is no task.\n';

const LIST = 'tools task list --format quiet';
const LIST_ALL = 'tools task list --all --format quiet';
const LIST_STATUS = 'tools task list --status IN-PROGRESS --format quiet';
const LIST_FAILED = 'tools task list -s failed --format quiet';
const LIST_LIMIT = 'tools task list --limit 2 --format quiet';
const LIST_DAYS = 'tools task list --all --days 2 --format quiet';
const LIST_TABLE = 'tools task list';
const LIST_JSON = 'tools task list --status closed --format json';
const SHOW = `tools task show ${t(17)}`;
const SHOW_JSON = `tools task show ${t(15)} --format json`;
const SHOW_QUIET = `tools task show ${t(15)} --format quiet`;
const UNKNOWN = 'task-1600000000-0000';
const unknown = (name: string) => `tools task ${name} ${UNKNOWN}`;
const notFound = (name: string) =>
  errandAnswered(unknown(name), { exitCode: 1, stderr: `Task ${UNKNOWN} not found` });
const json = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

/** Lists and shows tasks. One line of the file is damaged. */
const listing = scenario({
  id: 'tasks-list-formats',
  ...MECHANICS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'Tasks are listed by status, priority and age, limited as asked, and shown in every format',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: { [TASK_FILE]: BROKEN + planning(...STORE)[TASK_FILE] },
    prompt: smallWork(context),
    after: [
      LIST,
      LIST_ALL,
      LIST_STATUS,
      LIST_FAILED,
      LIST_LIMIT,
      LIST_DAYS,
      LIST_TABLE,
      LIST_JSON,
      SHOW,
      SHOW_JSON,
      SHOW_QUIET,
      ...['show', 'start', 'close', 'fail', 'reopen'].map(unknown),
    ].map(asking),
  }),

  expect: (context) => ({
    ...workDone(context),
    open: printsLast(LIST, t(13), t(15), t(17), t(11), t(10)),
    all: printsLast(LIST_ALL, t(13), t(15), t(17), t(11), t(10), t(16), t(14), t(12)),
    status: printsLast(LIST_STATUS, t(13)),
    failed: printsLast(LIST_FAILED, t(12)),
    limit: printsLast(LIST_LIMIT, t(13), t(15)),
    days: printsLast(LIST_DAYS, t(16)),
    table: errandAnswered(LIST_TABLE, {
      stdout: new RegExp(
        `^${t(11)} +open +4 +Mop +house:mop *$[\\s\\S]*^${t(10)} +open +4 +Sweep +- *$`,
        'm',
      ),
    }),
    inProgress: errandAnswered(LIST_TABLE, {
      stdout: new RegExp(`^${t(13)} +in_progress +5 +Bake `, 'm'),
    }),
    json: printsLast(
      LIST_JSON,
      ...json([
        ...STORE.filter(({ id }) => id === t(16)).map(fillIn),
        ...STORE.filter(({ id }) => id === t(14)).map(fillIn),
      ]),
    ),
    shown: errandAnswered(SHOW, {
      stdout: new RegExp(
        `^ID: +${t(17)}\\nTitle: +Fold\\nStatus: +open\\nPriority: +3\\nBlocked by: +${t(14)}, ${t(15)}\\nCreated: +2026-01-31T08:00:00`,
        'm',
      ),
    }),
    description: errandAnswered(SHOW_JSON, { stdout: '"description": "The blue shirts"' }),
    shownQuiet: printsLast(SHOW_QUIET, t(15)),
    warned: errandAnswered(LIST_TABLE, { stdout: /WARN .*Skipping malformed task line/ }),
    unknownShow: notFound('show'),
    unknownStart: notFound('start'),
    unknownClose: notFound('close'),
    unknownFail: notFound('fail'),
    unknownReopen: notFound('reopen'),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'other tasks are stored': {
      config: arranging({
        files: planning(...STORE.map((task) => ({ id: `${task.id}0`, title: task.title, status: 'closed' }))),
      }),
      kills: [
        'open',
        'all',
        'status',
        'failed',
        'limit',
        'days',
        'table',
        'inProgress',
        'json',
        'shown',
        'description',
        'shownQuiet',
        'warned',
      ],
      failure: 'AssertionMismatch',
    },
    'the unknown task is known': {
      config: arranging({ files: planning({ id: UNKNOWN, title: 'Known' }) }),
      kills: ['unknownShow', 'unknownStart', 'unknownClose', 'unknownFail', 'unknownReopen'],
      failure: 'AssertionMismatch',
    },
  },
});

/** Checks what a command printed after its warnings about the damaged line. */
function printsLast(command: string, ...lines: readonly string[]) {
  const text = lines.map((line) => `${escapePattern(line)}\\n`).join('');
  return errandAnswered(command, { stdout: new RegExp(`^(?:.*WARN.*\\n)*${text}$`) });
}

const [A, B, FAILED, STARTED] = [t(10), t(11), t(12), t(13)];
const BLOCKED: readonly StoredTask[] = [
  { id: A, title: 'Sand' },
  { id: B, title: 'Fill' },
  { id: FAILED, title: 'Order', status: 'failed' },
  { id: STARTED, title: 'Dry', status: 'in_progress' },
  { id: t(14), title: 'Deliver', blocked_by: [FAILED] },
  { id: t(15), title: 'Touch', blocked_by: [STARTED] },
  { id: t(16), title: 'Wait', blocked_by: [UNKNOWN] },
];
const ADD_BLOCKED = ['tools', 'task', 'add', 'Paint', '--blocked-by', `${A}, ${B}`, '-p', '1'];
const ENSURE_BLOCKED = `tools task ensure Varnish --key house:varnish --blocked-by ${A},${B}`;
const READY_BOTH_OPEN = 'tools task ready --format json';
const READY_ONE_CLOSED = 'tools task ready --all --format json';
const READY_BOTH_CLOSED = 'tools task ready -a --format json';
const READY_HERE = 'tools task ready';
const READY_ANYWHERE = 'tools task ready --all';
const OTHER = '(?:(?!"title")[\\s\\S])*';
const titles = (...names: readonly string[]) =>
  new RegExp(`^${OTHER}${names.map((name) => `"title": "${name}"${OTHER}`).join('')}$`);

/** Two blockers, a failed one, one in progress and one that does not exist. */
const blockers = scenario({
  id: 'tasks-several-blockers',
  ...MECHANICS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description:
    'A task is ready once all that block it are closed; a failed, started or unknown one still blocks',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: planning(...BLOCKED),
    before: [
      { ralph: ADD_BLOCKED },
      asking(ENSURE_BLOCKED),
      asking(READY_BOTH_OPEN),
      asking(`tools task close ${A}`),
      asking(READY_ONE_CLOSED),
      asking(`tools task close ${B}`),
      asking(READY_BOTH_CLOSED),
    ],
    prompt: smallWork(context),
    // The loop that ran now has its own id, and no task of its own.
    after: [asking(READY_HERE), asking(READY_ANYWHERE)],
  }),

  expect: (context) => ({
    ...workDone(context),
    confirmed: errandAnswered(ADD_BLOCKED.join(' '), {
      stdout: new RegExp(
        `^Created task task-\\d+-[0-9a-f]{4}\\n +Title: Paint\\n +Priority: 1\\n +Blocked by: ${A}, ${B}\\n$`,
      ),
    }),
    bothOpen: errandAnswered(READY_BOTH_OPEN, { stdout: titles('Sand', 'Fill') }),
    oneClosed: errandAnswered(READY_ONE_CLOSED, { stdout: titles('Fill') }),
    bothClosed: errandAnswered(READY_BOTH_CLOSED, { stdout: titles('Paint', 'Varnish') }),
    ofThisLoop: prints(READY_HERE, 'No ready tasks'),
    ofAllLoops: errandAnswered(READY_ANYWHERE, { stdout: / 1 +Paint [\s\S]* 3 +Varnish +house:varnish/ }),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'no task is added': {
      config: (arrangement) => ({ ...arrangement, before: arrangement.before?.slice(2) ?? [] }),
      kills: ['confirmed', 'bothClosed', 'ofAllLoops'],
      failure: 'AssertionMismatch',
    },
    'nobody closes a task': {
      config: (arrangement) => ({
        ...arrangement,
        before: (arrangement.before ?? []).filter((errand) => !isClosing(errand)),
      }),
      kills: ['oneClosed', 'bothClosed'],
      failure: 'AssertionMismatch',
    },
    'the loop has a task of its own': {
      config: arranging({ after: [asking('tools task add Own'), asking(READY_HERE)] }),
      kills: ['ofThisLoop'],
      failure: 'AssertionMismatch',
    },
    'Ralph keeps only the first blocker': {
      target: 'first-blocker-only',
      kills: ['confirmed', 'oneClosed'],
    },
    'Ralph offers tasks that are blocked': {
      target: 'ignore-blocked-by',
      kills: ['bothOpen', 'oneClosed', 'bothClosed'],
    },
  },
});

function isClosing(errand: Errand): boolean {
  return 'ralph' in errand && errand.ralph.includes('close');
}

const ENSURE = 'tools task ensure Water --key garden:water -p 2 -d Daily';
const ENSURE_AGAIN = `tools task ensure Sprinkle --key garden:water -p 9 --blocked-by ${A} --format json`;
const ENSURE_TITLE_ONLY = 'tools task ensure Soak --key garden:water';
const ENSURE_CLOSED = 'tools task ensure Rake --key garden:rake --format quiet';
const ENSURE_OTHER = 'tools task ensure Water --key garden:lawn -p 0';
const ENSURE_WITHOUT_KEY = 'tools task ensure Prune';
const KEYED_ROW = (fields: string) => new RegExp(`^\\{"id":"task-\\d+-[0-9a-f]{4}",${fields}`, 'm');

/** A key names one task, however often it is ensured. */
const ensuring = scenario({
  id: 'tasks-ensure',
  ...MECHANICS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'A key leaves one task, which takes over the new title and keeps its id and state',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: planning(
      { id: A, title: 'Dig' },
      { id: B, title: 'Rake', key: 'garden:rake', status: 'closed', closed: OLD },
    ),
    prompt: smallWork(context),
    after: [
      ENSURE,
      ENSURE_AGAIN,
      ENSURE_TITLE_ONLY,
      ENSURE_CLOSED,
      ENSURE_OTHER,
      ENSURE_WITHOUT_KEY,
      'tools task list --all --format json',
      `tools task show ${B}`,
    ].map(asking),
  }),

  expect: (context) => ({
    ...workDone(context),
    created: errandAnswered(ENSURE, {
      stdout: /^Ensured task task-\d+-[0-9a-f]{4}\n +Title: Water\n +Key: garden:water\n +Priority: 2\n$/,
    }),
    refreshed: errandAnswered(ENSURE_AGAIN, {
      stdout: KEYED_ROW(
        `"title":"Sprinkle","description":"Daily","key":"garden:water","status":"open","priority":5,"blocked_by":\\["${A}"\\]`,
      ),
    }),
    keptBlockers: errandAnswered(ENSURE_TITLE_ONLY, {
      stdout: new RegExp(
        `^Reused task task-\\d+-[0-9a-f]{4}\\n +Title: Soak\\n +Key: garden:water\\n +Priority: 3\\n +Blocked by: ${A}\\n$`,
      ),
    }),
    keptId: prints(ENSURE_CLOSED, B),
    keptState: errandAnswered(`tools task show ${B}`, { stdout: /^Status: +closed$/m }),
    lowest: errandAnswered(ENSURE_OTHER, {
      stdout: /^Ensured task [\s\S]*Key: garden:lawn\n +Priority: 1\n/,
    }),
    four: errandAnswered('tools task list --all --format json', {
      stdout: /^\[(?:[^{]*\{[^}]*\}){4}[^{]*\]\n$/,
    }),
    refused: errandAnswered(ENSURE_WITHOUT_KEY, { exitCode: 2, stderr: /required[\s\S]*--key/ }),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'nothing is ensured': {
      config: arranging({ after: [] }),
      kills: ['created', 'refreshed', 'keptBlockers', 'keptId', 'keptState', 'lowest', 'four', 'refused'],
      failure: 'AssertionMismatch',
    },
    'Ralph makes a new task each time': {
      target: 'duplicate-keyed-tasks',
      kills: ['refreshed', 'keptBlockers', 'keptId', 'four'],
    },
  },
});

const ADD = ['tools', 'task', 'add', 'Count', '--description', 'All the spoons', '--format', 'json'];
const ADD_QUIET = 'tools task add Weigh -p 9 --format quiet';
const lifecycleOf = (id: string, ...names: readonly string[]) =>
  names.map((name) => asking(`tools task ${name} ${id}`));
const show = (id: string) => `tools task show ${id} --format json`;
/** Checks all fields of a task. A closing time that nobody set would be one more. */
const recorded = (id: string, status: string, times: Readonly<Record<string, string>>) => {
  const fields = [
    `"id": "${id}"`,
    '"title": "Errand"',
    `"status": "${status}"`,
    '"priority": 3',
    '"blocked_by": \\[\\]',
    `"created": "${escapePattern(OLD)}"`,
    ...Object.entries(times).map(([name, time]) => `"${name}": "${time}"`),
  ];
  return errandAnswered(show(id), { stdout: new RegExp(`^\\{\\s+${fields.join(',\\s+')}\\s+\\}\\n$`) });
};
const NOW = '20\\d\\d-[^"]+';
/** Every other task is old and was never closed, so it is not recent. */
const LIST_RECENT = 'tools task list --days 1';

/** Follows tasks through their states. The agent adds one, which belongs to its loop. */
const lifecycle = scenario({
  id: 'tasks-lifecycle',
  ...MECHANICS,
  tier: 6,
  priority: 'should',
  phase: 'green',
  description: 'Tasks are added, started, closed, failed and reopened, and remember when',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: planning(...[10, 11, 12, 13, 14].map((number) => ({ id: t(number), title: 'Errand' })), {
      id: t(15),
      title: 'Errand',
      status: 'in_progress',
      started: OLD,
    }),
    before: [
      ...lifecycleOf(t(10), 'start'),
      ...lifecycleOf(t(11), 'start', 'close'),
      ...lifecycleOf(t(12), 'fail'),
      ...lifecycleOf(t(13), 'close', 'reopen'),
      ...lifecycleOf(t(14), 'fail', 'start'),
      ...lifecycleOf(t(15), 'start'),
      { ralph: ADD },
      asking(ADD_QUIET),
    ],
    prompt: smallWork(context),
    after: [
      ...[10, 11, 12, 13, 14, 15].map((number) => asking(show(t(number)))),
      asking('tools task add Late --format json'),
      asking('tools task ready --format quiet'),
      asking(LIST_RECENT),
    ],
  }),

  expect: (context) => ({
    ...workDone(context),
    started: errandAnswered(`tools task start ${t(10)}`, {
      stdout: new RegExp(`^Started task: ${t(10)} - Errand\\n$`),
    }),
    closed: errandAnswered(`tools task close ${t(11)}`, {
      stdout: new RegExp(`^Closed task: ${t(11)} - Errand\\n$`),
    }),
    failed: errandAnswered(`tools task fail ${t(12)}`, {
      stdout: new RegExp(`^Failed task: ${t(12)} - Errand\\n$`),
    }),
    reopened: errandAnswered(`tools task reopen ${t(13)}`, {
      stdout: new RegExp(`^Reopened task: ${t(13)} - Errand\\n$`),
    }),
    added: errandAnswered(ADD.join(' '), {
      stdout:
        /^\{"id":"task-\d+-[0-9a-f]{4}","title":"Count","description":"All the spoons","status":"open","priority":3,"blocked_by":\[\],"created":"20[^"]+"\}\n$/,
    }),
    addedQuiet: errandAnswered(ADD_QUIET, { stdout: /^task-\d+-[0-9a-f]{4}\n$/ }),
    ofTheLoop: errandAnswered('tools task add Late --format json', {
      stdout: /"loop_id":"primary-\d{8}-\d{6}"/,
    }),
    ready: errandAnswered('tools task ready --format quiet', { stdout: /^task-\d+-[0-9a-f]{4}\n$/ }),
    recordOfStarted: recorded(t(10), 'in_progress', { started: NOW }),
    recordOfClosed: recorded(t(11), 'closed', { started: NOW, closed: NOW }),
    recordOfFailed: recorded(t(12), 'failed', { closed: NOW }),
    recordOfReopened: recorded(t(13), 'open', {}),
    recordOfRestarted: recorded(t(14), 'in_progress', { started: NOW }),
    recordOfStartedTwice: recorded(t(15), 'in_progress', { started: escapePattern(OLD) }),
    highest: errandAnswered(LIST_RECENT, { stdout: / open +5 +Weigh / }),
    recent: errandAnswered(LIST_RECENT, { stdout: /^(?![\s\S]*Errand)[\s\S]* Count / }),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'nothing happens to the tasks': {
      config: (arrangement) => ({
        ...arrangement,
        before: [],
        after: (arrangement.after ?? []).filter(
          (errand) => 'ralph' in errand && !errand.ralph.includes('Late'),
        ),
      }),
      kills: [
        'started',
        'closed',
        'failed',
        'reopened',
        'added',
        'addedQuiet',
        'ofTheLoop',
        'ready',
        'recordOfStarted',
        'recordOfClosed',
        'recordOfFailed',
        'recordOfRestarted',
        'highest',
        'recent',
      ],
      failure: 'AssertionMismatch',
    },
    'the tasks began elsewhere': {
      config: arranging({
        files: planning(
          ...[10, 11, 12, 13, 14, 15].map((number) => ({ id: t(number), title: 'Errand', key: 'other' })),
        ),
      }),
      kills: [
        'recordOfStarted',
        'recordOfClosed',
        'recordOfFailed',
        'recordOfReopened',
        'recordOfRestarted',
        'recordOfStartedTwice',
      ],
      failure: 'AssertionMismatch',
    },
  },
});

export const taskCommands = [listing, blockers, ensuring, lifecycle];
