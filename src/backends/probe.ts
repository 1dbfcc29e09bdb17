import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import type { Authentication, Readiness } from '../domain/evidence/readiness.js';
import { credentialValues } from '../exec/environment.js';
import { findExecutable } from '../exec/find-executable.js';
import { type CommandResult, runCommand } from '../exec/process/run-command.js';
import { redactText } from '../exec/redact.js';
import type { Backend, Environment } from './backend.js';

/** Gemini needs three seconds to print its version on an idle machine, and more than ten on a busy one. */
const DEFAULT_TIMEOUT_MS = 30_000;

export interface ProbeOptions {
  /** The complete environment of the CLI. */
  readonly env: Environment;
  /** The time limit for each of the two probes (version, login). */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** How to run a probe. */
interface Question {
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks a CLI on PATH for its version and whether it is logged in, without spending a token. Checks its own login first,
 * then credential variables. Only their presence counts: just a model call could show that they are valid.
 */
export async function probeBackend(backend: Backend, options: ProbeOptions): Promise<Readiness> {
  const found = await probeProgram(backend, options);
  if (!found.available || found.path === null) return found;
  const { answered, ...authentication } = await askAuthentication(backend, found.path, toQuestion(options));
  if (authentication.authenticated) return { ...found, authentication };
  return {
    ...found,
    authentication,
    ready: false,
    reason: `not authenticated: ${authentication.source}: ${authentication.detail}`,
    fix: await adviseLogin(backend, found.path, { ...toQuestion(options), answered }),
  };
}

function toQuestion({ env, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: ProbeOptions): Question {
  return { env, timeoutMs, signal };
}

/** Checks only whether the CLI is installed and works. */
export async function probeProgram(backend: Backend, options: ProbeOptions): Promise<Readiness> {
  const path = findExecutable(backend.command, options.env.PATH);
  if (path === null)
    return unavailable(backend, null, `${backend.command} is not on PATH`, backend.installHint);

  const version = await askVersion(backend, path, toQuestion(options));
  if ('reason' in version) {
    return unavailable(
      backend,
      path,
      version.reason,
      `run \`${show(backend, backend.versionArgs)}\` yourself and fix what it reports`,
    );
  }

  return {
    backend: backend.id,
    available: true,
    path,
    version: version.version,
    authentication: null,
    ready: true,
    reason: null,
    fix: null,
  };
}

async function askVersion(
  backend: Backend,
  path: string,
  question: Question,
): Promise<{ version: string } | { reason: string }> {
  const result = await ask(path, backend.versionArgs, {
    ...question,
    env: { ...question.env, ...backend.probe.env },
  });
  const asked = show(backend, backend.versionArgs);
  const failure = explainFailure(result, asked, question.timeoutMs);
  if (failure !== null) return { reason: failure };
  if (result.exitCode !== 0) return { reason: `${asked} exited with ${result.exitCode}${quote(result)}` };
  // pi prints its version on stderr.
  const line = stripVTControlCharacters(`${result.stdout}\n${result.stderr}`)
    .split('\n')
    .find((text) => /(?<!\d)\d+\.\d+/.test(text));
  if (line === undefined) return { reason: `${asked} printed no version number${quote(result)}` };
  // Some print their name first: `kiro-cli 2.0.0`, `codex-cli 0.166.0`.
  const name = new RegExp(`^${backend.command}(?:-cli)? `);
  return { version: line.trim().slice(0, 120).replace(name, '') };
}

async function askAuthentication(
  backend: Backend,
  path: string,
  question: Question,
): Promise<Authentication & { readonly answered: boolean }> {
  const { env, timeoutMs } = question;
  const { args, env: probeEnv, parse } = backend.probe;
  const source = show(backend, args);
  const result = await ask(path, args, { ...question, env: { ...env, ...probeEnv } });
  const failure = explainFailure(result, source, timeoutMs);
  const answer = failure === null ? parse(plainOutput(result)) : null;
  if (answer?.authenticated === true) return { ...answer, source, answered: true };

  const detail = answer?.detail ?? failure ?? `${source} exited with ${result.exitCode}${quote(result)}`;
  // People set a variable to the empty string to switch it off.
  const variable = backend.credentialVariables.find((name) => (env[name] ?? '') !== '');
  const answered = answer !== null;
  if (variable === undefined) return { authenticated: false, source, detail, answered };
  return { authenticated: true, source: `${variable} is set`, detail: `${source}: ${detail}`, answered };
}

/** Says how to log in. A login that Ralph does not use is worth more words than a missing one. */
async function adviseLogin(
  backend: Backend,
  path: string,
  question: Question & { readonly answered: boolean },
): Promise<string> {
  const { elsewhere, env, parse } = backend.probe;
  if (elsewhere !== undefined && question.answered) {
    const result = await ask(path, elsewhere.args, { ...question, env: { ...question.env, ...env } });
    if (parse(plainOutput(result))?.authenticated === true) return elsewhere.fix;
  }
  return `${backend.loginHint}, or set ${backend.credentialVariables.join(' or ')}`;
}

async function ask(
  path: string,
  args: readonly string[],
  { env, timeoutMs, signal }: Question,
): Promise<CommandResult> {
  // Not in the project's folder: some CLIs load settings and plugins from the folder they start in.
  const result = await runCommand(path, args, { cwd: tmpdir(), env, timeoutMs, signal });
  // Reasons quote what a CLI prints, and some CLIs print the key they found.
  const secrets = credentialValues(env);
  return {
    ...result,
    stdout: redactText(result.stdout, secrets),
    stderr: redactText(result.stderr, secrets),
  };
}

function explainFailure(result: CommandResult, asked: string, timeoutMs: number): string | null {
  if (result.timedOut) return `${asked} did not answer within ${timeoutMs / 1000} s`;
  if (result.spawnError !== undefined) return `${asked} could not start (${result.spawnError.code})`;
  if (result.exitCode === null) return `${asked} crashed${quote(result)}`;
  return null;
}

function plainOutput({ exitCode, stdout, stderr }: CommandResult) {
  return { exitCode, stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) };
}

/** Quotes the first line that a program printed, to end a sentence with. */
function quote(result: CommandResult): string {
  const { stdout, stderr } = plainOutput(result);
  const line = `${stderr}\n${stdout}`.split('\n').find((text) => text.trim() !== '');
  return line === undefined ? ' and printed nothing' : `: ${line.trim().slice(0, 120)}`;
}

function show(backend: Backend, args: readonly string[]): string {
  return [backend.command, ...args].join(' ');
}

function unavailable(backend: Backend, path: string | null, reason: string, fix: string): Readiness {
  return {
    backend: backend.id,
    ready: false,
    available: false,
    path,
    version: null,
    authentication: null,
    reason,
    fix,
  };
}
