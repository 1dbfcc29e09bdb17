import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { involvesRalph, type Target } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import { suggestNearest } from '../../domain/common/nearest.js';
import {
  FAULT_VARIABLE,
  findUnknownFault,
  readFaultNames,
  STAND_IN_FAULTS,
} from '../../domain/scenario/stand-in-faults.js';
import { EMBEDDED_RALPH, IMITATED_RALPH, STAND_IN_MARK } from '../../domain/stand-ins.js';
import { buildEnvironment } from '../../exec/environment.js';
import { packageRoot } from '../../exec/files/package-root.js';
import { findExecutable } from '../../exec/find-executable.js';
import { runCommand } from '../../exec/process/run-command.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a `ralph` was named or found. */
type Source = '--ralph' | '$RALPH_BIN' | 'PATH';

interface LocateOptions {
  readonly asked: string | undefined;
  /** Whether to use the stand-in if no `ralph` is found. A `ralph` that is found but broken is always an error. */
  readonly standInServes: boolean;
  /** Whether any scenario needs `ralph`. If not, it does not matter which one the machine has. */
  readonly needed?: boolean;
  readonly env: Variables;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the `ralph` to test: at `--ralph`, then in $RALPH_BIN, then on PATH. Uses the stand-in if asked or allowed, with
 * the faults that $RALPH_STANDIN_FAULT names.
 */
export async function locateRalph(options: LocateOptions): Promise<Target> {
  const faults = readFaultNames(options.env[FAULT_VARIABLE]);
  const unknown = findUnknownFault(faults);
  if (unknown !== undefined) throw unknownFault(unknown);
  const target = await findTarget(options);
  if (faults.length === 0) return target;
  if (target.kind === 'stand-in' && involvesRalph(target)) return { ...target, faults };
  const found = target.kind === 'real' ? `ralph ${target.version} at ${target.path}` : 'no test that runs it';
  throw new KnownError(
    `${FAULT_VARIABLE}=${faults.join()} breaks the stand-in for Ralph: expected a run on it, found ${found}.`,
    { hint: `Use it with \`--ralph ${EMBEDDED_RALPH}\`, or unset ${FAULT_VARIABLE}.` },
  );
}

function unknownFault(name: string): KnownError {
  return new KnownError(
    `${FAULT_VARIABLE}: expected faults of the stand-in, separated by commas, found "${name}".`,
    {
      hint: `${suggestNearest(name, Object.keys(STAND_IN_FAULTS))}\`${standInPath()} --faults\` lists them.`,
    },
  );
}

async function findTarget(options: LocateOptions): Promise<Target> {
  const { asked, standInServes, needed = true, env, signal } = options;
  const take = async (path: string, source: Source): Promise<Target> =>
    path === EMBEDDED_RALPH
      ? locateStandIn('asked')
      : inspect(requireExecutable(path, source, env), source, env, signal);
  if (asked !== undefined) return take(asked, '--ralph');
  if (!needed) return locateStandIn('not-needed');
  // As in a shell, an empty variable counts as not set.
  if (env.RALPH_BIN) return take(env.RALPH_BIN, '$RALPH_BIN');
  const found = findExecutable('ralph', env.PATH);
  if (found !== null) return inspect(found, 'PATH', env, signal);
  if (standInServes) return locateStandIn('none-found');
  throw new KnownError(
    'No ralph was found: none was named with --ralph or $RALPH_BIN, and none is on PATH.',
    {
      hint: 'Install it with `cargo install ralph-cli --locked`, name it with `--ralph <path>`, or try the harness on the embedded stand-ins with `--mock`.',
    },
  );
}

/** Returns our own stand-in. Its version is known without starting it. */
function locateStandIn(because: NonNullable<Target['because']>): Target {
  const path = standInPath();
  if (findExecutable(path, undefined) !== null)
    return { kind: 'stand-in', path, version: IMITATED_RALPH, because };
  throw new KnownError(`Expected the stand-in for Ralph at ${path}, found none.`, {
    hint: 'Build it with `npm run build`.',
  });
}

function standInPath(): string {
  return join(packageRoot(), 'dist', 'standin', 'bin', 'ralph');
}

function requireExecutable(asked: string, source: Source, env: Variables): string {
  const found = findExecutable(asked, env.PATH);
  if (found !== null) return resolve(found);
  const stat = statSync(asked, { throwIfNoEntry: false });
  // A name without a slash is looked for on PATH.
  if (stat?.isFile() === true && asked.includes('/'))
    throw new KnownError(
      `${source} names "${asked}": expected an executable ralph there, found a file that may not be executed.`,
      {
        hint: 'Name the ralph that you built or installed. If this is one, make it executable with chmod +x.',
      },
    );
  const isFolder = stat?.isDirectory() === true;
  throw new KnownError(
    `${source} names "${asked}": expected an executable ralph there, found ${isFolder ? 'a folder' : 'none'}.`,
    { hint: HINTS[source] },
  );
}

const HINTS = {
  '--ralph': `Give the path of a ralph binary, or \`--ralph ${EMBEDDED_RALPH}\` for the stand-in.`,
  $RALPH_BIN: `Set it to the path of a ralph binary, unset it, or use the stand-in with \`--ralph ${EMBEDDED_RALPH}\`.`,
  PATH: `Name a ralph binary with \`--ralph <path>\`, or use the stand-in with \`--ralph ${EMBEDDED_RALPH}\`.`,
} as const satisfies Record<Source, string>;

const TIME_LIMIT_MS = 10_000;

async function inspect(
  path: string,
  source: Source,
  env: Variables,
  signal: AbortSignal | undefined,
): Promise<Target> {
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
    `${path} (from ${source}) is not Ralph: expected "ralph <version>" from --version, found ${found}.`,
    { hint: HINTS[source] },
  );
}
