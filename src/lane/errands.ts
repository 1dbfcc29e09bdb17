import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BACKENDS, type Environment } from '../backends/index.js';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import type { ErrandRecord } from '../domain/evidence/evidence.js';
import type { Errand } from '../domain/scenario/arrangement.js';
import type { ConversationErrand } from '../domain/scenario/conversation-arrangement.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { SHOW_ALL_CHANGES } from '../exec/git-config.js';
import type { ProcessScope } from '../exec/process/containment/process-scope.js';
import { runCommand } from '../exec/process/run-command.js';
import { redactText } from '../exec/redact.js';
import type { Sandbox } from '../isolation/launch.js';
import { runInside } from '../isolation/run-inside.js';
import { homeVariables } from './environment.js';
import type { SuiteSettings } from './settings.js';

/** Where errands run, and with what. */
export interface ErrandSite extends Pick<SuiteSettings, 'binary' | 'findChangedTarget'> {
  /** The private home of the agent. Missing if it has the user's own, or has not run yet. */
  readonly home?: string | undefined;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
  /** The sandbox that they run in; without it they run on the host. */
  readonly sandbox?: Sandbox | undefined;
  /** Where their processes live. Ralph's lock has the pid of a loop, so they must see the same pids as Ralph. */
  readonly scope?: ProcessScope | undefined;
}

/** Runs errands one after the other and records their output, which the checks judge. */
export async function runErrands(
  errands: readonly (Errand | ConversationErrand)[],
  when: ErrandRecord['when'],
  site: ErrandSite,
): Promise<ErrandRecord[]> {
  const records: ErrandRecord[] = [];
  for (const errand of errands) {
    const [command, ...args] = commandOf(errand, site.binary);
    const { cwd, env } = placeOf(errand, site);
    const own = when === 'after' && !isTested(errand) ? await ownSettings(site.home) : {};
    await requireTarget(site);
    const { result } = await runInside(
      site.sandbox,
      { command, args, cwd, env: { ...env, ...own } },
      (launch) =>
        runCommand(launch.command, launch.args, {
          cwd: launch.cwd,
          env: launch.env,
          timeoutMs: site.timeoutSeconds * 1000,
          signal: site.signal,
          scope: site.scope,
        }),
      ({ stderr }) => stderr,
    );
    if (result.spawnError !== undefined) {
      throw new KnownError(`${command} could not be started: ${result.spawnError.message}.`);
    }
    records.push({
      when,
      command: [command, ...args],
      exitCode: result.timedOut ? null : result.exitCode,
      stdout: redactText(result.stdout, site.secrets),
      stderr: redactText(result.stderr, site.secrets),
    });
    if ('session' in errand) await passSecond();
  }
  return records;
}

/** Refuses to start what is at the path of the target if that is not the target any more. */
export async function requireTarget({
  findChangedTarget,
}: Pick<ErrandSite, 'findChangedTarget'>): Promise<void> {
  const found = (await findChangedTarget?.()) ?? null;
  if (found === null) return;
  throw new KnownError(`Expected the Ralph that the run began with, but ${found}.`, {
    hint: 'Leave it alone until the run has ended. If an agent did it, use `--isolation bwrap`.',
  });
}

/** Whether an errand is about a program under test: its answer is about what is in the home. */
function isTested(errand: Errand | ConversationErrand): boolean {
  if ('run' in errand) return Object.values(BACKENDS).some(({ command }) => command === errand.run[0]);
  return !('git' in errand);
}

/** Returns variables with which a command does not obey what an agent left in its home or in git's settings. */
async function ownSettings(home: string | undefined): Promise<Environment> {
  if (home === undefined) return SHOW_ALL_CHANGES;
  try {
    await makeFolder(home);
    return { ...SHOW_ALL_CHANGES, ...homeVariables(await mkdtemp(join(home, 'after-'))) };
  } catch (cause) {
    throw new KnownError(`The agent left a home without room for a folder: ${messageOf(cause)}.`, { cause });
  }
}

/** Returns the folder and the environment of an errand. */
function placeOf(errand: Errand | ConversationErrand, { workspace, env }: ErrandSite) {
  if (!('ralph' in errand)) return { cwd: workspace, env };
  const changed = Object.entries({ ...env, ...errand.env }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return { cwd: join(workspace, errand.in ?? '.'), env: Object.fromEntries(changed) };
}

function commandOf(errand: Errand | ConversationErrand, binary: string): readonly [string, ...string[]] {
  if ('run' in errand) return errand.run;
  if ('git' in errand) return ['git', ...errand.git];
  if ('ralph' in errand) return [binary, ...errand.ralph];
  const { prompt, args = [] } = errand.session;
  return [binary, 'run', '-c', 'ralph.yml', '--no-tui', '-p', prompt, ...args];
}

/** Waits for the next second: Ralph names its events file and diagnostics by the second, so two runs would share them. */
async function passSecond(): Promise<void> {
  await sleep(1000 - (Date.now() % 1000));
}
