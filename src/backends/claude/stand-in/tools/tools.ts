import * as z from 'zod';
import type { AgentScript } from '../../../../domain/agent-script.js';
import { escapeRegex } from '../../../../domain/text/escape-regex.js';
import { splitShellLine } from '../../../../domain/text/shell-line.js';
import { TOOL_NAMES } from '../identity.js';
import { isInside, pathOf, type WorkingFolders } from '../plugins/paths.js';
import type { CommandFile } from '../plugins/plugins.js';
import { FileTools } from './files.js';
import { failed, onlyReal, refusedInput, shown, type ToolOutcome } from './outcome.js';
import type { PlayedServers } from './servers.js';
import { runBash } from './shell.js';
import { checkSkill, loadSkill } from './skills.js';

type Input = Readonly<Record<string, unknown>>;

/** Control characters but tab and line feed, which a person who is asked would not see. */
const HIDDEN = /(?![\t\n])\p{Cc}/u;
const text = z.string().optional();
/** A parameter of Claude Code that changes nothing with this value. */
const off = z.literal(false).optional();

/** The tools that the stand-in runs, and the inputs that it understands. */
const INPUTS: Readonly<Record<string, z.ZodType>> = {
  Bash: z.strictObject({
    command: z.string().refine((command) => !HIDDEN.test(command), 'control characters'),
    timeout: z.number().optional(),
    description: text,
    run_in_background: off,
    dangerouslyDisableSandbox: off,
  }),
  Read: z.strictObject({
    file_path: z.string(),
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).optional(),
    pages: z.literal('').optional(),
    allow_large: off,
  }),
  Write: z.strictObject({ file_path: z.string(), content: z.string() }),
  Edit: z.strictObject({
    ...{ file_path: z.string(), old_string: z.string(), new_string: z.string() },
    replace_all: z.boolean().optional(),
  }),
  Skill: z.strictObject({ skill: z.string(), args: text }),
};

/** Says what of an input the stand-in does not understand, or null. */
export function findUnknownInput(name: string, input: Input): string | null {
  const error = INPUTS[name]?.safeParse(input).error;
  const [issue] = error?.issues ?? [];
  return issue === undefined ? null : `this input of ${name} (${[...issue.path, issue.message].join(': ')})`;
}

/** Lists the tools that rules without a limit switch off: by name, by a pattern with stars, or with their whole server. */
export function switchedOff(rules: readonly string[], serverTools: readonly string[]): string[] {
  const patterns = rules.map((rule) => {
    const source = rule.split('*').map(escapeRegex).join('.*');
    const isServer = /^mcp__/.test(rule) && !rule.slice(5).includes('__');
    return new RegExp(`^${source}${isServer ? '(?:__.*)?' : ''}$`);
  });
  return [...TOOL_NAMES, ...serverTools].filter((name) => patterns.some((pattern) => pattern.test(name)));
}

/** Whether a tool is one of an MCP server. */
function isOfServer(name: string): boolean {
  return name.startsWith('mcp__');
}

/** The Claude Code tools that the stand-in really runs. */
export class Tools {
  readonly #folders: WorkingFolders;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #home: string;
  readonly #files: FileTools;
  readonly #script: AgentScript['tools'];
  readonly #available: readonly string[];
  readonly #disallowed: readonly string[];
  readonly #skills: readonly CommandFile[];
  readonly #session: string;
  readonly #servers: PlayedServers;
  /** The shell keeps the folder that the last command changed to. */
  #shellFolder: string;

  constructor(options: {
    readonly folders: WorkingFolders;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly script: AgentScript['tools'];
    readonly available: readonly string[];
    readonly disallowed: readonly string[];
    readonly skills: readonly CommandFile[];
    readonly session: string;
    readonly servers: PlayedServers;
  }) {
    this.#folders = options.folders;
    this.#env = options.env;
    this.#home = options.env.HOME ?? '/';
    this.#files = new FileTools(options.folders.cwd, this.#home);
    this.#script = options.script;
    this.#available = options.available;
    this.#disallowed = options.disallowed;
    this.#skills = options.skills;
    this.#session = options.session;
    this.#servers = options.servers;
    this.#shellFolder = options.folders.cwd;
  }

  /** The folder in which the next shell command runs. File tools look there too. */
  get shellFolder(): string {
    return this.#shellFolder;
  }

  /** Whether the script allows a tool without a permission prompt. */
  isApproved(name: string): boolean {
    return this.#script?.policies[name]?.approve === true;
  }

