import {
  completed,
  fileContains,
  fileEquals,
  loop,
  onlyIn,
  onObjective,
  scenario,
  without,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';

/** What a second loop does stays in its worktree. */
export const secondLoopInside = scenario({
  ...MECHANICS,
  id: 'second-loop-inside',
  tier: 2,
  priority: 'should',
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
    'never completes': {
      agent: onlyIn('First work', without('completes')),
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'the second fails': {
      agent: replacing('--no-tui', '--no-such-flag'),
      kills: ['second'],
      failure: 'AssertionMismatch',
    },
  },
});
