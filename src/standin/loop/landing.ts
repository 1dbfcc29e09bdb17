import { spawnSync } from 'node:child_process';
import { orElse } from '../failure.js';
import { faulty } from '../faults.js';
import { attempt, type Log } from '../log.js';
import { type Files, writeTextFile } from '../store/files.js';
import { isTerminal, readTasks } from '../store/tasks.js';
import { quoteList, takeBytes } from '../text.js';

const TARGET = 'ralph_core::landing';
const LOOP = 'primary';

/**
 * Cleans up after a successful loop: commits everything, drops all stashes, prunes origin. git searches upward, so
 * without its own repository this affects the enclosing one, as in the real Ralph.
 */
export function land(workspace: string, files: Files, objective: string, log: Log): void {
  log.info(TARGET, `Beginning landing sequence loop_id=${LOOP}`);
  const open = orElse(() => readTasks(files.tasks, log), []).filter((task) => !isTerminal(task));
  if (open.length > 0) {
    const list = quoteList(open.map(({ id }) => id));
    log.warn(TARGET, `Landing with ${open.length} open tasks loop_id=${LOOP} open_tasks=${list}`);
  }
  const commit = autoCommit(workspace);
  if (commit.error !== undefined) {
    log.warn(TARGET, `Auto-commit failed during landing loop_id=${LOOP} error=${commit.error}`);
  } else if (commit.sha !== undefined) {
    log.info(TARGET, `Auto-committed changes during landing loop_id=${LOOP} commit=Some("${commit.sha}")`);
  }
  const stashes = git(workspace, 'stash', 'list');
  if (!stashes.ok)
    log.warn(TARGET, `Failed to clear stashes loop_id=${LOOP} error=Git command failed: ${stashes.err}`);
  else if (stashes.out.trim() !== '') git(workspace, 'stash', 'clear');
  const remotes = git(workspace, 'remote');
  if (!remotes.ok)
    log.warn(TARGET, `Failed to prune remote refs loop_id=${LOOP} error=Git command failed: ${remotes.err}`);
  else if (remotes.out.split('\n').includes('origin')) git(workspace, 'remote', 'prune', 'origin');

  attempt(log, TARGET, `generate handoff loop_id=${LOOP}`, () =>
    writeTextFile(files.handoff, renderHandoff(workspace, files, objective, log)),
  );
  log.info(TARGET, `Generated handoff file loop_id=${LOOP} path=${files.handoff}`);
  log.info(
    'ralph::loop_runner',
    `Primary loop landed successfully committed=${commit.sha !== undefined} handoff=${files.handoff}`,
  );
}

function autoCommit(workspace: string): { readonly sha?: string; readonly error?: string } {
  const status = git(workspace, 'status', '--porcelain');
  if (!status.ok) return { error: `Git command failed: ${status.err}` };
  if (status.out.trim() === '' || faulty('skip-commit')) return {};
  const add = git(workspace, 'add', '-A');
  if (!add.ok) return { error: `Git command failed: Failed to stage changes: ${add.err}` };
  const done = git(workspace, 'commit', '-m', `chore: auto-commit before merge (loop ${LOOP})`);
  if (!done.ok) {
    return /user\.(email|name)/.test(done.err)
      ? { error: 'Git config missing: user.name or user.email not configured' }
      : { error: `Git command failed: Failed to commit: ${done.err}` };
  }
  return { sha: git(workspace, 'rev-parse', 'HEAD').out.trim() };
}

function renderHandoff(workspace: string, files: Files, objective: string, log: Log): string {
  const branch = git(workspace, 'rev-parse', '--abbrev-ref', 'HEAD');
  const head = git(workspace, 'log', '-1', '--format=%h %s');
  // The real Ralph rereads the file for each part, and repeats its warnings about bad lines.
  const read = () => orElse(() => readTasks(files.tasks, log), []);
  const tasks = read();
  const closed = read()
    .filter(({ status }) => status === 'closed')
    .map(({ title }) => `- [x] ${title}`);
  const open = read().filter(({ status }) => status !== 'closed');
  const remaining = open.map(({ title, status }) => `- ${status === 'failed' ? '[~]' : '[ ]'} ${title}`);
  const recent = git(workspace, 'diff', '--name-only', 'HEAD~1', 'HEAD')
    .out.split('\n')
    .filter((name) => name !== '')
    .slice(0, 10);
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
    ...(tasks.length === 0 ? ['_No tasks tracked in this session._'] : []),
    ...(closed.length > 0 ? ['### Completed', '', ...closed, ''] : []),
    ...(remaining.length > 0 ? ['### Remaining', '', ...remaining] : []),
    '',
    '## Key Files',
    '',
    ...(recent.length === 0
      ? ['_No recent file modifications tracked._']
      : recent.map((name) => `- \`${name}\``)),
    '',
    '## Next Session',
    '',
    open.length === 0 ? 'Nothing is left to do.' : `${open.length} task(s) remain.`,
    '',
    '**Original objective:**',
    '',
    '```',
    takeBytes(objective, 500),
    '```',
    '',
  ].join('\n');
}

function git(workspace: string, ...args: readonly string[]): { ok: boolean; out: string; err: string } {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: workspace, encoding: 'utf8' });
  return { ok: status === 0, out: stdout ?? '', err: error?.message ?? stderr ?? '' };
}
