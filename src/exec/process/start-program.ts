import { type ChildProcess, spawn } from 'node:child_process';
import type { Followed, Pen, Program, ProgramMark } from './containment/pen.js';
import { TRACKING_PEN } from './containment/tracking.js';
import { findObstacle } from './obstacle.js';
import { explainSpawnError, type SpawnError } from './spawn-error.js';

interface StartOptions extends Program, ProgramMark {
  readonly input: 'ignore' | 'pipe';
  readonly pen?: Pen | undefined;
}

/** A program that runs, and everything it starts. */
export interface StartedProgram extends Followed {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** Starts a program in its pen, with its marker in its environment. */
export function startProgram(options: StartOptions): Promise<StartedProgram | { spawnError: SpawnError }> {
  const { command, args, cwd, env, marker, secrets, input, pen = TRACKING_PEN } = options;
  return new Promise((resolve) => {
    const fail = (error: unknown) => resolve({ spawnError: explainSpawnError(error, options) });
    // In a pen, another program starts first, and would hide why this one cannot.
    const obstacle = pen.kind === 'tracking' ? null : findObstacle(options);
    if (obstacle !== null) return fail(obstacle);
    try {
      const marked = { command, args, cwd, env: { ...env, [marker.name]: marker.value } };
      const { program, channel, follow } = pen.admit(marked, { marker, secrets });
      const child = spawn(program.command, program.args, {
        cwd: program.cwd,
        env: program.env,
        stdio: [input, 'pipe', 'pipe', ...(channel ? (['pipe'] as const) : [])],
        // Its own session: Ctrl-C in our terminal reaches only us, and we end everything in order.
        detached: true,
      });
      child.once('error', fail);
      const { pid } = child;
      // Before the process can do anything that we must not miss.
      if (pid !== undefined) {
        const followed = follow(child, pid);
        child.once('spawn', () => resolve({ child, pid, ...followed }));
      }
    } catch (error) {
      fail(error);
    }
  });
}
