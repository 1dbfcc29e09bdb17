import { spawnSync } from 'node:child_process';
import { orElse } from '../failure.js';
import { faulty } from '../faults.js';
import { attempt, type Log } from '../log.js';
import { type Files, writeTextFile } from '../store/files.js';
import { isTerminal, readTasks, type Task } from '../store/tasks.js';
import { quoteList, takeBytes } from '../text.js';

const TARGET = 'ralph_core::landing';
const LOOP = 'primary';

/**
 * Cleans up after a successful loop: commits everything, drops all stashes, prunes origin. git searches upward, so
 * without its own repository this affects the enclosing one, as in the real Ralph.
 */
export function land(workspace: string, files: Files, objective: string, log: Log): void {
  log.info(TARGET, `Beginning landing sequence loop_id=${LOOP}`);
  const tasks = orElse(() => readTasks(files.tasks, log), []);
  const open = tasks.filter((task) => !isTerminal(task));
  if (open.length > 0) {
    const list = quoteList(open.map(({ id }) => id));
    log.warn(TARGET, `Landing with ${open.length} open tasks loop_id=${LOOP} open_tasks=${list}`);
  }
  const [status = FAILED, stashes = FAILED, remotes = FAILED] = git(workspace, [
    'git status --porcelain',
    'git stash list',
    'git remote',
  ]);
  const commit = autoCommit(workspace, status);
  if (commit.error !== undefined) {
    log.warn(TARGET, `Auto-commit failed during landing loop_id=${LOOP} error=${commit.error}`);
  } else if (commit.sha !== undefined) {
    log.info(TARGET, `Auto-committed changes during landing loop_id=${LOOP} commit=Some("${commit.sha}")`);
  }
  const failure = clearStashes(workspace, stashes);
  if (failure !== null)
    log.warn(TARGET, `Failed to clear stashes loop_id=${LOOP} error=Git command failed: ${failure}`);
  const unpruned = pruneOrigin(workspace, remotes);
  if (unpruned !== null)
    log.warn(TARGET, `Failed to prune remote refs loop_id=${LOOP} error=Git command failed: ${unpruned}`);

  if (faulty('no-handoff')) return;
  attempt(log, TARGET, `generate handoff loop_id=${LOOP}`, () =>
    writeTextFile(files.handoff, renderHandoff(workspace, files, objective, log)),
  );
  const counts = `completed=${tasks.filter(isClosed).length} open=${tasks.filter((task) => !isClosed(task)).length}`;
  log.info(TARGET, `Generated handoff file loop_id=${LOOP} path=${files.handoff} ${counts}`);
  log.info(
    'ralph::loop_runner',
    `Primary loop landed successfully committed=${commit.sha !== undefined} handoff=${files.handoff}`,
  );
}

/** Returns what git says if it cannot clear them. */
function clearStashes(workspace: string, stashes: Answer): string | null {
  if (!stashes.ok) return stashes.err;
  if (stashes.out.trim() === '') return null;
  const [cleared = FAILED] = git(workspace, ['git stash clear']);
  return cleared.ok ? null : `Failed to clear stashes: ${cleared.err}`;
}

/** Returns what git says if it cannot prune. */
function pruneOrigin(workspace: string, remotes: Answer): string | null {
  if (!remotes.ok) return remotes.err;
  if (!remotes.out.split('\n').includes('origin')) return null;
  const [pruned = FAILED] = git(workspace, ['git remote prune origin']);
  return pruned.ok ? null : `Failed to prune remote refs: ${pruned.err}`;
}

function autoCommit(workspace: string, status: Answer): { readonly sha?: string; readonly error?: string } {
  if (!status.ok) return { error: `Git command failed: ${status.err}` };
  if (status.out.trim() === '' || faulty('skip-commit')) return {};
  const commit = `git commit -m 'chore: auto-commit before merge (loop ${LOOP})'`;
  const steps = git(workspace, ['git add -A || exit', `${commit} || exit`, 'git rev-parse HEAD']);
  const [add = FAILED, done = FAILED, head = FAILED] = steps;
  if (!add.ok) return { error: `Git command failed: Failed to stage changes: ${add.err}` };
  if (!done.ok) {
    return /user\.(email|name)/.test(done.err)
      ? { error: 'Git config missing: user.name or user.email not configured' }
      : { error: `Git command failed: Failed to commit: ${done.err}` };
  }
  return { sha: head.out.trim() };
}

