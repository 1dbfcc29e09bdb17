import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The processes that a process started. Linux alone tells them; elsewhere the process itself has to do. */
export function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [pid];
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text
    .split(' ')
    .filter((part) => part.trim() !== '')
    .map(Number);
}

/** A process that has ended may wait for its parent to notice. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The folder in which a running server keeps homes and captured output. */
export function folderOf(pid: number): string {
  const found = readdirSync(tmpdir()).find((name) => {
    const holder = join(tmpdir(), name, 'holder.json');
    return (
      name.startsWith('ralph-e2e-mcp-') &&
      existsSync(holder) &&
      JSON.parse(readFileSync(holder, 'utf8')).pid === pid
    );
  });
  if (found === undefined) throw new Error(`expected a folder of the server ${pid}`);
  return join(tmpdir(), found);
}

/** The private homes of conversations in the folder of a server. */
export function homesIn(folder: string): string[] {
  const sessions = join(folder, 'sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions)
    .map((name) => join(sessions, name, 'home'))
    .filter((home) => existsSync(home));
}

/** The processes of this machine with a word on their command line. */
export function runningWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false;
      }
    });
}
