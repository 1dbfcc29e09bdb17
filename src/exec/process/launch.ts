import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';

interface LaunchOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Its descriptors, from 0 on. Read what is piped at once, or keep it. */
  readonly stdio: readonly [End, End, End, ...End[]];
}

type End = 'pipe' | 'ignore';

/** A program that was started. */
interface Launched {
  readonly child: ChildProcess;
  readonly pid: number;
}

/**
 * Every program has its own session: Ctrl-C in our terminal reaches only us. Its time and its end are not execa's
 * business, which knows the program alone and waits for everybody who holds its pipes.
 */
const ALONE = { detached: true, cleanup: false, extendEnv: false, forceKillAfterDelay: false } as const;
/**
 * Nothing is kept by execa: it would make an error message of up to 4 MB of output, which takes a second in which no time
 * limit holds. Without `verbose`, NODE_DEBUG=execa prints arguments.
 */
const AS_IT_IS = { reject: false, buffer: false, verbose: 'none' } as const;

/** Starts a program: the only place that does. Returns the error of the system if there is one. */
export async function launch(options: LaunchOptions): Promise<Launched | { readonly error: unknown }> {
  const { command, args, cwd, env, stdio } = options;
  // It takes longer to load than a program to start, and much of what we do starts none.
  const { execa } = await import('execa');
  const made: { child?: ChildProcess } = {};
  const see = (message: unknown) => {
    made.child = childIn(message);
    // After its start, execa has told what there is to tell.
    made.child?.on('error', () => {});
  };
  subscribe(STARTS, see);
  try {
    const running = execa(command, args, { ...ALONE, ...AS_IT_IS, cwd, env, stdio });
    const { child } = made;
    if (child?.pid === undefined) return { error: (await running).cause };
    return { child, pid: child.pid };
  } catch (error) {
    // For want of descriptors, Node makes a child without streams, which execa 9.6.1 does not expect.
    return { error: made.child === undefined ? error : (await once(made.child, 'error'))[0] };
  } finally {
    unsubscribe(STARTS, see);
  }
}

/** On this channel, Node publishes each child before it starts it. */
const STARTS = 'child_process';

function childIn(message: unknown): ChildProcess | undefined {
  if (typeof message !== 'object' || message === null || !('process' in message)) return undefined;
  return message.process instanceof ChildProcess ? message.process : undefined;
}
