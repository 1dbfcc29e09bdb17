import { tmpdir } from 'node:os';
import { BACKENDS } from '../backends/index.js';
import type { Target } from '../domain/attempt.js';
import { KnownError } from '../domain/common/known-error.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import { BACKEND_IDS, LANE_TRAITS, LANES, type Lane } from '../domain/vocabulary.js';
import { findExecutable } from '../exec/find-executable.js';
import { runCommand } from '../exec/process/run-command.js';
import { locateRalph } from '../kinds/ralph/locate.js';
import { laneEnvironment } from '../lane/environment.js';
import { assessBackends } from '../lane/readiness.js';

/** Something that a lane needs in addition to its backends. */
type Requirement =
  | { readonly name: string; readonly ok: true; readonly detail: string; readonly warning?: true }
  | { readonly name: string; readonly ok: false; readonly detail: string; readonly fix: string };

export interface LaneHealth {
  readonly lane: Lane;
  readonly target: Target | null;
  readonly requirements: readonly Requirement[];
  readonly backends: readonly Readiness[];
  /** Whether a run in this lane would test something. */
  readonly usable: boolean;
}

/** Finds out what this machine can test, lane by lane. */
export async function examine(options: {
  readonly ralph: string | undefined;
  readonly passEnv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: all lanes. */
  readonly lanes?: readonly Lane[];
  readonly signal?: AbortSignal;
}): Promise<LaneHealth[]> {
  const git = await examineGit(options.env.PATH);
  const { lanes = LANES } = options;
  return Promise.all(lanes.map((lane) => examineLane(lane, git, options)));
}

async function examineLane(
  lane: Lane,
  git: Requirement,
  options: Parameters<typeof examine>[0],
): Promise<LaneHealth> {
  const { env: base, ralph: asked, passEnv: pass, signal } = options;
  const { asUser, standIns } = LANE_TRAITS[lane];
  const env = laneEnvironment({ lane, base, pass });
  const [ralph, backends] = await Promise.all([
    locateRalph({ asked, standInServes: standIns, env: base, signal }).catch((error: unknown) => {
      if (error instanceof KnownError) return error;
      throw error;
    }),
    assessBackends(BACKEND_IDS, lane, env, signal),
  ]);
  const readiness = [...backends.values()];
  const requirements = [describeRalph(ralph), git, ...(asUser ? findObstacles(readiness, base) : [])];
  return {
    lane,
    target: ralph instanceof KnownError ? null : ralph,
    requirements,
    backends: readiness,
    usable: requirements.every(({ ok }) => ok) && readiness.some(({ ready }) => ready),
  };
}

function describeRalph(ralph: Target | KnownError): Requirement {
  if (ralph instanceof KnownError) {
    return {
      name: 'ralph',
      ok: false,
      detail: ralph.message,
      fix: ralph.hint ?? 'Name a binary with --ralph <path>.',
    };
  }
  const why = ralph.because === 'none-found' ? ': no ralph was found' : '';
  const kind = ralph.kind === 'stand-in' ? `embedded stand-in, not Ralph itself${why}` : 'real';
  return { name: 'ralph', ok: true, detail: `${ralph.version} (${kind}) at ${ralph.path}` };
}

async function examineGit(path: string | undefined): Promise<Requirement> {
  const git = findExecutable('git', path);
  const result =
    git === null ? null : await runCommand(git, ['--version'], { cwd: tmpdir(), env: {}, timeoutMs: 10_000 });
  if (result?.ok) return { name: 'git', ok: true, detail: result.stdout.trim() };
  return {
    name: 'git',
    ok: false,
    detail: git === null ? 'git is not on PATH' : 'git --version failed',
    fix: 'Install git: every workspace is its own repository.',
  };
}

/** Lists obstacles that a login check does not show. They are warnings: other backends can still be tested. */
function findObstacles(
  backends: readonly Readiness[],
  env: Readonly<Record<string, string | undefined>>,
): Requirement[] {
  return backends
    .filter(({ available }) => available)
    .flatMap(({ backend }) => {
      const detail = BACKENDS[backend].obstacle(env);
      return detail === null ? [] : [{ name: backend, ok: true as const, detail, warning: true as const }];
    });
}
