import {
  completed,
  fileContains,
  fileEquals,
  loop,
  onObjective,
  RALPH_TOPICS,
  rowWithTopic,
  scenario,
  without,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';

/** What a second loop does stays in its worktree. */
const secondLoopInside = scenario({
  ...MECHANICS,
  id: 'second-loop-inside',
  phase: 'red',
  description:
    'The agent of a second loop works in its worktree, and the files of the first loop stay as they are',
  covers: ['FR5'],
  beyondStandIn: 'worktrees',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    // Specs and tasks of the repository are in the worktree already.
    files: {
      'page.txt': 'page\n',
      '.ralph/specs/page.md': 'A page.\n',
      '.ralph/tasks/page.md': 'Turn it.\n',
    },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: completed(),
    page: fileEquals('page.txt', 'page'),
    inside: fileEquals('inside.txt', 'page\nsecond'),
    second: fileContains('second.log', /^exit 0$/m),
  }),

  agent: [
    onObjective('Second work').appends('page.txt', 'second\n').completes(),
    onObjective('First work')
      .runs(
        `"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Second work.' > second.log 2>&1; echo "exit $?" >> second.log; cat .worktrees/*/page.txt > inside.txt`,
      )
      .completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'without a terminal, the agent of a second loop runs in the workspace of the first',
    link: 'docs/ralph-behavior.md',
    breaks: { page: /^"page\s+second"$/, inside: '"page"' },
  },

  saboteurs: {
    'starts no second run': {
      agent: without('runs'),
      kills: ['second', 'inside'],
      failure: 'AssertionMismatch',
    },
    'the second fails': {
      agent: replacing('--no-tui', '--no-such-flag'),
      kills: ['second'],
      failure: 'AssertionMismatch',
    },
  },
});

/** Starts the second loop on a terminal, waits until it has ended, and closes the interface as a person does. */
const ON_TERMINAL = `
# Ralph takes a loop out of the list last. The interface is closed only then: earlier, Ralph 2.10.1 was seen to hang.
ended() { grep -qs '${rowWithTopic(RALPH_TOPICS.end)}' .worktrees/*/.ralph/events-*.jsonl && ! grep -q worktree_path .ralph/loops.json; }
{
  for i in $(seq 300); do ended && break; sleep 0.1; done
  sleep 1
  for i in $(seq 10); do printf q; sleep 0.2; done
} | script --quiet --return --flush --command "stty rows 40 cols 120; exec '$RALPH_BIN' run -c ralph.yml -p 'Second work.'" /dev/null > second.log 2>&1
echo $? > exit.txt
cat .worktrees/*/page.txt > inside.txt
`;

/** The same on a terminal, where Ralph runs its agents in the folder of their loop. */
const insideOnTerminal = scenario({
  ...MECHANICS,
  id: 'second-loop-on-terminal',
  description:
    'On a terminal, the agent of a second loop works in its worktree, and the files of the first loop stay as they are',
  covers: ['FR5'],
  beyondStandIn: 'worktrees',
  programs: ['script'],
  expectedIterations: 1,
  timeoutSeconds: 60,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: { 'page.txt': 'page\n', 'terminal.sh': ON_TERMINAL, '.gitignore': '.ralph/\n' },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: completed(),
    page: fileEquals('page.txt', 'page'),
    inside: fileEquals('inside.txt', 'page\nsecond'),
    second: fileEquals('exit.txt', '0'),
  }),

  agent: [
    onObjective('Second work').appends('page.txt', 'second\n').emits('LOOP_COMPLETE', 'done'),
    onObjective('First work').runs('sh terminal.sh').completes(),
  ],

  saboteurs: {
    'the second has no terminal': {
      agent: replacing(
        'sh terminal.sh',
        `sed -i.bak "s/run -c ralph.yml/run -c ralph.yml --no-tui/" terminal.sh; sh terminal.sh`,
      ),
      kills: ['page', 'inside'],
      failure: 'AssertionMismatch',
      why: 'Without its interface, Ralph 2.10.1 runs the agent in the workspace of the first loop: see `second-loop-inside`.',
    },
  },
});

export const secondLoopsInside = [secondLoopInside, insideOnTerminal];