function renderHandoff(workspace: string, files: Files, objective: string, log: Log): string {
  const [branch = FAILED, head = FAILED, latest = FAILED] = git(workspace, [
    'git rev-parse --abbrev-ref HEAD',
    "git log -1 '--format=%h: %s'",
    LATEST_FILES,
  ]);
  // The real Ralph rereads the file for each part, and repeats its warnings about bad lines.
  const read = () => orElse(() => readTasks(files.tasks, log), []);
  const tasks = renderTasks(read());
  const next = renderNextSession(read(), objective);
  read();
  return [
    '# Session Handoff',
    '',
    `_Generated: ${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC_`,
    '',
    '## Git Context',
    '',
    `- **Branch:** ${branch.ok && branch.out.trim() !== 'HEAD' ? `\`${branch.out.trim()}\`` : '_(unknown)_'}`,
    `- **HEAD:** ${head.ok ? head.out.trim() : '_(no commits)_'}`,
    '',
    '## Tasks',
    '',
    ...tasks,
    '',
    '## Key Files',
    '',
    ...renderKeyFiles(latest),
    '',
    '## Next Session',
    '',
    ...next,
    '',
  ].join('\n');
}

/** Lists closed tasks, then the others; a failed task also remains. */
function renderTasks(tasks: readonly Task[]): readonly string[] {
  if (tasks.length === 0) return ['_No tasks tracked in this session._'];
  const closed = tasks.filter(isClosed).map(({ title }) => `- [x] ${title}`);
  const remaining = tasks
    .filter((task) => !isClosed(task))
    .map(({ title, status, blockedBy }) => {
      const blockers = blockedBy.length === 0 ? '' : ` _(blocked by: ${blockedBy.join(', ')})_`;
      return `- ${status === 'failed' ? '[~]' : '[ ]'} ${title}${blockers}`;
    });
  return [
    ...(closed.length > 0 ? ['### Completed', '', ...closed, ''] : []),
    ...(remaining.length > 0 ? ['### Remaining', '', ...remaining] : []),
  ];
}

/** Lists the files of the latest commits: of the last five, or of fewer if there are not that many. */
const LATEST_FILES = `for range in HEAD~5 HEAD~2 HEAD~1; do
  files=$(git diff --name-only $range..HEAD --)
  [ -z "$files" ] || break
done
[ -n "$files" ] || files=$(git ls-files --)
printf %s "$files"`;

function renderKeyFiles({ out }: Answer): readonly string[] {
  const names = out
    .split('\n')
    .filter((name) => name !== '')
    .slice(0, 10);
  if (names.length === 0) return ['_No recent file modifications tracked._'];
  return ['Recently modified:', '', ...names.map((name) => `- \`${name}\``)];
}

function renderNextSession(tasks: readonly Task[], objective: string): readonly string[] {
  const titles = tasks.filter((task) => !isClosed(task)).map(({ title }) => title);
  if (titles.length === 0) {
    return [
      'Session completed successfully. No pending work.',
      '',
      '**Original objective:**',
      '',
      '```',
      cut(objective, 500),
      '```',
    ];
  }
  return [
    'The following prompt can be used to continue where this session left off:',
    '',
    '```',
    `Continue the previous work. Remaining tasks (${titles.length}):`,
    ...titles.map((title) => `- ${title}`),
    '',
    `Original objective: ${cut(objective, 200)}`,
    '```',
  ];
}

function isClosed({ status }: Task): boolean {
  return status === 'closed';
}

function cut(objective: string, bytes: number): string {
  const whole = objective.trim();
  const head = takeBytes(whole, bytes);
  return head === whole ? whole : `${head}...`;
}

/** What a command printed, and whether it succeeded. */
interface Answer {
  readonly ok: boolean;
  readonly out: string;
  readonly err: string;
}

/** The answer of a command that was not run. */
const FAILED: Answer = { ok: false, out: '', err: '' };

/** Runs commands in one shell: starting each from here takes longer than what git does. */
function git(workspace: string, commands: readonly string[]): readonly Answer[] {
  const script = commands.map((command) => `{ ${command}\n}; printf '\\0%s\\0' $?; printf '\\0' >&2`);
  const options = { cwd: workspace, encoding: 'utf8' } as const;
  const { stdout, stderr, error } = spawnSync('/bin/sh', ['-c', script.join('\n')], options);
  if (error !== undefined) return commands.map(() => ({ ...FAILED, err: error.message }));
  const [outs, errs] = [stdout.split('\0'), stderr.split('\0')];
  return commands.map((_, index) => ({
    ok: outs[2 * index + 1] === '0',
    out: outs[2 * index] ?? '',
    err: errs[index] ?? '',
  }));
}
