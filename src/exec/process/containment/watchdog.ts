import { spawn } from 'node:child_process';
import type { ProcessMarker } from '../table.js';

/**
 * Waits for the end of its input. If a line came before, we ended in order; if not, somebody killed us, and every process
 * with the marker is stopped and killed. The marker comes as the first line: on a command line, `ps -E` would find it.
 */
const SCRIPT = `
IFS= read -r mark || exit 0
read -r line && exit 0
marked() {
  if [ -r /proc/self/environ ]; then
    grep -lzxF -e "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
  else
    ps -axEww -o pid=,command= | while read -r pid rest; do
      case " $rest " in *" $mark "*) echo "$pid" ;; esac
    done
  fi
}
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=$(marked)
  [ -n "$found" ] || exit 0
  kill -s STOP $found
  found="$found $(marked)"
  kill -s STOP $found
  kill -s KILL $found
done 2>/dev/null`;

/** Ends every process with this marker if our process dies before it calls what this returns. */
export function startWatchdog({ name, value }: ProcessMarker): () => void {
  // Its own session: Ctrl-C in our terminal must not reach it.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const { stdin } = child;
  // Without a watchdog, the next run in this folder ends what a killed one left.
  child.on('error', () => {});
  stdin.on('error', () => {});
  stdin.write(`${name}=${value}\n`);
  child.unref();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return () => void stdin.end('done\n');
}
