import type { WantedAnswer } from '../../../src/authoring.js';
import { questionsOnly } from '../../support/commands.js';
import { answersOf, askAll, asks, type Inquiries } from '../../support/inquiries.js';
import { escapePattern } from '../../support/texts.js';
import {
  LONG_AGO,
  planning,
  type StoredTask,
  storedTask,
  TASK_FILE,
  taskId,
  UNKNOWN_TASK,
} from './stored.js';

/** The table has room for sixty characters. */
const WHOLE_TITLE = 'Iron the shirts and hang each of them on a hanger of its own';
const LONG_TITLE = `${WHOLE_TITLE}!`;

const STORE: readonly StoredTask[] = [
  { id: taskId(10), title: 'Sweep', priority: 4, created: '2026-01-31T08:00:02+00:00' },
  { id: taskId(11), title: 'Mop', priority: 4, created: '2026-01-31T08:00:01+00:00', key: 'house:mop' },
  { id: taskId(12), title: 'Cook', priority: 1, status: 'failed', closed: LONG_AGO },
  { id: taskId(13), title: LONG_TITLE, priority: 5, status: 'in_progress', started: LONG_AGO },
  { id: taskId(14), title: 'Wash', priority: 2, status: 'closed', closed: LONG_AGO },
  { id: taskId(15), title: WHOLE_TITLE, priority: 1, description: 'The blue shirts' },
  { id: taskId(16), title: 'Mend', priority: 1, status: 'closed', closed: '2126-01-31T08:00:00+00:00' },
  { id: taskId(17), title: 'Fold', blocked_by: [taskId(14), taskId(15)], loop_id: 'another-loop' },
];
const BROKEN = 'This line is no task.\n';

const notFound = (name: string) =>
  asks(`tools task ${name} ${UNKNOWN_TASK}`, { exitCode: 1, stderr: `Task ${UNKNOWN_TASK} not found` });
const json = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

const LISTS = {
  open: asks(
    'tools task list --format quiet',
    printedLast(taskId(13), taskId(15), taskId(17), taskId(11), taskId(10)),
  ),
  all: asks(
    'tools task list --all --format quiet',
    printedLast(
      taskId(13),
      taskId(15),
      taskId(17),
      taskId(11),
      taskId(10),
      taskId(16),
      taskId(14),
      taskId(12),
    ),
  ),
  status: asks('tools task list --status IN-PROGRESS --format quiet', printedLast(taskId(13))),
  failed: asks('tools task list -s failed --format quiet', printedLast(taskId(12))),
  limit: asks('tools task list --limit 2 --format quiet', printedLast(taskId(13), taskId(15))),
  days: asks('tools task list --all --days 2 --format quiet', printedLast(taskId(16))),
  table: asks('tools task list', {
    stdout: new RegExp(
      `^${taskId(11)} +open +4 +Mop +house:mop *$[\\s\\S]*^${taskId(10)} +open +4 +Sweep +- *$`,
      'm',
    ),
  }),
  inProgress: asks('tools task list', {
    stdout: new RegExp(`^${taskId(13)} +in_progress +5 +${LONG_TITLE.slice(0, 57)}\\.\\.\\. +- *$`, 'm'),
  }),
  whole: asks('tools task list', {
    stdout: new RegExp(`^${taskId(15)} +open +1 +${WHOLE_TITLE} +- *$`, 'm'),
  }),
  json: asks(
    'tools task list --status closed --format json',
    printedLast(
      ...json([
        ...STORE.filter(({ id }) => id === taskId(16)).map(storedTask),
        ...STORE.filter(({ id }) => id === taskId(14)).map(storedTask),
      ]),
    ),
  ),
  shown: asks(`tools task show ${taskId(17)}`, {
    stdout: new RegExp(
      `^ID: +${taskId(17)}\\nTitle: +Fold\\nStatus: +open\\nPriority: +3\\nBlocked by: +${taskId(14)}, ${taskId(15)}\\nCreated: +2026-01-31T08:00:00`,
      'm',
    ),
  }),
  description: asks(`tools task show ${taskId(15)} --format json`, {
    stdout: '"description": "The blue shirts"',
  }),
  shownQuiet: asks(`tools task show ${taskId(15)} --format quiet`, printedLast(taskId(15))),
  warned: asks('tools task list', { stdout: /WARN .*Skipping malformed task line/ }),
  unknownShow: notFound('show'),
  unknownStart: notFound('start'),
  unknownClose: notFound('close'),
  unknownFail: notFound('fail'),
  unknownReopen: notFound('reopen'),
} satisfies Inquiries;

/** Lists and shows tasks. One line of the file is damaged. */
export const tasksListed = questionsOnly({
  id: 'tasks-list-formats',
  description: 'Tasks are listed by status, priority and age, limited as asked, and shown in every format',
  covers: ['FR10'],

  plan: {
    files: { [TASK_FILE]: BROKEN + planning(...STORE)[TASK_FILE] },
    after: askAll(LISTS),
  },

  answers: answersOf(LISTS),
});

/** What a command prints after its warnings about the damaged line. */
function printedLast(...lines: readonly string[]): WantedAnswer {
  const text = lines.map((line) => `${escapePattern(line)}\\n`).join('');
  return { stdout: new RegExp(`^(?:.*WARN.*\\n)*${text}$`) };
}
