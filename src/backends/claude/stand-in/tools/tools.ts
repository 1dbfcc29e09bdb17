import type { AgentScript } from '../../../../domain/agent-script.js';
import { escapeRegex } from '../../../../domain/text/escape-regex.js';
import { splitShellLine } from '../../../../domain/text/shell-line.js';
import { TOOL_NAMES } from '../identity.js';
import { expandFile, type SessionPlace } from '../plugins/commands.js';
import { isInside, pathOf, type WorkingFolders } from '../plugins/paths.js';
import type { CommandFile } from '../plugins/plugins.js';
import { FileTools } from './files.js';
import { failed, onlyReal, refusedInput, shown, type ToolOutcome } from './outcome.js';
import type { PlayedServers } from './servers.js';
import { runBash } from './shell.js';

type Input = Readonly<Record<string, unknown>>;

/** Control characters but tab and line feed, which a person who is asked would not see. */
const HIDDEN = /(?![\t\n])\p{Cc}/u;

/** Whether a parameter has a value that the stand-in understands. */
type Fits = (value: unknown) => boolean;
const isText: Fits = (value) => typeof value === 'string';
const isFlag: Fits = (value) => typeof value === 'boolean';
const isCount =
  (least: number): Fits =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least;
const isLine: Fits = (value) => typeof value === 'string' && !HIDDEN.test(value);
/** A parameter of Claude Code that changes nothing with this value. */
const isOff: Fits = (value) => value === false;

/** The tools that the stand-in runs, with their parameters: those they need, and those they can have. */
const INPUTS: Readonly<
  Record<string, readonly [Readonly<Record<string, Fits>>, Readonly<Record<string, Fits>>]>
> = {
  Bash: [
    { command: isLine },
    {
      timeout: (value) => typeof value === 'number',
      description: isText,
      run_in_background: isOff,
      dangerouslyDisableSandbox: isOff,
    },
  ],
  Read: [
    { file_path: isText },
    { offset: isCount(0), limit: isCount(1), pages: (value) => value === '', allow_large: isOff },
  ],
  Write: [{ file_path: isText, content: isText }, {}],
  Edit: [{ file_path: isText, old_string: isText, new_string: isText }, { replace_all: isFlag }],
  Skill: [{ skill: isText }, { args: isText }],
};

