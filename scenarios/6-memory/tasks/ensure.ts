import { errandAnswered, scenario } from '../../../src/authoring.js';
import { arranging } from '../../support/arrangement-changes.js';
import {
  IDLE_WORKERS,
  MECHANICS,
  prints,
  SMALL_WORKER,
  smallWork,
  workDone,
} from '../../support/commands.js';
import { asking, COMMANDS_ONLY } from '../../support/memory.js';
import { LONG_AGO, planning, taskId } from './stored.js';

const [A, B] = [taskId(10), taskId(11)];
const ENSURE = 'tools task ensure Water --key garden:water -p 2 -d Daily';
const ENSURE_AGAIN = `tools task ensure Sprinkle --key garden:water -p 9 --blocked-by ${A} --format json`;
const ENSURE_TITLE_ONLY = 'tools task ensure Soak --key garden:water';
const ENSURE_CLOSED = 'tools task ensure Rake --key garden:rake --format quiet';
const ENSURE_OTHER = 'tools task ensure Water --key garden:lawn -p 0';
const ENSURE_WITHOUT_KEY = 'tools task ensure Prune';
const KEYED_ROW = (fields: string) => new RegExp(`^\\{"id":"task-\\d+-[0-9a-f]{4}",${fields}`, 'm');

/** A key names one task, however often it is ensured. */
export const tasksEnsured = scenario({
  id: 'tasks-ensure',
  ...MECHANICS,
  description: 'Ensuring a key again changes the title of its task and keeps its id and state',
  covers: ['FR10'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: COMMANDS_ONLY,
    files: planning(
      { id: A, title: 'Dig' },
      { id: B, title: 'Rake', key: 'garden:rake', status: 'closed', closed: LONG_AGO },
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
    },
    'Ralph makes a new task each time': {
      target: 'duplicate-keyed-tasks',
      kills: ['refreshed', 'keptBlockers', 'keptId', 'four'],
    },
  },
});
