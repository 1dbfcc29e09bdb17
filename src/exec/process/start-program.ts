import type { ChildProcess } from 'node:child_process';
import type { Followed, ProcessScope, Program, ProgramMark } from './containment/process-scope.js';
import { TRACKING_SCOPE } from './containment/tracking.js';
import { launch } from './launch.js';
import { findObstacle } from './obstacle.js';
import { explainSpawnError, type SpawnError } from './spawn-error.js';

interface StartOptions extends Program, ProgramMark {
  readonly input: 'ignore' | 'pipe';
  readonly scope?: ProcessScope | undefined;
}

/** A program that runs, and everything it starts. */
interface StartedProgram extends Followed {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** Starts a program in its scope, with its marker in its environment. */
export async function startProgram(
  options: StartOptions,
): Promise<StartedProgram | { spawnError: SpawnError }> {
  const { command, args, cwd, env, marker, secrets, input, scope = TRACKING_SCOPE } = options;
  const fail = (error: unknown) => ({ spawnError: explainSpawnError(error, options) });
  // In a scope, another program starts first, and would hide why this one cannot.
  const obstacle = scope.kind === 'tracking' ? null : findObstacle(options);
  if (obstacle !== null) return fail(obstacle);
  try {
    const marked = { command, args, cwd, env: { ...env, [marker.name]: marker.value } };
    const { program, channel, follow } = scope.admit(marked, { marker, secrets });
    const started = await launch({
      ...program,
      stdio: channel ? [input, 'pipe', 'pipe', 'pipe'] : [input, 'pipe', 'pipe'],
    });
    if ('error' in started) return fail(started.error);
    // Before the process can do anything that we must not miss.
    return { ...started, ...follow(started.child, started.pid) };
  } catch (error) {
    return fail(error);
  }
}
