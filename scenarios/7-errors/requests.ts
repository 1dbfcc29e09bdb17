import {
  completed,
  earlierSessionEnded,
  endReported,
  errandAnswered,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  scenario,
  terminatedBecause,
} from '../../src/authoring.js';
import { emitting } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { EVENTS_BY_HAND, ignoresCompletion, neverStops } from '../support/saboteurs.js';
import { escapePattern } from '../support/texts.js';

/* What people do to a loop by files: they stop it, restart it, or remove its folder. */

/** Does the work of a prompt. */
export const finishes = onObjective(/Write (\w+) in uppercase/)
  .writes('final.txt', '{{upper 1}}\n')
  .completes();

/** A stop request from before ends the first loop at once, and only that one. */
const stopFileUsedUp = scenario({
  id: 'stop-file-used-up',
  ...MECHANICS,
  phase: 'red',
  description: 'A stop request ends one loop, before it starts an agent, and not the next loop too',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: { '.ralph/stop-requested': '' },
    before: [{ session: { prompt: 'Write only the word early to early.txt, then declare completion.' } }],
    prompt: `Write ${nonce} in uppercase to final.txt, then declare the objective complete.`,
  }),

  expect: ({ nonce }) => ({
    earlier: earlierSessionEnded(1),
    ends: completed(),
    iterations: iterationCount(1),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [finishes, onObjective('word early').writes('early.txt', 'early\n').completes()],

  saboteurs: {
    'Ralph keeps the request': {
      target: 'keep-stop-file',
      kills: ['ends', 'iterations', 'file'],
      failure: 'UnexpectedTermination',
    },
    'Ralph does not notice the promise': ignoresCompletion('ends', 'iterations'),
  },
});

/**
 * Ralph restarts itself with `cargo run`, which would build whatever project is around the workspace: a manifest without
 * a package stops it.
 */
const NO_CARGO = { 'Cargo.toml': '# Nothing to build here.\n' };

const REQUESTS = 'ls-files --others --ignored --exclude=restart-requested';
const WORDS = 'Publish the words of a person.';
const SUCCESSOR = 'RALPH_DIAGNOSTICS=1 cargo run --bin ralph -- resume -c ralph.test.yml';

/** The first loop gets the request as a file, the others as words of a person. */
const restartRequested = scenario({
  id: 'restart-requested',
  ...MECHANICS,
  phase: 'red',
  description: 'A restart request, by file or by the words of a person, ends one loop after its iteration',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    files: NO_CARGO,
    before: [
      { session: { prompt: 'Run `touch .ralph/restart-requested`, and nothing else.' } },
      { session: { prompt: WORDS } },
    ],
    prompt: `Write ${nonce} in uppercase to final.txt. Then ask for a restart.`,
    after: [{ git: REQUESTS.split(' ') }],
  }),

  expect: ({ nonce }) => ({
    earlier: earlierSessionEnded(0),
    ends: terminatedBecause('restart_requested', 0),
    iterations: iterationCount(1),
    reported: endReported({
      label: 'Restarting by human request',
      status: 'Restarting by human request.',
      exitCode: 3,
      resumable: false,
    }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
    usedUp: errandAnswered(REQUESTS, { stdout: /^$/ }),
    successor: errandAnswered(`run -c ralph.yml --no-tui -p ${WORDS}`, {
      stdout: new RegExp(`INFO .*Restart requested — .*: kill \\d+ && ${escapePattern(SUCCESSOR)}$`, 'm'),
    }),
  }),

  agent: [
    onObjective(/Write (\w+) in uppercase/)
      .once()
      .writes('final.txt', '{{upper 1}}\n')
      .emits('human.response', 'Please Restart Ralph, {{1}}.'),
    onObjective('restart-requested').once().runs('touch .ralph/restart-requested'),
    onObjective('words of a person').once().emits('user.prompt', 'restart yourself'),
    onAnyPrompt().says('Nobody restarts me.'),
  ],

  saboteurs: {
    'nobody asks for a restart': {
      agent: emitting('human.response', { payload: 'Please start {{1}}.' }),
      kills: ['ends', 'iterations', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'Ralph ignores the request': neverStops('ends', 'iterations', 'reported', 'successor'),
    'the person asks for something else': {
      agent: emitting('user.prompt', { payload: 'rest yourself' }),
      kills: ['earlier', 'successor'],
      failure: 'AssertionMismatch',
    },
  },

  notApplicable: EVENTS_BY_HAND,
});

/** Moves the workspace away, and back when Ralph has ended: the evidence is in it. */
const AWAY = [
  'here=$PWD',
  `pid=$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' .ralph/loop.lock)`,
  'rm -rf "$here.away"',
  'mv "$here" "$here.away"',
  '(',
  '  while kill -0 "$pid"; do sleep 0.02; done',
  '  rm -rf "$here"',
  '  mv "$here.away" "$here"',
  // The stand-in for Claude waits until its pipes are closed, and one of them is number 3.
  ') > /dev/null 2>&1 3>&- &',
  '',
].join('\n');

/** Somebody removes the worktree of a loop that is still running. */
const workspaceGone = scenario({
  id: 'workspace-gone',
  lanes: ['sim'],
  backends: ['claude'],
  phase: 'red',
  description: 'A loop whose folder is removed ends after the current iteration',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 2 }),
    files: { 'away.sh': AWAY },
    prompt: `Write ${nonce} in uppercase to final.txt. Then run \`sh away.sh\`.`,
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('workspace_gone', 1),
    iterations: iterationCount(1),
    reported: endReported({
      label: 'Workspace directory removed',
      status: 'Workspace directory removed externally.',
      exitCode: 1,
      resumable: false,
    }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective(/Write (\w+) in uppercase/)
      .once()
      .writes('final.txt', '{{upper 1}}\n')
      .runs('sh away.sh'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
    'Ralph exits with success': { target: 'wrong-exit-code', kills: ['ends'] },
  },

  notApplicable: { 'acts-silently': 'the agent says nothing: it has no workspace any more' },
});

export const requests = [stopFileUsedUp, restartRequested, workspaceGone];