  /** Returns the scripted result that replaces running a tool, or null. */
  canned(name: string): ToolOutcome | null {
    const policy = this.#script?.policies[name];
    if (policy?.error !== undefined) return failed(policy.error);
    if (policy?.result !== undefined) return shown(policy.result);
    if (this.#script?.mode === 'mock') return failed(`No mock result configured for tool '${name}'`);
    return null;
  }

  /** Returns the error about a tool that does not exist, or null. What the stand-in cannot run is refused by name. */
  checkCall(name: string, input: Input): ToolOutcome | null {
    if (isOfServer(name) && this.#available.includes(name)) return null;
    // Claude Code has its own search only without a shell.
    if (name === 'Glob' || name === 'Grep') return onlyReal(`the tool ${name}`);
    if (!this.#available.includes(name)) {
      const why = `. ${name} is disabled for this session, in subagents as well as here.`;
      return refusedInput(
        `Error: No such tool available: ${name}${this.#disallowed.includes(name) ? why : ''}`,
      );
    }
    if (!Object.hasOwn(INPUTS, name)) {
      return refusedInput(
        `Error: ralph-e2e: the stand-in does not run ${name}; give the step a result, or use the scripted lane`,
      );
    }
    const unknown = findUnknownInput(name, input);
    return unknown === null ? null : onlyReal(unknown);
  }

  /**
   * Returns the error that the program reports before it checks permissions, or null. Files that may not be read without
   * a question cannot be changed unread.
   */
  check(name: string, input: Input, isReadAsked = false): ToolOutcome | null {
    if (name === 'Skill') return checkSkill(this.#skills, input);
    if (name !== 'Write' && name !== 'Edit') return null;
    if ((isReadAsked || this.#disallowed.includes('Read')) && this.#files.isUnread(input)) {
      return refusedInput('File has not been read yet. Read it first before writing to it.');
    }
    if (name === 'Write') return this.#files.checkWrite(input);
    return isInside(pathOf(input, this.#folders.cwd, this.#home) ?? '', this.#folders)
      ? this.#files.checkEdit(input)
      : this.#files.checkExists(input);
  }

  /** Runs a tool. Never touches files outside the working folders, whatever the permissions say. */
  async run(name: string, input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    if (name === 'Bash') return this.#bash(input, signal);
    if (isOfServer(name)) return this.#servers.call(name, input);
    const path = pathOf(input, this.#folders.cwd, this.#home);
    if (path !== null && !isInside(path, this.#folders)) {
      return failed(`ralph-e2e: ${path} is outside the workspace; the stand-in does not touch files there`);
    }
    switch (name) {
      case 'Read':
        return this.#files.read(input);
      case 'Write':
        return this.#files.write(input);
      case 'Edit':
        return this.#files.edit(input);
      default:
        return loadSkill(this.#skills, input, { session: this.#session, cwd: this.#folders.cwd });
    }
  }

  async #bash(input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    const command = String(input.command);
    const wanted = typeof input.timeout === 'number' && input.timeout > 0 ? input.timeout : 120_000;
    const timeoutMs = Math.min(wanted, 600_000);
    const env = { ...this.#env, CLAUDECODE: '1' };
    const result = await runBash(command, { cwd: this.#shellFolder, env, timeoutMs, signal });
    const { folder, exitCode } = result;
    // The real program looks where the shell is only after a success.
    if (exitCode === 0 && folder !== null && folder !== this.#shellFolder && isInside(folder, this.#folders))
      this.#shellFolder = folder;
    const printed = result.stdout.trimEnd();
    if (result.timedOut) return describeTimeout(command, timeoutMs, printed);
    // A line that cannot be read has failed, such as one with a test at its end in a worker of a wave.
    const meaning = meaningOfExit(command, exitCode) ?? null;
    if (exitCode !== 0 && meaning === null) {
      return failed(`Exit code ${exitCode ?? 1}${printed === '' ? '' : `\n${printed}`}`);
    }
    // The real program leaves out empty lines above what a command prints if it succeeds.
    const stdout = printed.replace(/^(?:[^\S\n]*\n)+/, '');
    return {
      content: stdout === '' ? '(Bash completed with no output)' : stdout,
      details: {
        stdout,
        stderr: '',
        interrupted: false,
        isImage: false,
        ...(meaning === null ? {} : { returnCodeInterpretation: meaning }),
      },
      isError: false,
      saysSuccess: true,
    };
  }
}

/** Past its time limit, the real program lets any command go on in the background that does not begin with `sleep`. */
function describeTimeout(command: string, timeoutMs: number, stdout: string): ToolOutcome {
  if (!/^\s*sleep\b/.test(command) || timeoutMs >= 60_000)
    return onlyReal(`a command that takes longer than its time limit of ${timeoutMs} ms`);
  const told = `Exit code 143\nCommand timed out after ${Math.floor(timeoutMs / 1000)}s`;
  return failed(stdout === '' ? told : `${told}\n${stdout}`);
}

/**
 * Says what Claude Code reads into the exit code 1 of a line, by its last command; null if that is a failure. Undefined
 * if the line has such a command and cannot be read. Any other exit code means what it says.
 */
export function meaningOfExit(command: string, exitCode: number | null): string | null | undefined {
  if (exitCode !== 1) return null;
  const parts = splitShellLine(command);
  if (parts !== null) return MEANINGS[parts.at(-1)?.words[0] ?? ''] ?? null;
  return /(?:^|[\s;&|(])(?:[ef]?grep|rg|find|diff|test|\[)\s/.test(command) ? undefined : null;
}

const NO_MATCH = 'No matches found';
const MEANINGS: Readonly<Record<string, string>> = {
  ...{ grep: NO_MATCH, egrep: NO_MATCH, fgrep: NO_MATCH, rg: NO_MATCH },
  find: 'Some directories were inaccessible',
  diff: 'Files differ',
  test: 'Condition is false',
};
