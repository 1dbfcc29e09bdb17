import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure, Response, Step } from '../../domain/agent-script.js';
import { messageOf } from '../../domain/common/message-of.js';
import { makeFolderSync } from '../../exec/files/make-folder.js';
import type { PromptView } from './prompt-view.js';
import { fillTemplate, type TemplateValues } from './template.js';
import { completionStep, emitCommand } from './workflow.js';

/** One thing the agent does; each face translates it into its CLI's output. */
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

export interface Scene {
  readonly prompt: PromptView;
  readonly values: TemplateValues;
  readonly cwd: string;
  /** Set if the CLI may not use tools without asking, and nobody is there to ask. */
  readonly untrusted?: boolean;
}

/** A tool that the CLI may not use. */
export class ToolDenied extends Error {}

/** Plays a response in `cwd`: really writes, runs and emits, and yields each action once it is done. */
export async function* play(response: Response, scene: Scene): AsyncGenerator<Action> {
  if (response.delayMs) await sleep(response.delayMs);
  for (const step of response.steps) {
    if (scene.untrusted === true && usesTool(step, scene.prompt)) throw new ToolDenied(step.do);
    for (const action of await playStep(step, scene)) yield action;
  }
  if (response.failure !== undefined) yield { kind: 'failure', failure: response.failure };
}

/** Whether a step needs a tool other than reading, which CLIs allow without asking. */
function usesTool(step: Step, prompt: PromptView): boolean {
  switch (step.do) {
    case 'say':
    case 'think':
    case 'read':
    case 'wait':
    case 'hang':
      return false;
    case 'emit':
      return step.by !== 'tag';
    case 'complete':
      return usesTool(completionStep(prompt), prompt);
    default:
      return true;
  }
}

async function playStep(step: Step, scene: Scene): Promise<Action[]> {
  const { cwd, prompt, values } = scene;
  const fill = (text: string) => fillTemplate(text, values);
  switch (step.do) {
    case 'say':
      return [{ kind: 'text', text: fill(step.text) }];
    case 'think':
      return [];
    case 'write':
      return [writeFile(cwd, fill(step.path), fill(step.text), writeFileSync)];
    case 'append':
      return [writeFile(cwd, fill(step.path), fill(step.text), appendFileSync)];
    case 'note':
      return [writeFile(cwd, prompt.scratchpadPath, `${fill(step.text)}\n`, appendFileSync)];
    case 'edit':
      return [editFile(cwd, fill(step.path), fill(step.old), fill(step.new))];
    case 'read':
      return [readFile(cwd, fill(step.path))];
    case 'run':
      return [await runShell(fill(step.command), cwd)];
    case 'emit': {
      const topic = fill(step.topic);
      const payload = step.payload === undefined ? undefined : fill(step.payload);
      if (step.by === 'tag')
        return [{ kind: 'text', text: `<event topic="${topic}">${payload ?? ''}</event>` }];
      return [await emitEvent(topic, payload, cwd)];
    }
    case 'complete':
      return playStep(completionStep(prompt), scene);
    case 'tool':
      return [playNativeTool(step)];
    case 'wait':
      await sleep(step.milliseconds);
      return [];
    case 'hang':
      return [{ kind: 'hang' }];
    default:
      return step satisfies never;
  }
}

function playNativeTool({ name, input, result }: Extract<Step, { do: 'tool' }>): Action {
  const tool: ToolUse = { name: 'native', tool: name, input };
  if (result !== undefined) return { kind: 'tool', tool, result, isError: false };
  return { kind: 'tool', tool, result: `No result is scripted for the tool ${name}`, isError: true };
}

function writeFile(
  cwd: string,
  path: string,
  content: string,
  put: (path: string, content: string) => void,
): Action {
  const target = resolve(cwd, path);
  return guarded(cwd, { name: 'write', path: target, content }, target, () => {
    makeFolderSync(dirname(target));
    put(target, content);
    return `File written: ${path}`;
  });
}

function editFile(cwd: string, path: string, old: string, text: string): Action {
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

function emitEvent(topic: string, payload: string | undefined, cwd: string): Promise<Action> {
  const args = ['emit', topic, ...(payload === undefined ? [] : [payload])];
  // Ralph puts its own folder first on PATH and its path into RALPH_BIN, so that agents call the same binary.
  return runProgram(process.env.RALPH_BIN ?? 'ralph', args, emitCommand(topic, payload), cwd);
}

function runShell(command: string, cwd: string): Promise<Action> {
  return runProgram('sh', ['-c', command], command, cwd);
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
