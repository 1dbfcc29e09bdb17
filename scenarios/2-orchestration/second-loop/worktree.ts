import {
  allOf,
  completed,
  fileContains,
  fileEquals,
  fileHasJson,
  loop,
  onObjective,
  scenario,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { LOOK } from './look.js';

/*
 * A second loop in the same workspace goes into a worktree. The agent of the first loop starts it, and then looks at
 * what it left.
 */

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
export const secondLoop = scenario({
  ...MECHANICS,
  id: 'second-loop',
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
