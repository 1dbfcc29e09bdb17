import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

/** The command line of `ralph run`, and mistakes on it. */
export const COMMAND_LINE: readonly DifferentialCase[] = [
  { name: 'argv: an unknown option', covers: '§0.9', commands: [['run', '--nope']] },
  { name: 'argv: an unknown command', covers: '§0.9', commands: [['bogus']] },
  {
    name: 'argv: a prompt twice',
    covers: '§1.1 -p conflicts with -P',
    commands: [['run', '-p', 'a', '-P', 'b']],
  },
  { name: 'argv: verbose and quiet', covers: '§1.1', commands: [run('-v', '-q')] },
  { name: 'argv: autonomous and without a screen', covers: '§1.1', commands: [run('-a')] },
  { name: 'argv: a limit that is no number', covers: '§1.1', commands: [run('--max-iterations', 'many')] },
  { name: 'argv: an option without its value', covers: '§1.1', commands: [['run', '-p']] },
  { name: 'argv: no prompt anywhere', covers: '§2.1 Prompt', commands: [['run', '--no-tui']] },
  {
    name: 'argv: a prompt file that is not there',
    covers: '§2.1 Prompt',
    commands: [['run', '--no-tui', '-P', 'nope.md']],
  },
  {
    name: 'argv: a prompt file of the config that is not there',
    covers: '§2.1',
    config: loop({ loop: 'prompt_file: mine.md' }),
    commands: [['run', '--no-tui']],
  },
  {
    name: 'argv: an empty prompt',
    covers: '§1.1',
    agent: [completes],
    commands: [['run', '--no-tui', '-p', '']],
  },
  {
    name: 'argv: an empty prompt file',
    covers: '§1.1',
    files: { 'PROMPT.md': '' },
    agent: [completes],
    commands: [['run', '--no-tui']],
  },
  { name: 'argv: autonomous', covers: '§1.1 -a', agent: [completes], commands: [['run', '-a', '-p', 'x']] },
  {
    name: 'argv: without a headless flag, on pipes',
    covers: '§1.1 logs go to a file',
    agent: [completes],
    commands: [['run', '-p', 'x'], 'ls .ralph/diagnostics/logs | wc -l'],
  },
  { name: 'argv: quiet is not', covers: '§0.7', agent: [completes], commands: [run('-q')] },
  { name: 'argv: dry run', covers: '§1.1 --dry-run', agent: [completes], commands: [run('--dry-run')] },
  {
    name: 'argv: dry run with hats',
    covers: '§1.1 --dry-run',
    config: loop({ more: 'hats: {a: {name: A, description: d, triggers: [x.y]}}\n' }),
    commands: [run('--dry-run')],
  },
  {
    name: 'argv: globals before the command',
    covers: '§1.1 globals',
    config: null,
    files: { 'my.yml': loop() },
    agent: [completes],
    commands: [['-c', 'my.yml', '--color', 'never', 'run', '--no-tui', '-p', 'x']],
  },
  {
    name: 'argv: a recorded session',
    covers: '§3.2',
    config: loop({ loop: 'max_iterations: 5', more: TWO_HATS }),
    agent: [[emits('build.task', 'one')], [emits('build.done', 'nope')], [says('x')], completes],
    commands: [
      run('--record-session', 'session.jsonl'),
      'sed -E \'s/"ts":[0-9]+/"ts":0/\' session.jsonl; rm session.jsonl',
    ],
  },
  {
    name: 'argv: what a recording says of the old interface',
    covers: '§3',
    agent: [completes],
    commands: [
      "printf '#!/bin/sh\\n' > quick.sh; chmod +x quick.sh; echo 'cli: { backend: custom, command: ./quick.sh }' > quick.yml",
      'ralph run --legacy-tui -c quick.yml -p x --max-iterations 1 --record-session session.jsonl > out.txt; grep -o ux_mode.*i session.jsonl; rm session.jsonl out.txt',
    ],
  },
  {
    name: 'argv: the log counts the tasks of a handoff',
    covers: '§3',
    agent: [completes],
    commands: [
      ['tools', 'task', 'add', 'Left'],
      'ralph run --no-tui -c ralph.yml -p x > out.txt; grep -o "completed=[0-9] open=[0-9]" out.txt; rm out.txt',
    ],
  },
  {
    name: 'argv: history and summary of a run',
    covers: '§3',
    agent: [[emits('a.b')], completes],
    commands: [run(), "grep -E '^(#|\\*\\*)' .ralph/agent/summary.md; grep -E '^#' .ralph/agent/handoff.md"],
  },
  {
    name: 'argv: summary of a run that failed',
    covers: '§3',
    agent: [['exit 1']],
    commands: [run(), "grep -E '^(#|\\*\\*)' .ralph/agent/summary.md"],
  },
  {
    name: 'argv: exclusive alone',
    covers: '§1.1 --exclusive',
    agent: [completes],
    commands: [run('--exclusive')],
  },
  {
    name: 'argv: skip the preflight',
    covers: '§1.1 --skip-preflight',
    agent: [completes],
    commands: [run('--skip-preflight', '--no-auto-merge')],
  },
  {
    name: 'command line: resume, the old name of run --continue',
    covers: '§8 resume',
    config: loop({ loop: 'max_iterations: 4, starting_event: work.begin' }),
    files: { 'PROMPT.md': 'do the other thing' },
    agent: [['echo half >> .ralph/agent/scratchpad.md', says('half')], [says('more')], completes],
    commands: [
      ['resume', '--no-tui'],
      ['run', '--no-tui', '--max-iterations', '1'],
      ['resume', '--no-tui', '--max-iterations', '2'],
      ['resume', '-a', '-q'],
      ['resume', '--no-tui', '--autonomous'],
      ['resume', '--no-tui', '--max-iterations', 'x'],
      ['resume', '-p', 'x'],
    ],
  },
];
