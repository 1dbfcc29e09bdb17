import type { AgentScript } from '../../../../domain/agent-script.js';
import { pathOf } from '../permissions/permissions.js';
import { expectsNoOutput } from '../permissions/silent.js';
import type { CommandFile } from '../plugins/command-files.js';
import { isInside, type WorkingFolders } from '../plugins/paths.js';
import { meaningOfExit } from './exit-meaning.js';
import { FileTools } from './files.js';
import { failed, onlyReal, refusedInput, shown, type ToolOutcome } from './outcome.js';
import { glob, grep } from './search.js';
import type { PlayedServers } from './servers.js';
import { runBash } from './shell.js';
import { checkSkill, loadSkill } from './skills.js';

type Input = Readonly<Record<string, unknown>>;

/** The Claude Code tools that the stand-in really runs. */
export class Tools {
  readonly #folders: WorkingFolders;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #files: FileTools;
  readonly #script: AgentScript['tools'];
  readonly #available: readonly string[];
  readonly #disallowed: readonly string[];
  readonly #skills: readonly CommandFile[];
  readonly #session: string;
  readonly #servers: PlayedServers;
  /** The shell keeps the folder that the last command changed to. */
  #shellFolder: string;
  #shellHasRun = false;

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
    this.#files = new FileTools(options.folders.cwd);
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

  get shellHasRun(): boolean {
    return this.#shellHasRun;
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

  /** Whether the stand-in can run a tool. */
  isOffered(name: string): boolean {
    if (this.#isOfServer(name)) return true;
    return name in PARAMETERS && (this.#available.includes(name) || SEARCH_TOOLS.includes(name));
  }

  /**
   * Returns the error that the program reports before it checks permissions, or null. Files that may not be read without
   * a question cannot be changed unread.
   */
  check(name: string, input: Input, isReadAsked = false): ToolOutcome | null {
    if (this.#isOfServer(name) && !this.#disallowed.includes(name)) return null;
    const required = PARAMETERS[name];
    if (required === undefined || !this.isOffered(name)) {
      const off = this.#disallowed.includes(name);
      const why = off ? `. ${name} is disabled for this session, in subagents as well as here.` : '';
      if (!off && this.#available.includes(name)) {
        return refusedInput(
          `Error: ralph-e2e: the stand-in does not run ${name}; give the step a result, or use the scripted lane`,
        );
      }
      return refusedInput(`Error: No such tool available: ${name}${why}`);
    }
    const missing = required.find((parameter) => typeof input[parameter] !== 'string');
    if (missing !== undefined) return invalidInput(name, missing);
    if (name === 'Skill') return checkSkill(this.#skills, input);
    const isUnread = (isReadAsked || this.#disallowed.includes('Read')) && this.#files.isUnread(input);
    if ((name === 'Write' || name === 'Edit') && isUnread) {
      return refusedInput('File has not been read yet. Read it first before writing to it.');
    }
    if (name === 'Write') return this.#files.checkWrite(input);
    if (name !== 'Edit') return null;
    return isInside(String(input.file_path), this.#folders)
      ? this.#files.checkEdit(input)
      : this.#files.checkExists(input);
  }

  /** Runs a tool. Never touches files outside the working folders, whatever the permissions say. */
  async run(name: string, input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    if (this.#isOfServer(name)) return this.#servers.call(name, input);
    const path = pathOf(input, this.#folders.cwd);
    if (path !== null && !isInside(path, this.#folders)) {
      return failed(`ralph-e2e: ${path} is outside the workspace; the stand-in does not touch files there`);
    }
    switch (name) {
      case 'Bash':
        return this.#bash(input, signal);
      case 'Read':
        return this.#files.read(input);
      case 'Write':
        return this.#files.write(input);
      case 'Edit':
        return this.#files.edit(input);
      case 'Skill':
        return loadSkill(this.#skills, input, { session: this.#session, cwd: this.#folders.cwd });
      case 'Glob':
        return glob(input, this.#folders.cwd);
      default:
        return grep(input, this.#folders.cwd);
    }
  }

  #isOfServer(name: string): boolean {
    return this.#servers.toolNames.includes(name);
  }

  async #bash(input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    const command = String(input.command);
    this.#shellHasRun = true;
    const timeoutMs = typeof input.timeout === 'number' ? input.timeout : 120_000;
    const env = { ...this.#env, CLAUDECODE: '1' };
    const result = await runBash(command, { cwd: this.#shellFolder, env, timeoutMs, signal });
    // The real program looks where the shell is only after a success.
    if (result.exitCode === 0 && result.folder !== null && isInside(result.folder, this.#folders))
      this.#shellFolder = result.folder;
    const stdout = result.stdout.trimEnd();
    if (result.timedOut) return describeTimeout(command, timeoutMs, stdout);
    const meaning = meaningOfExit(command, result.exitCode);
    if (result.exitCode !== 0 && meaning === null) {
      return failed(`Exit code ${result.exitCode ?? 1}${stdout === '' ? '' : `\n${stdout}`}`);
    }
    const noOutputExpected = expectsNoOutput(command);
    return {
      content: stdout === '' ? '(Bash completed with no output)' : stdout,
      details: {
        stdout,
        stderr: '',
        interrupted: false,
        isImage: false,
        ...(meaning === null ? {} : { returnCodeInterpretation: meaning }),
        noOutputExpected,
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

/** The tools that the stand-in runs, with their required parameters. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command'],
  Read: ['file_path'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
  Skill: ['skill'],
  Glob: ['pattern'],
  Grep: ['pattern'],
};

/** Newer releases offer them only without Bash; scripts that call them were written for older ones. */
const SEARCH_TOOLS = ['Glob', 'Grep'];

function invalidInput(name: string, parameter: string): ToolOutcome {
  const issue = {
    expected: 'string',
    code: 'invalid_type',
    path: [parameter],
    message: 'Invalid input: expected string, received undefined',
  };
  const head = `InputValidationError: ${name} failed due to the following issue:`;
  return {
    content: `<tool_use_error>${head}\nThe required parameter \`${parameter}\` is missing</tool_use_error>`,
    details: `InputValidationError: ${JSON.stringify([issue], null, 2)}`,
    isError: true,
    refusedInput: true,
  };
}
