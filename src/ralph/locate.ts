import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Target } from '../domain/journal.js';
import { KnownError } from '../domain/known-error.js';
import { IMITATED_VERSIONS, STAND_IN_MARK } from '../domain/stand-ins.js';
import { buildEnvironment } from '../exec/environment.js';
import { findExecutable } from '../exec/find-executable.js';
import { packageRoot } from '../exec/package-root.js';
import { runCommand } from '../exec/run-command.js';

/** The word for `--ralph` that asks for the stand-in. */
const EMBEDDED = 'embedded';

type Variables = Readonly<Record<string, string | undefined>>;

/** Finds the ralph to test: `--ralph`, then $RALPH_BIN, then PATH; the stand-in where asked for or offline. */
export async function locateRalph(options: {
  readonly asked: string | undefined;
  readonly standInServes: boolean;
  /** Whether anything is asked of it. Where nothing is, no matter what ralph the machine has. */
  readonly needed?: boolean;
  readonly env: Variables;
  readonly signal?: AbortSignal | undefined;
}): Promise<Target> {
  const { asked, standInServes, needed = true, env, signal } = options;
  if (asked === EMBEDDED) return locateStandIn();
  if (asked !== undefined) return inspect(requireExecutable(asked, '--ralph', env), env, signal);
  if (standInServes || !needed) return locateStandIn();
  if (env.RALPH_BIN) return inspect(requireExecutable(env.RALPH_BIN, '$RALPH_BIN', env), env, signal);
  const found = findExecutable('ralph', env.PATH);
  if (found !== null) return inspect(found, env, signal);
  throw new KnownError('No ralph to test: expected one at --ralph, in $RALPH_BIN or on PATH, found none.', {
    hint: 'Install it with `cargo install ralph-cli --locked`, name it with `--ralph <path>`, or try the harness on the embedded stand-ins with `--mock`.',
  });
}

/** Our own program: nobody needs to start it to know its version. */
function locateStandIn(): Target {
  const path = join(packageRoot(), 'dist', 'standin', 'bin', 'ralph');
  if (findExecutable(path, undefined) !== null)
    return { kind: 'stand-in', path, version: IMITATED_VERSIONS.ralph };
  throw new KnownError(`The stand-in for ralph is not at ${path}.`, {
    hint: 'Build it with `npm run build`.',
  });
}

function requireExecutable(asked: string, source: string, env: Variables): string {
  const found = findExecutable(asked, env.PATH);
  if (found !== null) return resolve(found);
  throw new KnownError(`${source} says "${asked}": expected an executable ralph there, found none.`, {
    hint: `Give the path of a ralph binary, or "${EMBEDDED}" for the stand-in.`,
  });
}

const TIME_LIMIT_MS = 10_000;

async function inspect(path: string, env: Variables, signal: AbortSignal | undefined): Promise<Target> {
  const result = await runCommand(path, ['--version'], {
    env: buildEnvironment({ base: env }),
    timeoutMs: TIME_LIMIT_MS,
    cwd: tmpdir(),
    signal,
  });
  const version = /^ralph (\S+)/.exec(result.stdout)?.[1];
  if (result.ok && version !== undefined) {
    return { kind: result.stdout.includes(STAND_IN_MARK) ? 'stand-in' : 'real', path, version };
  }
  const said = (result.stdout + result.stderr).trim().split('\n')[0] ?? '';
  const found = result.timedOut
    ? `no answer within ${TIME_LIMIT_MS / 1000} s`
    : said === ''
      ? `nothing (exit code ${result.exitCode})`
      : `"${said.slice(0, 120)}"`;
  throw new KnownError(
    `${path} is no ralph that can be tested: expected "ralph <version>" from --version, found ${found}.`,
    { hint: 'Name another binary with --ralph, or use --mock.' },
  );
}
