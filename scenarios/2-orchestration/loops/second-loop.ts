import {
  allOf,
  completed,
  fileContains,
  fileEquals,
  fileHasJson,
  loop,
  onlyIn,
  onObjective,
  scenario,
  without,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

/*
 * A second loop in the same workspace goes into a worktree. The agent of the first loop starts it, and then looks at
 * what it left: its name is random, so a script replaces it with ID.
 */

const LOOK = `
ralph=$RALPH_BIN
id=$(ls .worktrees 2>/dev/null)
tree=.worktrees/$id
look() { echo "== $1"; shift; "$@" 2>&1 < /dev/null; echo "exit $?"; }
{
  echo "$id" | grep -cE '^[a-z]+-[a-z]+$'
  git branch --list 'ralph/*'
  cat $tree/untracked.txt $tree/tracked.txt
  [ -e $tree/ignored.txt ] && echo 'the ignored file too'
  cat $tree/deep/deep.txt
  readlink $tree/link.txt $tree/turned.txt
  readlink $tree/.ralph/agent/memories.md $tree/.ralph/specs $tree/.ralph/tasks
  cat $tree/.ralph/agent/context.md
  cat .gitignore
  echo "ignored $(grep -c '^.worktrees/$' .gitignore) times"
} > tree.txt 2>&1
# Every command for loops forgets dead ones, so the registry comes first.
cat .ralph/loops.json > registry.json
"$ralph" loops list --json > listed.json
echo base > base.txt
git add base.txt
git commit --quiet --message 'the base goes on' base.txt
{
  look diff "$ralph" loops diff $id --stat
  look whole "$ralph" loops diff $id
  echo "of the base: $("$ralph" loops diff $id | grep -c base.txt)"
  look button "$ralph" loops merge-button-state $id
  look history "$ralph" loops history $id --json
  SHELL=./shell.sh look attach "$ralph" loops attach $id
  look stop "$ralph" loops stop $id
  look resume "$ralph" loops resume $id
  mkdir $tree/.ralph/suspend-state.json
  look unreadable "$ralph" loops resume $id
  rmdir $tree/.ralph/suspend-state.json
  look publish "$ralph" loops publish-review $id
  look retry "$ralph" loops retry $id
  look part "$ralph" loops diff "$(echo $id | cut -d- -f2)" --stat
  look front "$ralph" loops diff "$(echo $id | cut -d- -f1)-" --stat
  look orphan "$ralph" loops prune
  look unknown "$ralph" loops merge no-such-loop
  look keep "$ralph" loops discard $id
  git worktree list | wc -l
} > commands.txt 2>&1
{
  look discard "$ralph" loops discard --yes $id
  look list "$ralph" loops list
  look prune "$ralph" loops prune
  git branch --list 'ralph/*' | wc -l
  ls .worktrees
} > discarded.txt 2>&1
[ -z "$id" ] || sed -i.bak "s|$PWD|WORKSPACE|g; s/$id/ID/g" tree.txt listed.json commands.txt discarded.txt listed-while.json while.txt
`;

/** Somebody asks about the second loop while it runs, by a part of its name that is not its end. */
const WHILE = [
  '"$RALPH_BIN" loops list --json > listed-while.json',
  'id=$(ls .worktrees); part=$(echo $id | cut -d- -f1)-',
  'for what in resume merge publish-review; do "$RALPH_BIN" loops $what $part; echo "exit $?"; done > while.txt 2>&1',
].join('; ');

/** A second run that cannot start leaves nothing behind. */
const REFUSED = [
  `"$RALPH_BIN" run -c refused.yml --no-tui -p 'No work.' > refused.log 2>&1; echo "exit $?" >> refused.log`,
  `echo "left: $(ls .worktrees | wc -l | tr -d ' ') and $(git branch --list 'ralph/*' | wc -l | tr -d ' ')" >> refused.log`,
].join('; ');

const FIRST = [
  REFUSED,
  'echo new > untracked.txt; echo more >> tracked.txt; echo secret > ignored.txt',
  'mkdir deep; echo deep > deep/deep.txt; ln -s nowhere link.txt; ln -sf nowhere turned.txt; rm removed.txt',
  `"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Second work.' --no-auto-merge > second.log 2>&1; echo "exit $?" >> second.log`,
  'sh look.sh',
].join('; ');

/** A second run gets a worktree with everything that the first one sees, and the commands to deal with it. */
const secondLoop = scenario({
  ...MECHANICS,
  id: 'second-loop',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description:
    'A second run in the same workspace goes into a worktree of its own, and `ralph loops` deals with it',
  covers: ['FR5'],
  beyondStandIn: 'worktrees',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: {
      'look.sh': LOOK,
      'shell.sh': { content: '#!/bin/sh\necho "in ${PWD##*/}"\n', mode: 0o755 },
      'tracked.txt': 'tracked\n',
      'turned.txt': 'Becomes a link.\n',
      'removed.txt': 'Is not there any more.\n',
      'refused.yml': JSON.stringify({
        cli: { backend: 'custom', command: './no-such-cli' },
        features: { preflight: { enabled: true } },
      }),
      '.gitignore': 'ignored.txt\n.ralph/\n',
    },
    prompt: 'First work.',
  }),

  expect: () => ({
    ends: completed(),
    first: fileEquals('first.txt', 'done'),
    second: fileContains('second.log', /Loop terminated: Completion promise detected[\s\S]*^exit 0$/m),
    refused: fileContains('refused.log', /Error: Preflight checks failed [\s\S]*^exit 1\nleft: 0 and 0$/m),
    name: fileContains('tree.txt', /^1\n\+? *ralph\/ID\n/),
    content: fileContains('tree.txt', /\nnew\ntracked\nmore\n(?!the ignored)/),
    synced: fileContains('tree.txt', /^deep\nnowhere\nnowhere\n/m),
    syncedAll: fileContains(
      'second.log',
      /^(?![\s\S]*(?:Failed to copy|failed to sync))[\s\S]*INFO.*Created worktree at /,
    ),
    shared: fileContains(
      'tree.txt',
      /WORKSPACE\/\.ralph\/agent\/memories\.md\nWORKSPACE\/\.ralph\/specs\nWORKSPACE\/\.ralph\/tasks\n/,
    ),
    context: fileContains(
      'tree.txt',
      /\*\*Loop ID\*\*: ID\n.*\*\*Workspace\*\*: WORKSPACE\/\.worktrees\/ID\n.*\*\*Main Repo\*\*: WORKSPACE\n.*\*\*Branch\*\*: ralph\/ID\n[\s\S]*"Second work\."[\s\S]*^\.worktrees\/$/m,
    ),
    ignoredOnce: fileContains('tree.txt', /^ignored\.txt\n\.ralph\/\n\.worktrees\/\nignored 1 times$/m),
    running: fileHasJson('listed-while.json', [
      { id: '(primary)', status: 'running', location: '(in-place)', prompt: /^First work\./ },
      { id: 'ID', status: 'running', location: 'ID', prompt: 'Second work.' },
    ]),
    over: fileHasJson('listed.json', [
      { id: '(primary)', status: 'running' },
      { id: 'ID', status: 'orphan', location: 'ID' },
    ]),
    deregistered: fileHasJson('registry.json', { loops: [] }),
    diff: fileContains(
      'commands.txt',
      /^== diff\n[\s\S]* untracked\.txt +\| +1 \+\n[\s\S]*exit 0\n== whole/m,
    ),
    whole: fileContains(
      'commands.txt',
      /^== whole\n[\s\S]*^\+new\n[\s\S]*^exit 0\nof the base: 0\n== button$/m,
    ),
    blocked: fileContains(
      'commands.txt',
      /"reason":"primary loop running: First work\.[^"]*","state":"blocked"/,
    ),
    history: fileContains(
      'commands.txt',
      /"kind":"loop_started","prompt":"Second work\."[\s\S]*"reason":"completion_promise"/,
    ),
    attach: fileContains('commands.txt', /^in ID\nexit 0$/m),
    stop: fileContains(
      'commands.txt',
      /^== stop\nError: Cannot determine active loop - it may have already stopped[\s\S]*?exit 1$/m,
    ),
    resume: fileContains('commands.txt', "Loop 'ID' is not currently suspended. Nothing to resume.\nexit 0"),
    unreadable: fileContains(
      'commands.txt',
      /^== unreadable\nError: Failed to read suspend-state for loop 'ID'\n[\s\S]*?exit 1$/m,
    ),
    publish: allOf(
      'a loop is not published while it runs, or without a remote',
      fileContains(
        'while.txt',
        /exit 1\nError: Loop 'ID' is still running\. Stop it first\.[\s\S]*?exit 1\n$/,
      ),
      fileContains('commands.txt', /^== publish\nError: Remote 'origin' not found[\s\S]*?exit 1$/m),
    ),
    retry: fileContains(
      'commands.txt',
      /^== retry\nError: Loop 'ID' not found in merge queue[\s\S]*?exit 1$/m,
    ),
    part: fileContains(
      'commands.txt',
      /^== part\n[\s\S]* untracked\.txt +\| +1 \+\n[\s\S]*exit 0\n== unknown/m,
    ),
    front: fileContains(
      'commands.txt',
      /^== front\n[\s\S]* untracked\.txt +\| +1 \+\n[\s\S]*exit 0\n== orphan/m,
    ),
    orphan: fileContains(
      'commands.txt',
      /^== orphan\nNo stale loops found\.\nFound orphan worktree: WORKSPACE\/\.worktrees\/ID \(branch: ralph\/ID\)\n\nTo remove orphan worktrees, use: ralph loops discard <id>\nexit 0$/m,
    ),
    busy: fileContains(
      'while.txt',
      /^Loop 'ID' is not currently suspended[\s\S]*exit 0\nError: Loop 'ID' is still running\. Stop it first\.[\s\S]*?exit 1$/m,
    ),
    unknown: fileContains(
      'commands.txt',
      /^== unknown\nError: Loop 'no-such-loop' not found[\s\S]*?exit 1$/m,
    ),
    keep: fileContains('commands.txt', /permanently discard loop 'ID'[\s\S]*Aborted\.\nexit 0\n *2$/m),
    discard: fileContains('discarded.txt', /Loop 'ID' discarded\.\nexit 0$/m),
    gone: fileContains('discarded.txt', /^== prune\nNo stale loops found\.\nexit 0\n *0\n?$/m),
  }),

  agent: [
    onObjective('Second work').runs(WHILE).completes(),
    onObjective('First work').runs(FIRST).writes('first.txt', 'done\n').completes(),
  ],

  saboteurs: {
    'does no work of its own': { agent: without('writes'), kills: ['first'] },
    'never completes': neverCompletes('ends', 'second'),
    'starts no second run': {
      agent: replacing(`"$RALPH_BIN" run -c ralph.yml --no-tui -p 'Second work.' --no-auto-merge`, 'true'),
      kills: [
        'second',
        'name',
        'content',
        'synced',
        'syncedAll',
        'shared',
        'context',
        'running',
        'over',
        'diff',
        'whole',
        'blocked',
        'history',
        'attach',
        'stop',
        'resume',
        'unreadable',
        'publish',
        'retry',
        'part',
        'front',
        'orphan',
        'busy',
        'keep',
        'discard',
      ],
      failure: 'AssertionMismatch',
    },
    'the other run is not refused': {
      agent: replacing('run -c refused.yml', 'run -c refused.yml --dry-run'),
      kills: ['refused'],
      failure: 'AssertionMismatch',
    },
    'no second run at all': {
      agent: replacing('"$RALPH_BIN" run', 'true'),
      kills: ['refused', 'second', 'ignoredOnce'],
      failure: 'AssertionMismatch',
    },
    'does not look': {
      agent: replacing('sh look.sh', 'true'),
      kills: ['deregistered', 'unknown', 'gone'],
      failure: 'AssertionMismatch',
    },
  },
});

/** What a second loop does stays in its worktree. */
const secondLoopInside = scenario({
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
const loopsLogs = scenario({
  ...MECHANICS,
  id: 'loops-logs',
  tier: 2,
  priority: 'should',
  phase: 'green',
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
    'does no work of its own': { agent: without('writes'), kills: ['first'] },
    'never completes': {
      agent: onlyIn('First work', without('completes')),
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
    'starts no second run': {
      agent: replacing('"$RALPH_BIN" run', 'true'),
      kills: ['logs', 'history', 'lines', 'followed', 'notFollowed'],
      failure: 'AssertionMismatch',
    },
  },
});

export const secondLoops = [secondLoop, secondLoopInside, loopsLogs];
