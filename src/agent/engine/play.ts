import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentScript, Failure, Response } from '../../domain/agent-script.js';
import { messageOf } from '../../domain/common/message-of.js';
import { makeFolderSync } from '../../exec/files/make-folder.js';
import { type NativeTool, readStep, type StepTool } from './planned-answers.js';
import type { PromptView } from './prompt-view.js';
import type { TemplateValues } from './template.js';
import { emitCommand } from './workflow.js';

/** One thing the agent does; each stand-in translates it into its CLI's output. */
export type Action =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: ToolUse; readonly result: string; readonly isError: boolean }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'hang' };

/** A tool call in neutral terms: `write` replaces a file, `run` is a shell command, `native` is one of the CLI's tools. */
export type ToolUse =
  | { readonly name: 'write'; readonly path: string; readonly content: string }
  | { readonly name: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly name: 'read'; readonly path: string }
  | { readonly name: 'run'; readonly command: string }
  | { readonly name: 'native'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** What a response is played with. */
export interface PlayOptions {
  readonly prompt: PromptView;
  readonly values: TemplateValues;
  readonly cwd: string;
  /** Set if nothing outside this process may be touched: tools are skipped, those of a CLI are shown. */
  readonly inside?: boolean;
  /** What the script says about the tools of a CLI. */
  readonly tools?: AgentScript['tools'];
}

/** Plays a response in `cwd`: really writes, runs and emits, and yields each action once it is done. */
export async function* play(response: Response, options: PlayOptions): AsyncGenerator<Action> {
  if (response.delayMs) await sleep(response.delayMs);
  for (const step of response.steps) {
    const played = readStep(step, options.prompt, options.values);
    switch (played.kind) {
      case 'text':
      case 'hang':
        yield played;
        break;
      case 'thought':
        break;
      case 'pause':
        await sleep(played.milliseconds);
        break;
      case 'tool': {
        const { tool } = played;
        if (options.inside !== true || tool.kind === 'native') yield await useTool(tool, options);
        break;
      }
      default:
        played satisfies never;
    }
  }
  if (response.failure !== undefined) yield { kind: 'failure', failure: response.failure };
}

function useTool(tool: StepTool, { cwd, tools }: PlayOptions): Action | Promise<Action> {
  switch (tool.kind) {
    case 'write':
      return writeFile(cwd, tool, writeFileSync);
    case 'append':
      return writeFile(cwd, tool, appendFileSync);
    case 'edit':
      return editFile(cwd, tool);
    case 'read':
      return readFile(cwd, tool.path);
    case 'run':
      return runProgram('sh', ['-c', tool.command], tool.command, cwd);
    case 'emit':
      return emitEvent(tool, cwd);
    case 'native':
      return showTool(tool, tools);
    default:
      return tool satisfies never;
  }
}

/** Shows a call of a CLI's tool with its scripted result: the step's own, else the script's result for that tool. */
function showTool({ name, input, result }: NativeTool, tools: PlayOptions['tools']): Action {
  const tool: ToolUse = { name: 'native', tool: name, input };
  const policy = tools?.policies[name];
  if (policy?.error !== undefined) return { kind: 'tool', tool, result: policy.error, isError: true };
  const scripted = result ?? policy?.result;
  if (scripted !== undefined) return { kind: 'tool', tool, result: scripted, isError: false };
  return { kind: 'tool', tool, result: `No result is scripted for the tool ${name}`, isError: true };
}

function writeFile(
  cwd: string,
  { path, content }: { readonly path: string; readonly content: string },
  put: (path: string, content: string) => void,
): Action {
  const target = resolve(cwd, path);
  return guarded(cwd, { name: 'write', path: target, content }, target, () => {
    makeFolderSync(dirname(target));
    put(target, content);
    return `File written: ${path}`;
  });
}

function editFile(cwd: string, { path, old, new: text }: Extract<StepTool, { kind: 'edit' }>): Action {
  const target = resolve(cwd, path);
  return guarded(cwd, { name: 'edit', path: target, old, new: text }, target, () => {
    const content = readFileSync(target, 'utf8');
    if (!content.includes(old)) throw new Error(`String to replace not found in file: ${old}`);
    writeFileSync(
      target,
      content.replace(old, () => text),
    );
    return `File edited: ${path}`;
  });
}

function readFile(cwd: string, path: string): Action {
  const target = resolve(cwd, path);
  return guarded(cwd, { name: 'read', path: target }, target, () => readFileSync(target, 'utf8'));
}

/** Runs a file operation inside the workspace. An error becomes the tool's result, as it would for a real agent. */
function guarded(cwd: string, tool: ToolUse, target: string, act: () => string): Action {
  if (relative(cwd, target).startsWith('..')) {
    return { kind: 'tool', tool, result: `refused: ${target} is outside the workspace`, isError: true };
  }
  try {
    return { kind: 'tool', tool, result: act(), isError: false };
  } catch (error) {
    return {
      kind: 'tool',
      tool,
      result: messageOf(error),
      isError: true,
    };
  }
}

function emitEvent({ topic, payload }: Extract<StepTool, { kind: 'emit' }>, cwd: string): Promise<Action> {
  const args = ['emit', topic, ...(payload === undefined ? [] : [payload])];
  // Ralph puts its own folder first on PATH and its path into RALPH_BIN, so that agents call the same binary.
  return runProgram(process.env.RALPH_BIN ?? 'ralph', args, emitCommand(topic, payload), cwd);
}

function runProgram(file: string, args: string[], command: string, cwd: string): Promise<Action> {
  return new Promise((done) => {
    execFile(file, args, { cwd, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trimEnd();
      done({
        kind: 'tool',
        tool: { name: 'run', command },
        result: output === '' && error ? error.message : output,
        isError: error !== null,
      });
    });
  });
}
