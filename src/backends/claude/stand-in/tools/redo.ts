import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Renames } from '../../../../agent/engine/renames.js';
import type { Redo } from '../../../../domain/agent-script.js';
import { type CommandLine, renderCommandLine } from '../../../../domain/recording/shell/command-line.js';
import { makeFolderSync } from '../../../../exec/files/make-folder.js';
import type { ClaudeStage } from '../stage.js';
import { openBounds } from './bounds.js';
import { runBash } from './shell.js';
import { useTool } from './use.js';
import type { ToolUsed, Wish } from './wish.js';

interface RedoOptions {
  readonly promptId: string;
  readonly renames: Renames;
  readonly signal: AbortSignal;
}

/**
 * Does a recorded tool call again. Ends the call as a divergence if it does not go as it did, or if it would leave the
 * bounds of a replay: a recording may come from somebody else.
 */
export async function redoTool(
  stage: ClaudeStage,
  wish: Wish,
  redo: Redo,
  options: RedoOptions,
): Promise<ToolUsed> {
  const { promptId, renames, signal } = options;
  const { how, result, isError } = redo;
  const bounds = openBounds(stage, (await stage.actor.script()).recording?.guards);
  switch (how.kind) {
    case 'file': {
      bounds.requireFile(String(wish.input.file_path), wish.name === 'Read' ? 'read' : 'write');
      const used = await useTool(stage, { ...wish, runs: wish.input }, promptId, signal);
      requireSameEnd(stage, wish, { result, isError }, used);
      return used;
    }
    case 'command': {
      const runs = { ...wish.input, command: prepare(how.line) };
      const used = await useTool(stage, { ...wish, runs }, promptId, signal);
      const likeness = renames.learn(plain(result), plain(used.content));
      requireSameEnd(stage, wish, { result, isError }, used);
      if (how.sameResult && !likeness.alike)
        stage.actor.diverge(`${describe(wish)} answers something else now:\n${likeness.difference}`);
      return used;
    }
    case 'show':
      if (how.line.length > 0) await runParts(stage, prepare(how.line), signal);
      for (const { path, text } of renames.apply(how.writes)) {
        const target = bounds.requireFile(path, 'write');
        makeFolderSync(dirname(target));
        writeFileSync(target, text);
      }
      for (const path of how.removes) rmSync(bounds.requireFile(path, 'write'), { force: true });
      return useTool(stage, { ...wish, result: renames.apply(result), failed: isError }, promptId, signal);
    default:
      return how satisfies never;
  }

  /** Writes the command for bash. What was recorded is renamed word by word, and checked after that. */
  function prepare(recorded: CommandLine): string {
    const line = renames.apply(recorded);
    bounds.requireLine(line);
    return renderCommandLine(line);
  }
}

function requireSameEnd(
  stage: ClaudeStage,
  wish: Wish,
  { result, isError }: Pick<Redo, 'result' | 'isError'>,
  used: ToolUsed,
): void {
  if (used.isError === isError) return;
  const [was, is] = isError ? ['failed', 'succeeds'] : ['succeeded', 'fails'];
  stage.actor.diverge(
    `${describe(wish)} ${was} when it was recorded and ${is} now:\n- ${short(result)}\n+ ${short(used.content)}`,
  );
}

async function runParts(stage: ClaudeStage, command: string, signal: AbortSignal): Promise<void> {
  const { env } = stage.around;
  const { exitCode, stdout } = await runBash(command, { cwd: stage.tools.shellFolder, env, signal });
  if (exitCode !== 0)
    stage.actor.diverge(`\`${command}\` succeeded when it was recorded and fails now:\n+ ${short(stdout)}`);
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
