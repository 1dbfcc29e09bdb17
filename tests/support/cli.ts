import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runNamed } from '../../src/cli/program.js';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for one test, gone when it ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** Let ralph analyse the results. Off by default: it costs every run a second. */
  readonly analysis?: boolean;
}

const COMMANDS =
  /^(?:doctor|clean|init|new|prove|resume|replay|regrade|compare|show|merge-reports|sim|serve|mcp|mcp-stub|help|--version|--help|-V|-h)$/;

/** Starts the built command line as a user does. */
export function startCli(args: readonly string[], options: CliOptions) {
  const child = spawn(process.execPath, [CLI, ...completeArguments(args, options)], {
    cwd: options.cwd,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const done = new Promise<CliResult>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, done, output: () => stdout + stderr };
}

function completeArguments(args: readonly string[], { analysis = false }: CliOptions): readonly string[] {
  const run = !args.some((arg) => COMMANDS.test(arg));
  return run && !analysis ? [...args, '--skip-analysis'] : args;
}

/** Runs it to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).done;
}

/**
 * Runs the command line from the sources in this process: for what the start of the program, signals and modules of
 * users have no part in. A start takes a third of a second. Not in concurrent tests: the process has one folder.
 */
export async function callCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { env, argv } = process;
  const here = process.cwd();
  const written = { stdout: '', stderr: '' };
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name];
    process[name].write = (chunk: string | Uint8Array) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      return true;
    };
    return () => {
      process[name].write = write;
    };
  });
  process.chdir(options.cwd);
  process.env = { ...cleanEnvironment(), ...options.env };
  process.argv = [process.execPath, CLI];
  try {
    const code = await runNamed(completeArguments(args, options));
    return { code, ...written };
  } finally {
    for (const one of restore) one();
    process.env = env;
    process.argv = argv;
    process.chdir(here);
  }
}

/** A PATH with Node, git and a shell, and none of the agent CLIs or ralphs that this machine may have. */
export function bareSystemPath(): string {
  return process.env.RALPH_E2E_TEST_TOOLS ?? '/usr/bin:/bin';
}

function cleanEnvironment(): Record<string, string> {
  const { HOME = '/', TMPDIR, XDG_STATE_HOME = '' } = process.env;
  return {
    ...{ HOME, PATH: bareSystemPath(), XDG_STATE_HOME },
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
  };
}
