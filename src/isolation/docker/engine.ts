import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../exec/find-executable.js';
import { type CommandResult, runCommand } from '../../exec/process/run-command.js';
import type { IsolationHealth } from '../launch.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The docker command and what it needs to find its engine. */
export interface Engine {
  readonly program: string;
  /** The version of the engine. */
  readonly version: string;
  /** Variables of the client. They do not go into containers. */
  readonly env: Readonly<Record<string, string>>;
  readonly call: (args: readonly string[], timeoutMs?: number) => Promise<CommandResult>;
}

const CALL_MS = 30_000;
const HOW_TO_START =
  'Start the engine: `systemctl start docker`, or without systemd, as root: `dockerd --iptables=false --bridge=none`. If you are not root, join the group docker, or set DOCKER_HOST to your own engine.';

/** Finds out whether a docker engine answers that can access the files of this machine. */
export async function probeDocker(env: Variables): Promise<IsolationHealth<{ readonly engine: Engine }>> {
  if (process.platform !== 'linux') {
    return {
      ok: false,
      detail: "the containers run this machine's programs, which works only on Linux",
      fix: 'Run on Linux, or use --isolation host.',
    };
  }
  const program = findExecutable('docker', env.PATH);
  if (program === null) {
    const fix = 'Install docker: `apt-get install docker.io`, or the package for your system.';
    return { ok: false, detail: 'docker is not on PATH', fix };
  }
  const engine = connectEngine(program, env);
  const host = engine.env.DOCKER_HOST ?? '';
  if (/^(?:tcp|ssh|https?):/.test(host)) {
    return {
      ok: false,
      detail: `DOCKER_HOST points to a remote engine (${host.split(':')[0]}), which cannot access this machine's files`,
      fix: 'Set DOCKER_HOST to a unix socket, or unset it.',
    };
  }
  const version = await engine.call(['version', '--format', '{{.Server.Version}}'], 10_000);
  if (version.ok) {
    const found = version.stdout.trim();
    return { ok: true, detail: `engine ${found}, ${program}`, engine: { ...engine, version: found } };
  }
  const why = version.timedOut ? 'no answer within 10 s' : lastLine(version.stderr);
  return { ok: false, detail: `no docker engine answers: ${why}`, fix: HOW_TO_START };
}

function connectEngine(program: string, base: Variables): Omit<Engine, 'version'> {
  const own = Object.entries(base).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (entry[0].startsWith('DOCKER_') || entry[0] === 'PATH'),
  );
  // Programs inside get another HOME, which they can write. The client's settings can name programs, so they are never
  // read from there.
  const config = ['DOCKER_CONFIG', join(base.HOME ?? homedir(), '.docker')] as const;
  const env: Record<string, string> = Object.fromEntries([config, ...own]);
  return {
    program,
    env,
    call: (args, timeoutMs = CALL_MS) => runCommand(program, args, { cwd: tmpdir(), env, timeoutMs }),
  };
}

/** Returns the last line of an answer, which says what went wrong. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim().slice(0, 300) || 'no output';
}
