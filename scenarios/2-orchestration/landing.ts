import {
  completed,
  errandAnswered,
  fileContains,
  fileLacks,
  loop,
  onObjective,
  scenario,
  without,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { neverCompletes } from '../support/saboteurs.js';
import { escapePattern } from '../support/texts.js';

const HANDOFF = '.ralph/agent/handoff.md';
const MESSAGE = 'chore: auto-commit before merge (loop primary)';
const FIRST = 'Workspace as the agent finds it';
const git = (command: string) => ({ git: command.split(' ') });

const SUBJECTS = 'log --format=%s';
const CHANGES = 'show --name-status --format= HEAD';
const STASHES = 'stash list';
const STATUS = 'status --porcelain';
const REMOTES = 'branch -r';
/** Both are folders that git ignores: Ralph's own, and one with a repository to push to. */
const IGNORE = '.ralph/\nignored/\n';
const FILES = {
  '.gitignore': IGNORE,
  'kept.txt': 'kept\n',
  'changed.txt': 'before\n',
  'gone.txt': 'gone\n',
};
/** Origin forgets its branch `old` after the workspace has heard of it. */
const ORIGIN = [
  'init -q --bare --template= ignored/origin.git',
  'remote add origin ./ignored/origin.git',
  'push -q origin HEAD:refs/heads/main HEAD:refs/heads/old',
  'fetch -q origin',
  '--git-dir ignored/origin.git branch -q -D old',
].map(git);

const OBJECTIVE = (word: string) =>
  `Change the files for ${word}.\n${'This is a long objective. '.repeat(30).trim()}`;

/** Stashes one change, makes three, and leaves the rest to Ralph. */
const commits = scenario({
  id: 'landing-commits',
  ...MECHANICS,
  priority: 'must',
  description:
    'A completed loop commits new, changed and deleted files once, clears stashes and stale branches, and hands off',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: FILES,
    before: ORIGIN,
    prompt: OBJECTIVE(nonce),
    after: [SUBJECTS, CHANGES, STASHES, STATUS, REMOTES].map(git),
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    work: fileContains('new.txt', 'new'),
    once: errandAnswered(SUBJECTS, { stdout: new RegExp(`^${escapePattern(MESSAGE)}\\n${FIRST}\\n$`) }),
    changes: errandAnswered(CHANGES, { stdout: /^M\tchanged\.txt\nD\tgone\.txt\nA\tnew\.txt\n$/ }),
    stashes: errandAnswered(STASHES, { stdout: /^$/ }),
    clean: errandAnswered(STATUS, { stdout: /^$/ }),
    pruned: errandAnswered(REMOTES, { stdout: /^ +origin\/main\n$/ }),
    branch: fileContains(HANDOFF, '- **Branch:** `main`\n'),
    head: fileContains(
      HANDOFF,
      new RegExp(`^- \\*\\*HEAD:\\*\\* [0-9a-f]{7,}: ${escapePattern(MESSAGE)}$`, 'm'),
    ),
    noTasks: fileContains(HANDOFF, '## Tasks\n\n_No tasks tracked in this session._\n'),
    keyFiles: fileContains(HANDOFF, 'Recently modified:\n\n- `changed.txt`\n- `gone.txt`\n- `new.txt`\n'),
    nothingPending: fileContains(HANDOFF, 'Session completed successfully. No pending work.\n'),
    objective: fileContains(
      HANDOFF,
      `**Original objective:**\n\n\`\`\`\n${OBJECTIVE(nonce).slice(0, 500)}...\n\`\`\`\n`,
    ),
  }),

  agent: [
    onObjective('Change the files')
      .runs('echo spare >> kept.txt && git stash -q')
      .runs('echo after > changed.txt; rm gone.txt; echo new > new.txt; echo x > ignored/x.txt')
      .completes(),
  ],

  saboteurs: {
    'never completes': {
      agent: without('completes'),
      kills: ['ends', 'once', 'changes', 'clean', 'pruned', 'branch', 'head', 'objective', 'stashes'],
      failure: 'UnexpectedTermination',
    },
    'changes other files': {
      agent: replacing('changed.txt', 'another.txt'),
      kills: ['changes', 'keyFiles'],
    },
    'plans and leaves a task': {
      agent: replacing('git stash -q', 'git stash -q && ralph tools task add Left'),
      kills: ['noTasks', 'nothingPending', 'objective'],
    },
    'works on another branch': {
      agent: replacing('git stash -q', 'git checkout -q -b topic'),
      kills: ['branch'],
    },
    'Ralph commits nothing': { target: 'skip-commit', kills: ['once', 'changes', 'clean', 'head'] },
    'Ralph leaves no handoff': {
      target: 'no-handoff',
      kills: ['branch', 'head', 'noTasks', 'keyFiles', 'nothingPending', 'objective'],
    },
  },
});

