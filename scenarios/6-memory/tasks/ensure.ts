import { questionsOnly } from '../../support/commands.js';
import { answersOf, askAll, asks, type Inquiries, printed } from '../../support/inquiries.js';
import { LONG_AGO, planning, taskId } from './stored.js';

const [A, B] = [taskId(10), taskId(11)];
const KEYED_ROW = (fields: string) => new RegExp(`^\\{"id":"task-\\d+-[0-9a-f]{4}",${fields}`, 'm');

const ENSURED = {
  created: asks('tools task ensure Water --key garden:water -p 2 -d Daily', {
    stdout: /^Ensured task task-\d+-[0-9a-f]{4}\n +Title: Water\n +Key: garden:water\n +Priority: 2\n$/,
  }),
  refreshed: asks(`tools task ensure Sprinkle --key garden:water -p 9 --blocked-by ${A} --format json`, {
    stdout: KEYED_ROW(
      `"title":"Sprinkle","description":"Daily","key":"garden:water","status":"open","priority":5,"blocked_by":\\["${A}"\\]`,
    ),
  }),
  keptBlockers: asks('tools task ensure Soak --key garden:water', {
    stdout: new RegExp(
      `^Reused task task-\\d+-[0-9a-f]{4}\\n +Title: Soak\\n +Key: garden:water\\n +Priority: 3\\n +Blocked by: ${A}\\n$`,
    ),
  }),
  keptId: asks('tools task ensure Rake --key garden:rake --format quiet', printed(B)),
  lowest: asks('tools task ensure Water --key garden:lawn -p 0', {
    stdout: /^Ensured task [\s\S]*Key: garden:lawn\n +Priority: 1\n/,
  }),
  refused: asks('tools task ensure Prune', { exitCode: 2, stderr: /required[\s\S]*--key/ }),
  four: asks('tools task list --all --format json', { stdout: /^\[(?:[^{]*\{[^}]*\}){4}[^{]*\]\n$/ }),
  keptState: asks(`tools task show ${B}`, { stdout: /^Status: +closed$/m }),
} satisfies Inquiries;

/** A key names one task, however often it is ensured. */
export const tasksEnsured = questionsOnly({
  id: 'tasks-ensure',
  description: 'Ensuring a key again changes the title of its task and keeps its id and state',
  covers: ['FR10'],

  plan: {
    files: planning(
      { id: A, title: 'Dig' },
      { id: B, title: 'Rake', key: 'garden:rake', status: 'closed', closed: LONG_AGO },
    ),
    after: askAll(ENSURED),
  },

  answers: answersOf(ENSURED),

  saboteurs: {
    'Ralph makes a new task each time': {
      target: 'duplicate-keyed-tasks',
      kills: ['refreshed', 'keptBlockers', 'keptId', 'four'],
    },
  },
});
