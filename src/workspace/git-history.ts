import { buildEnvironment } from '../exec/environment.js';
import { runCommand } from '../exec/run-command.js';

/** A commit and the paths that it touches. */
export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly paths: readonly string[];
}

const TIME_LIMIT_MS = 30_000;
const RECORD = '\x1e';
const FIELD = '\x1f';

/** The commits on HEAD after this one (all without one), oldest first. None where the agent left no repo to read. */
export async function readCommits(folder: string, since: string | null): Promise<Commit[]> {
  const range = since === null ? 'HEAD' : `${since}..HEAD`;
  const args = [
    ...['-c', 'core.quotePath=false', 'log', '--reverse', '--no-renames', '--name-only'],
    `--format=${RECORD}%H${FIELD}%B${FIELD}`,
    range,
  ];
  // The ceiling: without a repo of its own the workspace must not be taken for a part of the one around it.
  const extra = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: folder };
  const env = buildEnvironment({ base: process.env, extra: { ...extra, LC_ALL: 'C' } });
  const result = await runCommand('git', args, { cwd: folder, env, timeoutMs: TIME_LIMIT_MS });
  return result.ok ? result.stdout.split(RECORD).slice(1).map(parseCommit) : [];
}

function parseCommit(record: string): Commit {
  const [hash = '', message = '', paths = ''] = record.split(FIELD);
  return { hash, message: message.trim(), paths: paths.split('\n').filter((path) => path !== '') };
}
