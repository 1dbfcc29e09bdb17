import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { CONTAINMENTS, type ContainmentKind } from '../../../domain/evidence/containment.js';
import { findExecutable } from '../../find-executable.js';
import { runCommand } from '../run-command.js';
import type { Containment } from './means.js';
import { openScope } from './open-scope.js';
import { subreaperArgs } from './subreaper.js';

/** The means of containment that works here, and why the stronger ones do not. */
export interface ContainmentChoice {
  readonly containment: Containment;
  readonly gaps: readonly ContainmentGap[];
}

/** Why a means of containment cannot be used here. */
interface ContainmentGap {
  readonly kind: ContainmentKind;
  readonly why: string;
}

export interface ContainmentOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Whether programs run with the user's own files and logins. Then there is no user namespace: in it, `sudo` does not
   * work, and ssh refuses its configuration because it belongs to a user that the namespace does not know.
   */
  readonly asUser: boolean;
}

/** The variable that chooses a means, for a machine on which the best one gets in the way. */
const VARIABLE = 'RALPH_E2E_CONTAINMENT';

/** Chooses the strongest means that works here. Each one is tried, because a program that is there may not be allowed. */
export async function chooseContainment(options: ContainmentOptions): Promise<ContainmentChoice> {
  const wanted = readWanted(options.env);
  const gaps: ContainmentGap[] = [];
  for (const kind of CONTAINMENTS.filter((name) => wanted === null || name === wanted)) {
    const found = await FIND[kind](options);
    const why = 'why' in found ? found.why : await tryOut(found, options.env.PATH ?? '');
    if (why === null && !('why' in found)) return { containment: found, gaps };
    gaps.push({ kind, why: why ?? 'it does not work' });
  }
  throw new KnownError(
    `${VARIABLE}=${wanted} does not work here: ${gaps.map(({ why }) => why).join(', ')}.`,
    {
      hint: `Unset it, or use ${VARIABLE}=tracking.`,
    },
  );
}

function readWanted(env: ContainmentOptions['env']): ContainmentKind | null {
  const wanted = env[VARIABLE];
  if (wanted === undefined || wanted === '') return null;
  const kind = CONTAINMENTS.find((name) => name === wanted);
  if (kind === undefined)
    throw new KnownError(`${VARIABLE}=${wanted}: expected ${CONTAINMENTS.join(', ')}.`, {
      hint: 'Without it, ralph-e2e chooses the strongest one that works.',
    });
  return kind;
}

type Found = Containment | { readonly why: string };

const FIND: Readonly<Record<ContainmentKind, (options: ContainmentOptions) => Found>> = {
  'pid-namespace': ({ env, asUser }) => {
    if (process.platform !== 'linux') return { why: 'PID namespaces need Linux' };
    const user = process.getuid?.() !== 0;
    if (user && asUser)
      return { why: 'without root it needs a user namespace, in which sudo and ssh do not work' };
    const tool = (name: string) => findExecutable(name, env.PATH);
    const [unshare, nsenter, setsid, envTool] = ['unshare', 'nsenter', 'setsid', 'env'].map(tool);
    if (!unshare || !nsenter || !setsid || !envTool)
      return { why: 'unshare, nsenter, setsid and env must be on PATH' };
    return { kind: 'pid-namespace', tools: { unshare, nsenter, setsid, env: envTool }, user };
  },
  subreaper: ({ env }) => {
    if (process.platform !== 'linux') return { why: 'subreapers need Linux' };
    const perl = findExecutable('perl', env.PATH);
    if (perl === null) return { why: 'perl is not on PATH' };
    if (subreaperArgs('true', []) === null)
      return { why: `the system calls of ${process.arch} are not known` };
    if (!existsSync(`/proc/self/task/${process.pid}/children`))
      return { why: 'the kernel does not list children' };
    return { kind: 'subreaper', perl };
  },
  tracking: () => ({ kind: 'tracking' }),
};

/** What must hold inside: the same user, a /proc that shows the same numbers, and orphans that disappear when they end. */
const TRIAL = `
[ "$(id -u)" = "$1" ] || { echo 'programs get another user' >&2; exit 1; }
read -r pid rest < /proc/self/stat
[ "$pid" = $$ ] || { echo '/proc shows other processes' >&2; exit 1; }
orphan=$(sh -c ': & echo $!')
tries=0
while [ -d "/proc/$orphan" ] && [ $tries -lt 300 ]; do tries=$((tries + 1)); sleep 0.01; done
[ ! -d "/proc/$orphan" ] || { echo 'orphans stay as zombies' >&2; exit 1; }`;

/** Runs a program in a scope; returns why that does not work, or null. */
async function tryOut(containment: Containment, path: string): Promise<string | null> {
  if (containment.kind === 'tracking') return null;
  try {
    const scope = await openScope(containment);
    try {
      const options = { cwd: tmpdir(), env: { PATH: path }, timeoutMs: 10_000, scope };
      const user = String(process.getuid?.());
      const { ok, stderr, exitCode } = await runCommand('/bin/sh', ['-c', TRIAL, 'trial', user], options);
      return ok ? null : stderr.trim().split('\n').at(-1) || `its trial ended with ${exitCode}`;
    } finally {
      await scope.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}
