import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { awaitAnswer } from '../../exec/await-answer.js';
import type { Companion } from '../protocol.js';

const MAX_WORDS = 300;

/** Starts the server beside the program and waits until it answers. Its output is for nobody but its error message. */
export async function startCompanion(
  { command, args, env, url, limitMs }: Companion,
  onEnd: (how: string) => void,
): Promise<{ readonly end: () => void } | { readonly failed: string }> {
  const server = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Its own group, so that what it started ends with it.
    detached: true,
  });
  let words = '';
  server.stderr.on('data', (data: Buffer) => {
    words = `${words}${data}`.slice(-MAX_WORDS);
  });
  const gone = new AbortController();
  let how: string | null = null;
  const ended = once(server, 'exit').then(
    ([code, signal]) => `exit ${code ?? signal}`,
    (error: Error) => error.message,
  );
  void ended.then((end) => {
    how = end;
    gone.abort();
  });
  const end = () => {
    try {
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
    } catch {
      // It has ended, with everything in its group.
    }
  };
  if (!(await awaitAnswer(url, { limitMs, signal: gone.signal }))) {
    end();
    const why = how ?? `no answer at ${url} within ${limitMs / 1000} s`;
    return { failed: words.trim() === '' ? why : `${why}: ${words.trim()}` };
  }
  let over = false;
  void ended.then((last) => {
    if (!over) onEnd(last);
  });
  return {
    end: () => {
      over = true;
      end();
    },
  };
}
