import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Step } from '../domain/agent-script.js';
import type { Match } from './match.js';
import type { PromptView } from './prompt-view.js';
import { fillTemplate } from './template.js';

/** What the agent does, in words that each face translates into its CLI's output. */
export type Action =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: ToolUse; readonly result: string; readonly isError: boolean }
  | { readonly kind: 'hang' }
  | { readonly kind: 'credentials-refused' };

/** A tool in our own vocabulary; `write` replaces a file, `run` is a shell command. */
export type ToolUse =
  | { readonly name: 'write'; readonly path: string; readonly content: string }
  | { readonly name: 'run'; readonly command: string };

/** Plays a rule: really writes, runs and emits, and yields each action as it is done. */
export async function* play(match: Match, prompt: PromptView, cwd: string): AsyncGenerator<Action> {
  for (const step of match.rule.steps) yield* playStep(step, match.captures, prompt, cwd);
}

async function* playStep(
  step: Step,
  captures: readonly string[],
  prompt: PromptView,
  cwd: string,
): AsyncGenerator<Action> {
  const fill = (text: string) => fillTemplate(text, captures);
  switch (step.do) {
    case 'say':
      yield { kind: 'text', text: fill(step.text) };
      return;
    case 'write':
      yield writeFile(cwd, fill(step.path), fill(step.text), writeFileSync);
      return;
    case 'append':
      yield writeFile(cwd, fill(step.path), fill(step.text), appendFileSync);
      return;
    case 'note':
      yield writeFile(cwd, prompt.scratchpadPath, `${fill(step.text)}\n`, appendFileSync);
      return;
    case 'run':
      yield await runShell(fill(step.command), cwd);
      return;
    case 'emit': {
      const topic = fill(step.topic);
      const payload = step.payload === undefined ? undefined : fill(step.payload);
      if (step.by === 'tag') yield { kind: 'text', text: `<event topic="${topic}">${payload ?? ''}</event>` };
      else yield await emitEvent(topic, payload, cwd);
      return;
    }
    case 'complete':
      yield await complete(prompt, cwd);
      return;
    case 'hang':
      yield { kind: 'hang' };
      return;
    case 'refuse-credentials':
      yield { kind: 'credentials-refused' };
      return;
    default:
      step satisfies never;
  }
}

function writeFile(
  cwd: string,
  path: string,
  content: string,
  put: (path: string, content: string) => void,
): Action {
  const target = resolve(cwd, path);
  const tool: ToolUse = { name: 'write', path: target, content };
  if (relative(cwd, target).startsWith('..')) {
    return { kind: 'tool', tool, result: `refused: ${path} is outside the workspace`, isError: true };
  }
  mkdirSync(dirname(target), { recursive: true });
  put(target, content);
  return { kind: 'tool', tool, result: `File written: ${path}`, isError: false };
}

/** Declares completion as the prompt asks for it: the promise alone on the last line, or as an event. */
async function complete(prompt: PromptView, cwd: string): Promise<Action> {
  const { promise, by } = prompt.completion ?? { promise: 'LOOP_COMPLETE', by: 'event' as const };
  return by === 'text' ? { kind: 'text', text: promise } : emitEvent(promise, undefined, cwd);
}

function emitEvent(topic: string, payload: string | undefined, cwd: string): Promise<Action> {
  const args = ['emit', topic, ...(payload === undefined ? [] : [payload])];
  // ralph puts its own folder first on PATH and names itself in RALPH_BIN, so that agents call the same binary.
  return runProgram(process.env.RALPH_BIN ?? 'ralph', args, `ralph ${args.map(quote).join(' ')}`, cwd);
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

function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
