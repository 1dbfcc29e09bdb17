import { messageOf } from '../../domain/common/message-of.js';
import { Actor, ScriptMistake } from './actor.js';
import { readStdin } from './read-stdin.js';
import type { Surroundings } from './surroundings.js';

/** The exit code for mistakes in the script, unlike any of the CLIs' own, so that it cannot pass for one of theirs. */
export const SCRIPT_MISTAKE = 70;

/** One agent CLI: reads its arguments, plays the script, talks as the real one does and gives its exit code. */
export interface Face {
  readonly backend: string;
  run(around: Surroundings, actor: Actor): Promise<number>;
}

/** Runs a stand-in as the program it stands in for. */
export async function runAsProgram(face: Face): Promise<void> {
  process.exitCode = await runFace(face, processSurroundings(process.argv.slice(2), process.env));
}

/** Runs a stand-in and gives its exit code. A script that cannot be played is said on stderr, never played wrongly. */
export async function runFace(face: Face, around: Surroundings): Promise<number> {
  const actor = new Actor(face.backend, around);
  try {
    return await face.run(around, actor);
  } catch (error) {
    if (error instanceof ScriptMistake) {
      around.write('stderr', `${error.message}\n`);
      return SCRIPT_MISTAKE;
    }
    const detail = messageOf(error);
    const hint =
      error instanceof Error && 'hint' in error && error.hint !== undefined ? `${error.hint}\n` : '';
    around.write('stderr', `ralph-e2e: ${detail}\n${hint}`);
    actor.record('script-error', detail);
    return SCRIPT_MISTAKE;
  }
}

/** The surroundings of this process, with arguments and an environment of the caller's choice. */
export function processSurroundings(argv: readonly string[], env: Surroundings['env']): Surroundings {
  return {
    argv,
    cwd: process.cwd(),
    env,
    isRoot: process.getuid?.() === 0,
    write: (stream, text) => {
      process[stream].write(text);
    },
    readInput: readStdin,
    readLines,
  };
}

/** Who stops reading before the end must not be kept alive by a stdin that stays open. */
async function* readLines(): AsyncGenerator<string> {
  // Loaded where it is needed: most calls read no lines, and each has to start fast.
  const { createInterface } = await import('node:readline');
  try {
    yield* createInterface({ input: process.stdin });
  } finally {
    process.stdin.destroy();
  }
}
