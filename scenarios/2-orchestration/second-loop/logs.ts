import { completed, fileContains, fileEquals, loop, onObjective, scenario } from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';

const READ = [
  `"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Second work.' > second.log 2>&1; id=$(ls .worktrees)`,
  '"$RALPH_BIN" loops logs $id | grep -c news.told > logs.txt',
  '"$RALPH_BIN" loops history $id | grep -c loop_started > history.txt',
  '"$RALPH_BIN" loops history $id --json | grep -c loop_started > lines.txt',
  // Ralph follows the file that it looks for, with the `tail` that it finds: one that ends at once, well or not.
  'mkdir bin; cp tail.sh bin/tail; touch .worktrees/$id/.ralph/events.jsonl; PATH=$PWD/bin:$PATH',
  'for code in 0 3; do TAIL_EXITS=$code "$RALPH_BIN" loops logs --follow $id 2>&1; echo "exit $?"; done > all.txt',
  'sed "s|$PWD|WORKSPACE|; s/$id/ID/" all.txt > followed.txt',
].join('; ');

/** What a second loop did can be read. */
export const loopsLogs = scenario({
  ...MECHANICS,
  id: 'loops-logs',
  description:
    '`ralph loops logs` prints the events of a loop, and `ralph loops history` what happened to it',
  covers: ['FR5', 'FR6'],
  beyondStandIn: 'worktrees',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: {
      '.gitignore': '.ralph/\n',
      'tail.sh': { content: '#!/bin/sh\necho "tail $*"\nexit $TAIL_EXITS\n', mode: 0o755 },
    },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: completed(),
    first: fileEquals('first.txt', 'done'),
    logs: fileEquals('logs.txt', '1'),
    history: fileEquals('history.txt', '1'),
    lines: fileEquals('lines.txt', '1'),
    followed: fileContains('followed.txt', /^tail -f .*\.ralph\/events\.jsonl\nexit 0\ntail -f /),
    notFollowed: fileContains('followed.txt', /\nError: tail exited with error\n[\s\S]*exit 1\n$/),
  }),

  agent: [
    onObjective('Second work').emits('news.told', 'here').completes(),
    onObjective('First work').runs(READ).writes('first.txt', 'done\n').completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason:
      'Ralph looks for an events file that no loop writes, and for fields that the history does not have',
    link: 'docs/ralph-behavior.md',
    breaks: { logs: '"0"', history: '"0"' },
  },

  saboteurs: {
    'starts no second run': {
      agent: replacing('"$RALPH_BIN" run', 'true'),
      kills: ['logs', 'history', 'lines', 'followed', 'notFollowed'],
      failure: 'AssertionMismatch',
    },
  },
});
