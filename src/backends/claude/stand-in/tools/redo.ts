import { rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Renames } from '../../../../agent/engine/renames.js';
import type { Redo } from '../../../../domain/agent-script.js';
import { makeFolderSync } from '../../../../exec/files/make-folder.js';
import { isInside } from '../plugins/paths.js';
import type { ClaudeStage } from '../stage.js';
import { runBash } from './shell.js';
import { type ToolUsed, useTool, type Wish } from './use.js';

interface RedoOptions {
  readonly promptId: string;
  readonly renames: Renames;
  readonly signal: AbortSignal;
}

/** Does a recorded tool call again. Ends the call as a divergence if it does not go as it did. */
export async function redoTool(
  stage: ClaudeStage,
  wish: Wish,
  redo: Redo,
  options: RedoOptions,
): Promise<ToolUsed> {
  const { promptId, renames, signal } = options;
  const { how, result, isError } = redo;
  switch (how.kind) {
    case 'run': {
      const used = await useTool(stage, wish, promptId, signal);
      const likeness = renames.learn(plain(result), plain(used.content));
      if (used.isError !== isError) {
        const [was, is] = isError ? ['failed', 'succeeds'] : ['succeeded', 'fails'];
        stage.actor.diverge(
          `${describe(wish)} ${was} when it was recorded and ${is} now:\n- ${short(result)}\n+ ${short(used.content)}`,
        );
      }
      if (how.sameResult && !likeness.alike) {
        stage.actor.diverge(`${describe(wish)} answers something else now:\n${likeness.difference}`);
      }
      return used;
    }
    case 'show':
      for (const command of how.commands) await redoCommand(stage, renames.apply(command), signal);
      for (const { path, text } of renames.apply(how.writes)) writeInside(stage, path, text);
      for (const path of how.removes) rmSync(requireInside(stage, path), { force: true });
      return useTool(stage, { ...wish, result: renames.apply(result), failed: isError }, promptId, signal);
    default:
      return how satisfies never;
  }
}

async function redoCommand(stage: ClaudeStage, command: string, signal: AbortSignal): Promise<void> {
  const { cwd, env } = stage.around;
  const { exitCode, stdout } = await runBash(command, { cwd, env, signal });
  if (exitCode !== 0)
    stage.actor.diverge(`\`${command}\` succeeded when it was recorded and fails now:\n+ ${short(stdout)}`);
}

function writeInside(stage: ClaudeStage, path: string, text: string): void {
  const target = requireInside(stage, path);
  makeFolderSync(dirname(target));
  writeFileSync(target, text);
}

/** A recording may come from somebody else. */
function requireInside(stage: ClaudeStage, path: string): string {
  const target = resolve(stage.around.cwd, path);
  if (isInside(target, stage.folders)) return target;
  return stage.actor.diverge(`The recording changes ${path}, which is outside the workspace.`);
}

/** Leaves out what the program says about the command itself. */
function plain(result: string): string {
  return result.replace(/^Exit code \d+\n?/, '').replace(/^\(Bash completed with no output\)$/, '');
}

function describe({ name, input }: Wish): string {
  return typeof input.command === 'string' ? `\`${short(input.command)}\`` : name;
}

function short(text: string): string {
  const line = text.trim().split('\n').slice(0, 5).join(' ⏎ ');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
