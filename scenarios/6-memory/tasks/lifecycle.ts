import { errandAnswered } from '../../../src/authoring.js';
import { questionsAroundLoop } from '../../support/commands.js';
import { asking } from '../../support/memory.js';
import { escapePattern } from '../../support/texts.js';
import { LONG_AGO, planning, taskId } from './stored.js';

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
    `"created": "${escapePattern(LONG_AGO)}"`,
    ...Object.entries(times).map(([name, time]) => `"${name}": "${time}"`),
  ];
  return errandAnswered(show(id), { stdout: new RegExp(`^\\{\\s+${fields.join(',\\s+')}\\s+\\}\\n$`) });
};
const NOW = '20\\d\\d-[^"]+';
/** Every other task is old and was never closed, so it is not recent. */
const LIST_RECENT = 'tools task list --days 1';

/** Follows tasks through their states. The agent adds one, which belongs to its loop. */
export const taskStates = questionsAroundLoop({
  id: 'tasks-lifecycle',
  description: 'Tasks are added, started, closed, failed and reopened, and record when',
  covers: ['FR10'],

  plan: {
    files: planning(...[10, 11, 12, 13, 14].map((number) => ({ id: taskId(number), title: 'Errand' })), {
      id: taskId(15),
      title: 'Errand',
      status: 'in_progress',
      started: LONG_AGO,
    }),
    before: [
      ...lifecycleOf(taskId(10), 'start'),
      ...lifecycleOf(taskId(11), 'start', 'close'),
      ...lifecycleOf(taskId(12), 'fail'),
      ...lifecycleOf(taskId(13), 'close', 'reopen'),
      ...lifecycleOf(taskId(14), 'fail', 'start'),
      ...lifecycleOf(taskId(15), 'start'),
      { ralph: ADD },
      asking(ADD_QUIET),
    ],
    after: [
      ...[10, 11, 12, 13, 14, 15].map((number) => asking(show(taskId(number)))),
      asking('tools task add Late --format json'),
      asking('tools task ready --format quiet'),
      asking(LIST_RECENT),
    ],
  },

  answers: {
    started: errandAnswered(`tools task start ${taskId(10)}`, {
      stdout: new RegExp(`^Started task: ${taskId(10)} - Errand\\n$`),
    }),
    closed: errandAnswered(`tools task close ${taskId(11)}`, {
      stdout: new RegExp(`^Closed task: ${taskId(11)} - Errand\\n$`),
    }),
    failed: errandAnswered(`tools task fail ${taskId(12)}`, {
      stdout: new RegExp(`^Failed task: ${taskId(12)} - Errand\\n$`),
    }),
    reopened: errandAnswered(`tools task reopen ${taskId(13)}`, {
      stdout: new RegExp(`^Reopened task: ${taskId(13)} - Errand\\n$`),
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
    recordOfStarted: recorded(taskId(10), 'in_progress', { started: NOW }),
    recordOfClosed: recorded(taskId(11), 'closed', { started: NOW, closed: NOW }),
    recordOfFailed: recorded(taskId(12), 'failed', { closed: NOW }),
    recordOfReopened: recorded(taskId(13), 'open', {}),
    recordOfRestarted: recorded(taskId(14), 'in_progress', { started: NOW }),
    recordOfStartedTwice: recorded(taskId(15), 'in_progress', { started: escapePattern(LONG_AGO) }),
    highest: errandAnswered(LIST_RECENT, { stdout: / open +5 +Weigh / }),
    recent: errandAnswered(LIST_RECENT, { stdout: /^(?![\s\S]*Errand)[\s\S]* Count / }),
  },
});
