import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

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
  const run = !args.some((arg) => COMMANDS.test(arg));
  const plain = run && !options.analysis ? ['--skip-analysis'] : [];
  const child = spawn(process.execPath, [CLI, ...args, ...plain], {
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

/** Runs it to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).done;
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
