import { rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Renames } from '../../../../agent/engine/renames.js';
import type { Redo } from '../../../../domain/agent-script.js';
import { makeFolderSync } from '../../../../exec/files/make-folder.js';
import type { ClaudeCall } from '../call.js';
import { type ToolRequest, type ToolUsed, useTool } from './use.js';

interface RedoOptions {
  readonly promptId: string;
  readonly renames: Renames;
  readonly signal: AbortSignal;
}

/**
 * Does a recorded tool call again. Ends the call as a divergence if it does not go as it did. A recording may come from
 * somebody else: the sandbox of the replay decides what it can do.
 */
export async function redoTool(
  call: ClaudeCall,
  request: ToolRequest,
  redo: Redo,
  options: RedoOptions,
): Promise<ToolUsed> {
  const { promptId, renames, signal } = options;
  const { how, result, isError } = redo;
  const locate = (path: string) => resolve(call.around.cwd, path);
  switch (how.kind) {
    case 'file': {
      const used = await useTool(call, { ...request, runs: request.input }, promptId, signal);
      requireSameEnd(call, request, { result, isError }, used);
      return used;
    }
    case 'command': {
      const used = await useTool(call, { ...request, runs: request.input }, promptId, signal);
      const likeness = renames.learn(plain(result), plain(used.content));
      requireSameEnd(call, request, { result, isError }, used);
      if (how.sameResult && !likeness.alike)
        call.responder.diverge(`${describe(request)} answers something else now:\n${likeness.difference}`);
      return used;
    }
    case 'show':
      for (const { path, text } of renames.apply(how.writes)) {
        makeFolderSync(dirname(locate(path)));
        writeFileSync(locate(path), text);
      }
      for (const path of how.removes) rmSync(locate(path), { force: true });
      return useTool(call, { ...request, result: renames.apply(result), failed: isError }, promptId, signal);
    default:
      return how satisfies never;
  }
}

function requireSameEnd(
  call: ClaudeCall,
  request: ToolRequest,
  { result, isError }: Pick<Redo, 'result' | 'isError'>,
  used: ToolUsed,
): void {
  if (used.isError === isError) return;
  const [was, is] = isError ? ['failed', 'succeeds'] : ['succeeded', 'fails'];
  call.responder.diverge(
    `${describe(request)} ${was} when it was recorded and ${is} now:\n- ${short(result)}\n+ ${short(used.content)}`,
  );
}

/** Leaves out what the program says about the command itself. */
function plain(result: string): string {
  return result.replace(/^Exit code \d+\n?/, '').replace(/^\(Bash completed with no output\)$/, '');
}

function describe({ name, input }: ToolRequest): string {
  return typeof input.command === 'string' ? `\`${short(input.command)}\`` : name;
}

function short(text: string): string {
  const line = text.trim().split('\n').slice(0, 5).join(' ⏎ ');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