const [CLOSED, FAILED, OPEN, STARTED] = ['aaaa', 'bbbb', 'cccc', 'dddd'].map(
  (suffix) => `task-1700000001-${suffix}`,
);
const row = (
  id: string | undefined,
  title: string,
  status: string,
  blockedBy: readonly (string | undefined)[] = [],
) =>
  `${JSON.stringify({ id, title, status, priority: 3, blocked_by: blockedBy, loop_id: 'another-loop', created: '2026-01-31T08:00:00+00:00' })}\n`;
const TASKS = [
  row(CLOSED, 'Measure', 'closed'),
  row(FAILED, 'Saw', 'failed'),
  row(OPEN, 'Glue', 'open', [CLOSED, FAILED]),
  row(STARTED, 'Sand', 'in_progress'),
].join('');
const session = (word: string) =>
  `Commit the word ${word}. ${'This is a long objective. '.repeat(10).trim()}`;
/** Errands are found by their words: this is the call of an earlier session. */
const SESSION_CALL = (word: string) => `run -c ralph.yml --no-tui -p ${session(word)}`;

/** Two repositories apart from the workspace. In one of them, git can neither clear stashes nor find origin, nor commit. */
const APART = {
  'ignored/ralph.yml': JSON.stringify({ cli: { backend: 'custom', command: '../agent.sh' } }),
  'ignored/agent.sh': {
    content: [
      '#!/bin/sh',
      'echo spare > spare.txt; git add spare.txt; git stash -q',
      'case $PWD in */stuck) touch .git/refs/stash.lock .git/HEAD.lock ;; esac',
      'echo LOOP_COMPLETE',
      '',
    ].join('\n'),
    mode: 0o755,
  },
};
const landingIn = (repository: string) => ({
  ralph: ['run', '-c', '../ralph.yml', '--no-tui', '-p', repository],
  in: `ignored/${repository}`,
});
const callIn = (repository: string) => landingIn(repository).ralph.join(' ');
const REPOSITORIES = ['free', 'stuck'].flatMap((name) => [
  git(`init -q --template= ignored/${name}`),
  git(`-C ignored/${name} config user.name ada`),
  git(`-C ignored/${name} config user.email ada@example.com`),
  git(`-C ignored/${name} commit -q --allow-empty -m first`),
  git(`-C ignored/${name} remote add origin ../${name === 'free' ? 'origin.git' : 'nowhere'}`),
]);

