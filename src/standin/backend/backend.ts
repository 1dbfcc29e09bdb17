import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HatBackend, HatConfig, RalphConfig } from '../config/config.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { extractClaudeText } from './claude-stream.js';
import { extractCopilotText, extractPiText, readCopilotLine } from './json-streams.js';

/** How to start an agent CLI and how to read its output. */
export interface Backend {
  readonly command: string;
  readonly args: readonly string[];
  readonly prompt: PromptWay;
  /** Extracts the text that the loop parses from the output. */
  readonly extractText: (output: string, log: Log) => string;
  /** What the screen shows of a line; by default the whole line. */
  readonly showLine?: (line: string, log: Log) => string | undefined;
  /** Determines the inactivity timeout. */
  readonly name: string;
}

type PromptWay =
  | { readonly by: 'stdin' }
  | { readonly by: 'argument'; readonly flag?: string }
  /** `roo` always takes a file, with its own flag. */
  | { readonly by: 'file'; readonly flag: string };

/** A command line that is ready to start. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
  /** Removes the temporary prompt file, if there is one. */
  readonly dispose: () => void;
}

const asIs = (output: string): string => output;
const positional: PromptWay = { by: 'argument' };

type Named = Omit<Backend, 'name'>;

const NAMED: Readonly<Record<string, Named>> = {
  claude: {
    command: 'claude',
    args: [
      '--dangerously-skip-permissions',
      '--verbose',
      '--output-format',
      'stream-json',
      '--setting-sources',
      'project,local',
      '--print',
      '--disallowedTools=TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet',
    ],
    prompt: { by: 'stdin' },
    extractText: extractClaudeText,
  },
  kiro: {
    command: 'kiro-cli',
    args: ['chat', '--no-interactive', '--trust-all-tools'],
    prompt: positional,
    extractText: asIs,
  },
  opencode: { command: 'opencode', args: ['run'], prompt: positional, extractText: asIs },
  gemini: { command: 'gemini', args: ['--yolo'], prompt: { by: 'argument', flag: '-p' }, extractText: asIs },
  codex: { command: 'codex', args: ['exec', '--yolo'], prompt: positional, extractText: asIs },
  forge: { command: 'forge', args: [], prompt: { by: 'argument', flag: '-p' }, extractText: asIs },
  amp: {
    command: 'amp',
    args: ['--dangerously-allow-all'],
    prompt: { by: 'argument', flag: '-x' },
    extractText: asIs,
  },
  copilot: {
    command: 'copilot',
    args: ['--allow-all-tools', '--output-format', 'json'],
    prompt: { by: 'argument', flag: '-p' },
    extractText: extractCopilotText,
    showLine: readCopilotLine,
  },
  pi: {
    command: 'pi',
    args: ['-p', '--mode', 'json', '--no-session'],
    prompt: positional,
    extractText: extractPiText,
  },
  roo: {
    command: 'roo',
    args: ['--print', '--ephemeral'],
    prompt: { by: 'file', flag: '--prompt-file' },
    extractText: asIs,
  },
};

const LARGE_PROMPT_BYTES = 7000;

/** Resolves the configured backend; an unknown name silently means claude. */
export function resolveBackend(config: RalphConfig, extraArgs: readonly string[]): Backend {
  const { backend: name, command, args, promptMode, promptFlag } = config.cli;
  if (name === 'custom') {
    const flag = promptFlag === undefined ? {} : { flag: promptFlag };
    return {
      name,
      command: command ?? '',
      args: [...args, ...extraArgs],
      prompt: promptMode === 'stdin' ? { by: 'stdin' } : { by: 'argument', ...flag },
      extractText: asIs,
    };
  }
  const named = NAMED[name] ?? NAMED.claude;
  if (named === undefined) throw new Error('the table of backends has lost claude');
  return {
    ...named,
    name,
    command: command ?? named.command,
    args: [...configure(named, args), ...extraArgs],
  };
}

/** Resolves the active hat's own backend; `undefined` if it has none. */
export function resolveHatBackend(hat: HatConfig): Backend | 'unknown' | undefined {
  if (hat.backend === undefined) return undefined;
  const base = fromHatBackend(hat.backend);
  return base === undefined ? 'unknown' : { ...base, args: [...base.args, ...hat.backendArgs] };
}

/** Adds the prompt to the command line; a long one goes into a file that the agent is asked to read. */
export function prepareInvocation(backend: Backend, prompt: string): Invocation {
  const { command, prompt: way } = backend;
  const args = backend.args.length > 0 && faulty('drop-backend-flags') ? [] : backend.args;
  switch (way.by) {
    case 'stdin':
      return { command, args, stdin: prompt, dispose: () => {} };
    case 'file': {
      const file = writePromptFile(prompt);
      return { command, args: [...args, way.flag, file.path], stdin: undefined, dispose: file.dispose };
    }
    case 'argument': {
      const before = way.flag === undefined ? args : [...args, way.flag];
      if (Buffer.byteLength(prompt) <= LARGE_PROMPT_BYTES) {
        return { command, args: [...before, prompt], stdin: undefined, dispose: () => {} };
      }
      const file = writePromptFile(prompt);
      const pointer = `Please read and execute the task in ${file.path}`;
      return { command, args: [...before, pointer], stdin: undefined, dispose: file.dispose };
    }
  }
}

function fromHatBackend(choice: HatBackend): Backend | undefined {
  if (choice.kind === 'command') {
    const program = choice.command.split(/\s+/)[0]?.split('/').at(-1);
    return {
      name: program ?? 'custom',
      command: choice.command,
      args: choice.args,
      prompt: positional,
      extractText: asIs,
    };
  }
  const named = NAMED[choice.name];
  if (named === undefined) return undefined;
  const agent = choice.agent === undefined ? [] : ['--agent', choice.agent];
  return { ...named, name: choice.name, args: configure(named, [...agent, ...choice.args]) };
}

/** Adds configured arguments. For codex, every way to switch its questions off becomes one `--yolo`. */
function configure({ command, args }: Pick<Backend, 'command' | 'args'>, more: readonly string[]) {
  const all = [...args, ...more];
  if (command !== 'codex') return all;
  const other = ['--full-auto', '--dangerously-bypass-approvals-and-sandbox'];
  return all.filter((word, at) => !other.includes(word) && (word !== '--yolo' || all.indexOf(word) === at));
}

function writePromptFile(prompt: string): { path: string; dispose: () => void } {
  const path = join(tmpdir(), `.tmp${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, prompt, { mode: 0o600, flag: 'wx' });
  return { path, dispose: () => rmSync(path, { force: true }) };
}