/** Names the parameter of an input that the stand-in does not understand, or returns null. */
export function findUnknownInput(name: string, input: Input): string | null {
  const [needed, possible] = INPUTS[name] ?? [];
  if (needed === undefined) return null;
  const fits: Readonly<Record<string, Fits>> = { ...needed, ...possible };
  const missing = Object.keys(needed).find((key) => !(key in input));
  const wrong = missing ?? Object.keys(input).find((key) => fits[key]?.(input[key]) !== true);
  return wrong === undefined ? null : `this input of ${name} (${wrong})`;
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

/** What the tools of a call work with. */
interface ToolOptions {
  readonly folders: WorkingFolders;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly script: AgentScript['tools'];
  readonly available: readonly string[];
  readonly disallowed: readonly string[];
  readonly skills: readonly CommandFile[];
  readonly session: string;
  readonly servers: PlayedServers;
}

/** The Claude Code tools that the stand-in really runs. */
export class Tools {
  readonly #options: ToolOptions;
  readonly #home: string;
  readonly #files: FileTools;
  /** The shell keeps the folder that the last command changed to. */
  #shellFolder: string;

  constructor(options: ToolOptions) {
    this.#options = options;
    this.#home = options.env.HOME ?? '/';
    this.#files = new FileTools(options.folders.cwd, this.#home);
    this.#shellFolder = options.folders.cwd;
  }

  /** The folder in which the next shell command runs. File tools look there too. */
  get shellFolder(): string {
    return this.#shellFolder;
  }

  /** Whether the script allows a tool without a permission prompt. */
  isApproved(name: string): boolean {
    return this.#options.script?.policies[name]?.approve === true;
  }

  /** Returns the scripted result that replaces running a tool, or null. */
  canned(name: string): ToolOutcome | null {
    const policy = this.#options.script?.policies[name];
    if (policy?.error !== undefined) return failed(policy.error);
    if (policy?.result !== undefined) return shown(policy.result);
    if (this.#options.script?.mode === 'mock') return failed(`No mock result configured for tool '${name}'`);
    return null;
  }

  /** Returns the error about a tool that does not exist, or null. What the stand-in cannot run is refused by name. */
  checkCall(name: string, input: Input): ToolOutcome | null {
    if (isOfServer(name) && this.#options.available.includes(name)) return null;
    // Claude Code has its own search only without a shell.
    if (name === 'Glob' || name === 'Grep') return onlyReal(`the tool ${name}`);
    if (!this.#options.available.includes(name)) {
      const why = `. ${name} is disabled for this session, in subagents as well as here.`;
      return refusedInput(
        `Error: No such tool available: ${name}${this.#options.disallowed.includes(name) ? why : ''}`,
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
    if (name === 'Skill') return checkSkill(this.#options.skills, input);
    if (name !== 'Write' && name !== 'Edit') return null;
    if ((isReadAsked || this.#options.disallowed.includes('Read')) && this.#files.isUnread(input)) {
      return refusedInput('File has not been read yet. Read it first before writing to it.');
    }
    if (name === 'Write') return this.#files.checkWrite(input);
    return isInside(pathOf(input, this.#options.folders.cwd, this.#home) ?? '', this.#options.folders)
      ? this.#files.checkEdit(input)
      : this.#files.checkExists(input);
  }

  /** Runs a tool. Never touches files outside the working folders, whatever the permissions say. */
  async run(name: string, input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    if (name === 'Bash') return this.#bash(input, signal);
    if (isOfServer(name)) return this.#options.servers.call(name, input);
    const path = pathOf(input, this.#options.folders.cwd, this.#home);
    if (path !== null && !isInside(path, this.#options.folders)) {
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
        return loadSkill(this.#options.skills, input, {
          session: this.#options.session,
          cwd: this.#options.folders.cwd,
        });
    }
  }

  async #bash(input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    const command = String(input.command);
    const wanted = typeof input.timeout === 'number' && input.timeout > 0 ? input.timeout : 120_000;
    const timeoutMs = Math.min(wanted, 600_000);
    const env = { ...this.#options.env, CLAUDECODE: '1' };
    const result = await runBash(command, { cwd: this.#shellFolder, env, timeoutMs, signal });
    const { folder, exitCode } = result;
    // The real program looks where the shell is only after a success.
    if (
      exitCode === 0 &&
      folder !== null &&
      folder !== this.#shellFolder &&
      isInside(folder, this.#options.folders)
    )
      this.#shellFolder = folder;
    const printed = result.stdout.trimEnd();
    if (result.timedOut) return describeTimeout(command, timeoutMs, printed);
    if (!hasSucceeded(command, exitCode)) {
      return failed(`Exit code ${exitCode ?? 1}${printed === '' ? '' : `\n${printed}`}`);
    }
    // The real program leaves out empty lines above what a command prints if it succeeds.
    const stdout = printed.replace(/^(?:[^\S\n]*\n)+/, '');
    return {
      content: stdout === '' ? '(Bash completed with no output)' : stdout,
      details: { stdout, stderr: '', interrupted: false },
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

/** Commands whose exit code 1 is an answer for Claude Code 2.1.325: nothing found, files that differ, a false condition. */
const ANSWERS_WITH_1 = ['grep', 'egrep', 'fgrep', 'rg', 'find', 'diff', 'test'];

/** Whether a line has succeeded. One with exit code 1 that cannot be read has failed. */
export function hasSucceeded(command: string, exitCode: number | null): boolean {
  if (exitCode !== 1) return exitCode === 0;
  return ANSWERS_WITH_1.includes(splitShellLine(command)?.at(-1)?.words[0] ?? '');
}

/** Returns the error for a skill that no plugin has, or that only users may call, or null. */
function checkSkill(skills: readonly CommandFile[], { skill }: Input): ToolOutcome | null {
  const found = findSkill(skills, skill);
  if (found === undefined) return refusedInput(`Unknown skill: ${String(skill)}`);
  return found.isForUsersOnly
    ? refusedInput(
        `Skill ${found.name} cannot be used with Skill tool due to disable-model-invocation. Ask the user to run /${found.name} themselves — it cannot be invoked via the Skill tool. Do not replicate this skill's workflow by other means — it is reserved for explicit user invocation.`,
      )
    : null;
}

/** Loads a skill. Its text follows the result as a message in the user's place. */
function loadSkill(skills: readonly CommandFile[], { skill, args }: Input, place: SessionPlace): ToolOutcome {
  const found = findSkill(skills, skill);
  if (found === undefined) return failed(`Unknown skill: ${String(skill)}`);
  const { text, unknown } = expandFile(found, typeof args === 'string' ? args : '', place);
  if (text === null) return onlyReal(`the skill ${found.name}: ${unknown}`);
  return {
    content: `Launching skill: ${found.name}`,
    details: { success: true, commandName: found.name },
    isError: false,
    message: text,
  };
}

function findSkill(skills: readonly CommandFile[], wanted: unknown): CommandFile | undefined {
  const plain = String(wanted).replace(/^\//, '');
  return skills.find(({ name, aliases }) => name === plain || aliases.includes(plain));
}
