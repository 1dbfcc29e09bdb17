import { completes, says } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

const tools = (...args: readonly string[]) => ['tools', 'task', ...args];
const row = (id: string, title: string, more: object = {}) =>
  `${JSON.stringify({ id, title, status: 'open', priority: 3, blocked_by: [], created: '2024-01-01T00:00:00+00:00', ...more })}\n`;
const STORE =
  row('task-1700000001-aaaa', 'one') +
  row('task-1700000002-bbbb', 'two', { priority: 1, key: 'k:2', description: 'more words' }) +
  row('task-1700000003-cccc', 'three', { blocked_by: ['task-1700000001-aaaa'] }) +
  row('task-1700000004-dddd', 'four', { status: 'closed', closed: '2024-01-02T00:00:00+00:00' }) +
  row('task-1700000005-eeee', 'five', { status: 'in_progress', started: '2024-01-02T00:00:00+00:00' }) +
  row('task-1700000006-ffff', 'six', { loop_id: 'another-loop' });
const PATH = '.ralph/agent/tasks.jsonl';

/** Runtime tasks: their commands, their place in the prompt, their veto. */
export const TASKS: readonly DifferentialCase[] = [
  {
    name: 'task: an open one of this loop refuses completion',
    covers: '§5 runtime tasks remain open §7.1',
    config: loop({ loop: 'max_iterations: 6' }),
    agent: [
      [
        'ralph tools task add "job" --format quiet > id',
        'ralph tools task start $(cat id)',
        says('LOOP_COMPLETE'),
      ],
      ['ralph tools task close $(cat id)'],
      completes,
    ],
  },
  {
    name: 'task: ready, blocked, started and closed ones in the prompt',
    covers: '§7.1',
    config: loop({ loop: 'max_iterations: 4' }),
    agent: [
      [
        'a=$(ralph tools task add "first" -p 1 --format quiet)',
        'ralph tools task ensure "second" --key my:key -p 5 --blocked-by $a >/dev/null',
        'b=$(ralph tools task add "third" --format quiet); ralph tools task start $b >/dev/null',
        'c=$(ralph tools task add "fourth" --format quiet); ralph tools task close $c >/dev/null',
        'ralph tools task add "fifth" -d "with words" >/dev/null',
      ],
      [says('LOOP_COMPLETE')],
      [says('x')],
    ],
  },
  {
    name: 'task: failed ones do not stand in the way',
    covers: '§5 non-terminal',
    config: loop({ loop: 'max_iterations: 4' }),
    agent: [
      ['id=$(ralph tools task add "job" --format quiet)', 'ralph tools task fail $id', says('LOOP_COMPLETE')],
      completes,
    ],
  },
  {
    name: 'task: of other loops, or of none, do not count',
    covers: '§5 loop id',
    files: { [PATH]: STORE },
    agent: [completes],
  },
  {
    name: 'task: with memories off open ones do not matter',
    covers: '§5',
    config: loop({ more: 'memories: {enabled: false}' }),
    agent: [['ralph tools task add "job"', says('LOOP_COMPLETE')], completes],
  },
  {
    name: 'task: with tasks off they are not shown, and still refuse',
    covers: '§5 §7.1',
    config: loop({ loop: 'max_iterations: 4', more: 'tasks: {enabled: false}' }),
    agent: [['ralph tools task add "job"', says('LOOP_COMPLETE')], completes],
  },
  {
    name: 'task: unchecked items of the scratchpad never block',
    covers: '§5',
    agent: [['echo "- [ ] open" > .ralph/agent/scratchpad.md', says('LOOP_COMPLETE')]],
  },
  {
    name: 'task: those of an earlier run stay, and do not block the next one',
    covers: '§3 kept across runs §5',
    config: loop({ loop: 'max_iterations: 2' }),
    agent: [['ralph tools task add "left over" >/dev/null'], [says('x')], completes],
    commands: [run(), run()],
  },
  {
    name: 'task command: add and ensure',
    covers: '§8 task',
    config: null,
    commands: [
      tools('add', 'one'),
      tools('add', 'two', '-p', '1', '-d', 'words', '--format', 'json'),
      tools('add', 'three', '--blocked-by', 'task-1-aaaa,task-2-bbbb', '--format', 'quiet'),
      tools('ensure', 'four', '--key', 'k:4'),
      tools('ensure', 'four again', '--key', 'k:4'),
      tools('ensure', 'no key'),
      tools('add', 'bad', '-p', '9'),
      tools('add'),
    ],
  },
  {
    name: 'task command: list, ready and show',
    covers: '§8 task',
    files: { [PATH]: STORE },
    commands: [
      tools('list'),
      tools('list', '--format', 'json'),
      tools('list', '--format', 'quiet', '-a'),
      tools('list', '-s', 'closed'),
      tools('list', '-l', '2', '--format', 'quiet'),
      tools('ready'),
      tools('ready', '-a', '--format', 'json'),
      tools('show', 'task-1700000002-bbbb'),
      tools('show', 'task-1700000002-bbbb', '--format', 'json'),
      tools('show', 'task-0-0000'),
    ],
  },
  {
    name: 'task command: an empty store',
    covers: '§8 task',
    commands: [
      tools('list'),
      tools('list', '--format', 'json'),
      tools('ready'),
      tools('ready', '--format', 'json'),
    ],
  },
  {
    name: 'task command: start, close, fail and reopen',
    covers: '§8 task',
    files: { [PATH]: STORE },
    commands: [
      tools('start', 'task-1700000001-aaaa'),
      tools('close', 'task-1700000001-aaaa'),
      tools('close', 'task-1700000001-aaaa'),
      tools('fail', 'task-1700000002-bbbb'),
      tools('reopen', 'task-1700000004-dddd'),
      tools('start', 'task-0-0000'),
      tools('list', '--format', 'quiet'),
    ],
  },
  {
    name: 'task command: blockers that are closed, failed, started or unknown',
    covers: '§8 task ready',
    files: {
      [PATH]:
        STORE +
        row('task-1700000007-abcd', 'seven', { status: 'failed' }) +
        row('task-1700000008-abcd', 'eight', {
          blocked_by: ['task-1700000004-dddd', 'task-1700000001-aaaa'],
        }) +
        row('task-1700000009-abcd', 'nine', { blocked_by: ['task-1700000007-abcd'] }) +
        row('task-1700000010-abcd', 'ten', { blocked_by: ['task-1700000005-eeee'] }) +
        row('task-1700000011-abcd', 'eleven', { blocked_by: ['task-0-0000'] }),
    },
    commands: [
      tools('ready', '--format', 'quiet'),
      tools('close', 'task-1700000001-aaaa'),
      tools('ready', '--format', 'quiet'),
      tools('ready'),
      tools('list', '--all', '--format', 'quiet'),
      tools('list', '-s', 'IN-PROGRESS', '--format', 'quiet'),
      tools('list', '--days', '1', '--all', '--format', 'quiet'),
      tools('show', 'task-1700000008-abcd'),
    ],
  },
  {
    name: 'task command: a start time stays, a closing time goes',
    covers: '§8 task',
    files: { [PATH]: STORE },
    commands: [
      tools('start', 'task-1700000005-eeee'),
      tools('start', 'task-1700000004-dddd'),
      tools('fail', 'task-1700000001-aaaa'),
      tools('reopen', 'task-1700000001-aaaa'),
      `grep -c '"started":"2024-01-02' ${PATH}; grep -c '"closed"' ${PATH}`,
    ],
  },
];
