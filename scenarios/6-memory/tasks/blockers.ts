import { errandAnswered } from '../../../src/authoring.js';
import { prints, questionsAroundLoop } from '../../support/commands.js';
import { asking } from '../../support/memory.js';
import { planning, type StoredTask, taskId, UNKNOWN_TASK } from './stored.js';

const [A, B, FAILED, STARTED] = [taskId(10), taskId(11), taskId(12), taskId(13)];
const BLOCKED: readonly StoredTask[] = [
  { id: A, title: 'Sand' },
  { id: B, title: 'Fill' },
  { id: FAILED, title: 'Order', status: 'failed' },
  { id: STARTED, title: 'Dry', status: 'in_progress' },
  { id: taskId(14), title: 'Deliver', blocked_by: [FAILED] },
  { id: taskId(15), title: 'Touch', blocked_by: [STARTED] },
  { id: taskId(16), title: 'Wait', blocked_by: [UNKNOWN_TASK] },
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
export const tasksBlocked = questionsAroundLoop({
  id: 'tasks-several-blockers',
  description:
    'A task is ready once all that block it are closed; a failed, started or unknown one still blocks',
  covers: ['FR10'],

  plan: {
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
    // The loop that ran now has its own id, and no task of its own.
    after: [asking(READY_HERE), asking(READY_ANYWHERE)],
  },

  answers: {
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
  },

  saboteurs: {
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