/** The agent commits everything, and tasks of another loop remain. */
const handsOff = scenario({
  id: 'landing-handoff',
  ...MECHANICS,
  description: 'The handoff lists what is done and what remains, and a clean tree gets no further commit',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: { '.gitignore': IGNORE, '.ralph/agent/tasks.jsonl': TASKS, ...APART },
    before: [
      git('init -q --bare --template= ignored/origin.git'),
      ...REPOSITORIES,
      landingIn('free'),
      landingIn('stuck'),
      git('rm -r -q --cached .ralph'),
      git('commit -q -m Untracked'),
      { session: { prompt: session(nonce) } },
    ],
    prompt: `Commit the word ${nonce} again. ${'This is a long objective. '.repeat(10).trim()}`,
    after: [git(SUBJECTS)],
  }),

  expect: ({ nonce }) => {
    const word = nonce.toUpperCase();
    const objective = `Commit the word ${nonce} again. ${'This is a long objective. '.repeat(10).trim()}`;
    return {
      ends: completed(),
      noCommit: errandAnswered(SUBJECTS, {
        stdout: new RegExp(`^${word}2\\n${word}1\\nUntracked\\n${FIRST}\\n$`),
      }),
      cleared: errandAnswered(callIn('free'), {
        stdout: /^(?![\s\S]*WARN)[\s\S]*Primary loop landed successfully .*committed\S*=\S*true/,
      }),
      stuck: errandAnswered(callIn('stuck'), {
        stdout:
          /WARN .*Auto-commit failed during landing .*Failed to commit: \S[\s\S]*WARN .*Failed to clear stashes .*Failed to clear stashes: \S[\s\S]*WARN .*Failed to prune remote refs [\s\S]*Primary loop landed successfully .*committed\S*=\S*false/,
      }),
      warned: errandAnswered(SESSION_CALL(nonce), { stdout: /WARN .*Landing with 2 open tasks/ }),
      counted: errandAnswered(SESSION_CALL(nonce), {
        stdout: /INFO .*Generated handoff file .* completed=1 open=3$/m,
      }),
      head: fileContains(HANDOFF, new RegExp(`^- \\*\\*HEAD:\\*\\* [0-9a-f]{7,}: ${word}2$`, 'm')),
      done: fileContains(HANDOFF, '### Completed\n\n- [x] Measure\n\n'),
      remaining: fileContains(
        HANDOFF,
        `### Remaining\n\n- [~] Saw\n- [ ] Glue _(blocked by: ${CLOSED}, ${FAILED})_\n- [ ] Sand\n`,
      ),
      next: fileContains(
        HANDOFF,
        `\`\`\`\nContinue the previous work. Remaining tasks (3):\n- Saw\n- Glue\n- Sand\n\nOriginal objective: ${objective.slice(0, 200)}...\n\`\`\`\n`,
      ),
    };
  },

  agent: [
    onObjective(/Commit the word (\w+) again/)
      .runs('echo 2 > 2.txt && git add -A && git commit -q -m "{{upper 1}}2"')
      .completes(),
    onObjective(/Commit the word (\w+)\./)
      .runs('echo 1 > 1.txt && git add -A && git commit -q -m "{{upper 1}}1"')
      .completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'warned', 'counted', 'head', 'done', 'remaining', 'next'),
    'leaves the commit to Ralph': {
      agent: replacing('git commit -q', 'git status -s'),
      kills: ['noCommit', 'head'],
    },
  },
});

/** git refuses to guess who commits. */
const nobody = scenario({
  id: 'landing-without-identity',
  ...MECHANICS,
  phase: 'pressure',
  description: 'If git does not know who commits, the loop still completes and hands off',
  covers: ['FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: { '.gitignore': '.ralph/\n', 'kept.txt': 'kept\n' },
    before: [
      git('config --unset-all user.name'),
      git('config --unset-all user.email'),
      git('config user.useConfigOnly true'),
    ],
    prompt: `Write the word ${nonce} in uppercase to word.txt.`,
    after: [git(SUBJECTS)],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    file: fileContains('word.txt', nonce.toUpperCase()),
    notCommitted: errandAnswered(SUBJECTS, { stdout: new RegExp(`^${FIRST}\\n$`) }),
    head: fileContains(HANDOFF, new RegExp(`^- \\*\\*HEAD:\\*\\* [0-9a-f]{7,}: ${FIRST}$`, 'm')),
    handoff: fileContains(HANDOFF, `Write the word ${nonce} in uppercase`),
    harmless: fileLacks(HANDOFF, 'auto-commit'),
    keyFiles: fileContains(
      HANDOFF,
      /^Recently modified:\n\n(?:- `.*`\n)*- `kept\.txt`\n(?:- `.*`\n)*- `word\.txt`\n\n/m,
    ),
  }),

  agent: [
    onObjective(/Write the word (\w+) in uppercase/)
      .writes('word.txt', '{{upper 1}}\n')
      .completes(),
  ],

  pressure: [
    {
      name: 'nobody to commit as',
      description: 'Neither a name nor an address is configured',
      why: 'A fresh container has neither.',
    },
  ],

  exempt: { commit: 'git lets nobody commit' },

  saboteurs: {
    'never completes': neverCompletes('ends', 'handoff'),
    'git knows who commits': {
      config: arranging({ before: [] }),
      kills: ['notCommitted', 'head', 'harmless', 'keyFiles'],
    },
    'Ralph leaves no handoff': { target: 'no-handoff', kills: ['head', 'handoff', 'keyFiles'] },
  },
});

export const landing = [commits, handsOff, nobody];
