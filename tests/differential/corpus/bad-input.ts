import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

/** Only where ralph writes and does not read: reading it never ends. */
const FULL = 'ln -s /dev/full';

/** Files that are no text, no files, or cannot be written. */
export const BAD_INPUT: readonly DifferentialCase[] = [
  {
    name: 'bad input: a config that is not UTF-8',
    covers: '§2.1',
    commands: ["printf 'cli: {backend: \\377}\\n' > ralph.yml", run(), 'rm ralph.yml'],
  },
  {
    name: 'bad input: a config that is a folder',
    covers: '§2.1',
    config: null,
    commands: ['mkdir ralph.yml', run()],
  },
  {
    name: 'bad input: a prompt that is not UTF-8',
    covers: '§1.1 -P',
    agent: [completes],
    commands: ["printf 'a\\377b\\n' > p.md", ['run', '--no-tui', '-P', 'p.md'], 'rm p.md'],
  },
  {
    name: 'bad input: a prompt that is a folder',
    covers: '§1.1 -P',
    agent: [completes],
    commands: ['mkdir p.md', ['run', '--no-tui', '-P', 'p.md']],
  },
  {
    name: 'bad input: notes that are not UTF-8',
    covers: '§7.2',
    agent: [
      ["printf 'a\\377b\\n' > .ralph/agent/scratchpad.md"],
      ['rm .ralph/agent/scratchpad.md', says('LOOP_COMPLETE')],
    ],
  },
  {
    name: 'bad input: memories that are not UTF-8',
    covers: '§7.3 §8',
    agent: [completes],
    commands: [
      "mkdir -p .ralph/agent; printf '# Memories\\n\\n## Patterns\\n\\n### mem-1-aaaa\\n> a\\377b\\n' > .ralph/agent/memories.md",
      ['tools', 'memory', 'list', '--format', 'json'],
      ['tools', 'memory', 'add', 'x'],
      run(),
      'rm .ralph/agent/memories.md',
    ],
  },
  {
    name: 'bad input: tasks that are not UTF-8',
    covers: '§7.1 §8 task',
    agent: [completes],
    commands: [
      "mkdir -p .ralph/agent; printf 'a\\377b\\n' > .ralph/agent/tasks.jsonl",
      ['tools', 'task', 'list'],
      ['tools', 'task', 'add', 'x'],
      run(),
      'rm .ralph/agent/tasks.jsonl',
    ],
  },
  {
    name: 'bad input: memories that are no memories',
    covers: '§8 anything else is skipped',
    files: {
      '.ralph/agent/memories.md':
        'nothing\n## Patterns\n> lost\n### mem-12-abcd\n### mem-13-abcd\n> no comment\n',
    },
    agent: [completes],
    commands: [['tools', 'memory', 'list', '--format', 'json'], run()],
  },
  {
    name: 'bad input: tasks that are broken',
    covers: '§8 task',
    files: {
      '.ralph/agent/tasks.jsonl':
        '{bad\n{"id":"task-1-aaaa"}\n\n{"id":"odd","title":"t","status":"open","priority":3,"blocked_by":[1],"created":"2024-01-01T00:00:00Z"}\n{"id":"task-2-bbbb","title":"t","status":"open","priority":3,"blocked_by":[],"created":"2024-01-01T00:00:00Z"}\n',
    },
    agent: [completes],
    commands: [
      ['tools', 'task', 'list', '--format', 'json'],
      run(),
      ['tools', 'task', 'add', 'new', '--format', 'quiet'],
    ],
  },
  {
    name: 'bad input: a line of the events file that is not UTF-8',
    covers: '§3.1',
    agent: [["printf 'a\\377b\\n' >> $RALPH_EVENTS_FILE", emits('a.b')], completes],
    commands: [run(), 'rm .ralph/events-*'],
    log: /Failed to read events/,
  },
  {
    name: 'bad input: the events file becomes a folder',
    covers: '§3.1',
    agent: [['rm $RALPH_EVENTS_FILE; mkdir $RALPH_EVENTS_FILE', says('x')], completes],
  },
  {
    name: 'bad input: a marker that leads nowhere',
    covers: '§3 current-events',
    files: { '.ralph/current-events': '.ralph/nowhere/e.jsonl', '.ralph/agent/scratchpad.md': 'x\n' },
    agent: [completes],
    commands: [['emit', 'a.b'], ['events'], run('--continue')],
  },
  ...['{', '{"iteration":2}', '{"iteration":-1,"total_cost_usd":0}'].map((state) => ({
    name: `bad input: a loop state that is broken, ${state}`,
    covers: '§3 loop-state.json',
    files: { '.ralph/api/loop-state.json': state, '.ralph/agent/scratchpad.md': 'x\n' },
    agent: [completes],
    commands: [run('--continue')],
  })),
  {
    name: 'bad input: a file in the place of the notes',
    covers: '§3 a folder that cannot be',
    files: { '.ralph/agent': 'in the way' },
    agent: [completes],
  },
  {
    name: 'bad input: a folder in the place of the lock',
    covers: '§3 loop.lock',
    agent: [completes],
    commands: ['mkdir -p .ralph/loop.lock', run()],
  },
  // A link to itself cannot be entered by anybody, root included.
  {
    name: 'bad input: a folder on PATH that cannot be entered has no programs',
    covers: '§2 hooks env',
    config: loop({
      more: 'hooks: {enabled: true, events: {pre.loop.start: [{name: h, command: [touch, hooked], on_error: block, env: {PATH: "./loop:/usr/bin:/bin"}}]}}\n',
    }),
    agent: [completes],
    commands: ['ln -s loop loop', ['preflight', '--check', 'hooks'], run()],
  },
  {
    name: 'bad input: a task id that is empty',
    covers: '§8 task',
    commands: [['tools', 'task', 'close', '']],
  },
  {
    name: 'full disk: an event cannot be written',
    covers: '§4.4',
    commands: [['emit', 'a.b', '--file', '/dev/full']],
  },
  {
    name: 'full disk: the history cannot be written',
    covers: '§3 history.jsonl',
    agent: [completes],
    commands: [`mkdir .ralph; ${FULL} .ralph/history.jsonl`, run()],
  },
  {
    name: 'full disk: the loop state cannot be written',
    covers: '§3 loop-state.json',
    agent: [completes],
    commands: [`mkdir -p .ralph/api; ${FULL} .ralph/api/loop-state.json`, run()],
  },
  {
    name: 'full disk: neither the loop state nor the summary can be written at the end',
    covers: '§3 loop-state.json, summary.md',
    agent: [
      [
        `mkdir -p .ralph/api; ${FULL} .ralph/agent/summary.md; ${FULL} -f .ralph/api/loop-state.json`,
        ...completes,
      ],
    ],
    log: /Failed to/,
  },
  {
    name: 'full disk: the screen',
    covers: '§1.2 panic',
    agent: [completes],
    commands: ['ralph run --no-tui -p x > /dev/full 2> /dev/null; echo "exit $?"'],
  },
  {
    name: 'read-only: the folder of the project',
    covers: '§3',
    asRoot: true,
    agent: [completes],
    commands: [
      'chmod a-w .',
      run(),
      ['emit', 'a.b'],
      ['tools', 'memory', 'add', 'x', '--format', 'quiet'],
      'chmod u+w .',
    ],
  },
  {
    name: 'read-only: the folder of ralph in the middle of a loop',
    covers: '§3',
    asRoot: true,
    config: loop({ loop: 'max_iterations: 3' }),
    agent: [['chmod a-w .ralph .ralph/agent', says('x')], completes],
    commands: [run(), 'chmod u+w .ralph .ralph/agent'],
  },
];
