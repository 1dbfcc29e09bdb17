import { existsSync } from 'node:fs';
import type { AgentScript } from '../../../../domain/agent-script.js';
import { escapeRegex } from '../../../../domain/text/escape-regex.js';
import { splitShellLine } from '../../../../domain/text/shell-line.js';
import { notPlayed } from '../arguments.js';
import { TOOL_NAMES } from '../identity.js';
import { expandFile, type SessionPlace } from '../plugins/commands.js';
import { isInside, pathOf, type WorkingFolders } from '../plugins/paths.js';
import type { CommandFile } from '../plugins/plugins.js';
import { checkChange, editFile, readFile, type UsedFile, writeFile } from './files.js';
import { failed, refusedInput, shown, type ToolOutcome } from './outcome.js';
import type { PlayedServers } from './servers.js';
import { runBash } from './shell.js';

type Input = Readonly<Record<string, unknown>>;

/** For a parameter of Claude Code that the stand-in does not play: it changes nothing if it is false or empty. */
const OFF = false;

/**
 * The parameters of each tool that the stand-in runs: those that it needs, and those that it can have. Each with its
 * type, with the least whole number that it can be, or with `OFF`.
 */
const INPUTS: Readonly<Record<string, readonly Readonly<Record<string, string | number | typeof OFF>>[]>> = {
  Bash: [
    { command: 'string' },
    { timeout: 'number', description: 'string', run_in_background: OFF, dangerouslyDisableSandbox: OFF },
  ],
  Read: [{ file_path: 'string' }, { offset: 0, limit: 1, pages: OFF, allow_large: OFF }],
  Write: [{ file_path: 'string', content: 'string' }],
  Edit: [{ file_path: 'string', old_string: 'string', new_string: 'string' }, { replace_all: 'boolean' }],
  Skill: [{ skill: 'string' }, { args: 'string' }],
};

/**
 * Refuses an input with a parameter that the stand-in does not understand. What tools of MCP servers take is not ours to
 * judge.
 */
export function requireKnownInput(name: string, input: Input): void {
  if (!Object.hasOwn(INPUTS, name)) return;
  const [needed = {}, possible = {}] = INPUTS[name] ?? [];
  const types = { ...needed, ...possible };
  const fits = (key: string) => {
    const [type, value] = [types[key], input[key]];
    if (type === OFF) return value === false || value === '';
    if (typeof type === 'number') return Number.isInteger(value) && Number(value) >= type;
    return typeof value === type;
  };
  const wrong = [...Object.keys(needed), ...Object.keys(input)].find((key) => !fits(key));
  if (wrong !== undefined) throw notPlayed(`this input of ${name} (${wrong})`);
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
  readonly #seen = new Set<string>();
  /** The shell keeps the folder that the last command changed to. */
  #shellFolder: string;

  constructor(options: ToolOptions) {
    this.#options = options;
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
    if (name === 'Glob' || name === 'Grep') throw notPlayed(`the tool ${name}`);
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
    requireKnownInput(name, input);
    return null;
  }

  /**
   * Returns the error that the program reports before it checks permissions, or null. Files that may not be read without
   * a question cannot be changed unread; only Claude Code says when one counts as read. The content of another file outside
   * the workspace is not looked at: hooks and permissions decide about it, and `run` refuses what they allow.
   */
  check(name: string, input: Input, isReadAsked = false): ToolOutcome | null {
    if (name === 'Skill') return checkSkill(this.#options.skills, input);
    if (name === 'Bash' || isOfServer(name)) return null;
    if (name === 'Read') return null;
    const file = this.#locate(input);
    const isThere = existsSync(file.path);
    const isUnreadable = isReadAsked || this.#options.disallowed.includes('Read');
    if (isThere && isUnreadable && !this.#seen.has(file.path))
      throw notPlayed(`a change of ${file.path}, which may not be read without a question`);
    return isThere && !this.#isOurs(file) ? null : checkChange(name, file, input);
  }

  /** Runs a tool. */
  async run(name: string, input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    if (name === 'Bash') return this.#bash(input, signal);
    if (isOfServer(name)) return this.#options.servers.call(name, input);
    const { skills, session, folders } = this.#options;
    if (name === 'Skill') return loadSkill(skills, input, { session, cwd: folders.cwd });
    const file = this.#locate(input);
    if (!this.#isOurs(file)) throw notPlayed(`files outside the workspace (${file.path})`);
    return name === 'Read'
      ? readFile(file, input)
      : name === 'Write'
        ? writeFile(file, input)
        : editFile(file, input);
  }

  #locate(input: Input): UsedFile {
    const { folders, env } = this.#options;
    return { path: pathOf(input, folders.cwd, env.HOME) ?? '', cwd: folders.cwd, seen: this.#seen };
  }

  /** Whether a file is in the workspace. Files outside are never touched, whatever the permissions say. */
  #isOurs({ path }: UsedFile): boolean {
    return isInside(path, this.#options.folders);
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
    // The real program lets it go on in the background.
    if (result.timedOut)
      throw notPlayed(`a command that takes longer than its time limit of ${timeoutMs} ms`);
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
  return {
    content: `Launching skill: ${found.name}`,
    details: { success: true, commandName: found.name },
    isError: false,
    message: expandFile(found, typeof args === 'string' ? args : '', place),
  };
}

function findSkill(skills: readonly CommandFile[], wanted: unknown): CommandFile | undefined {
  const plain = String(wanted).replace(/^\//, '');
  return skills.find(({ name, aliases }) => name === plain || aliases.includes(plain));
}
