import type { AgentScript } from '../../../../domain/agent-script.js';
import type { CommandFile } from '../plugins/command-files.js';
import { isInside, pathOf, type WorkingFolders } from '../plugins/paths.js';
import { meaningOfExit } from './exit-meaning.js';
import { FileTools } from './files.js';
import { isKnownTool, refuseToolInput } from './inputs.js';
import { explainAbsence } from './offer.js';
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
  readonly #home: string;
  readonly #files: FileTools;
  readonly #script: AgentScript['tools'];
  readonly #available: readonly string[];
  readonly #disallowed: readonly string[];
  readonly #skills: readonly CommandFile[];
  readonly #session: string;
  readonly #servers: PlayedServers;
  readonly #isHidden: (path: string) => boolean;
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
    /** Whether searches must not show a file. */
    readonly isHidden: (path: string) => boolean;
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
    this.#isHidden = options.isHidden;
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

  /** Whether the stand-in can run a tool. */
  isOffered(name: string): boolean {
    return this.#available.includes(name) && (this.#isOfServer(name) || isKnownTool(name));
  }

  /** Returns the error about a tool that does not exist, or about an input that it does not take; or null. */
  checkCall(name: string, input: Input): ToolOutcome | null {
    if (this.isOffered(name)) return this.#isOfServer(name) ? null : refuseToolInput(name, input);
    if (this.#available.includes(name)) {
      return refusedInput(
        `Error: ralph-e2e: the stand-in does not run ${name}; give the step a result, or use the scripted lane`,
      );
    }
    return refusedInput(`Error: No such tool available: ${name}${explainAbsence(name, this.#disallowed)}`);
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
    if (this.#isOfServer(name)) return this.#servers.call(name, input);
    const path = pathOf(input, this.#folders.cwd, this.#home);
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
        return glob(input, this.#folders.cwd, this.#isHidden);
      default:
        return grep(input, this.#folders.cwd, this.#isHidden);
    }
  }

  #isOfServer(name: string): boolean {
    return this.#servers.toolNames.includes(name);
  }

  async #bash(input: Input, signal: AbortSignal): Promise<ToolOutcome> {
    const command = String(input.command);
    const wanted = typeof input.timeout === 'number' && input.timeout > 0 ? input.timeout : 120_000;
    const timeoutMs = Math.min(wanted, 600_000);
    const env = { ...this.#env, CLAUDECODE: '1' };
    const result = await runBash(command, { cwd: this.#shellFolder, env, timeoutMs, signal });
    // The real program looks where the shell is only after a success.
    if (result.exitCode === 0 && result.folder !== null && isInside(result.folder, this.#folders))
      this.#shellFolder = result.folder;
    const stdout = result.stdout.trimEnd();
    if (result.timedOut) return describeTimeout(command, timeoutMs, stdout);
    const meaning = meaningOfExit(command, result.exitCode);
    if (meaning === undefined) return onlyReal(`reading exit code 1 of ${JSON.stringify(command)}`);
    if (result.exitCode !== 0 && meaning === null) {
      return failed(`Exit code ${result.exitCode ?? 1}${stdout === '' ? '' : `\n${stdout}`}`);
    }
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
