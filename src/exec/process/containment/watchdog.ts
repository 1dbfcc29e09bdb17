import { Socket } from 'node:net';
import { launch } from '../launch.js';
import type { ProcessMarker } from '../table.js';

/**
 * Waits for the end of its input. If a line came before, we ended in order. If not, somebody killed us: every process
 * with the marker, and on Linux everything in its session, is stopped and killed. A program that carries the marker is in
 * a session that we made, or in one that was made below it. The marker comes as the first line: on a command line, `ps
 * -E` would find it.
 */
const SCRIPT = `
IFS= read -r mark || exit 0
read -r line && exit 0
marked() {
  if [ -r /proc/self/environ ]; then
    grep -lzxF -e "$mark" /proc/[0-9]*/environ | cut -d/ -f3
  else
    ps -axEww -o pid=,command= | while read -r pid rest; do
      case " $rest " in *" $mark "*) echo "$pid" ;; esac
    done
  fi
}
sessions=' '
look() {
  found=$(marked)
  groups=
  for pid in $found; do
    read -r line < "/proc/$pid/stat" || continue
    set -- \${line##*) }
    [ "$4" -le 1 ] || sessions="$sessions$4 "
  done
  [ -d /proc/self ] || return
  for stat in /proc/[0-9]*/stat; do
    read -r line < "$stat" || continue
    set -- \${line##*) }
    case "$sessions" in *" $4 "*) [ "$3" -le 1 ] || [ "$1" = Z ] || groups="$groups -$3" ;; esac
  done
}
for round in 1 2 3 4 5 6 7 8 9 10; do
  look
  [ -n "$found$groups" ] || exit 0
  kill -s STOP -- $found $groups
  look
  kill -s STOP -- $found $groups
  kill -s KILL -- $found $groups
done`;

/** Ends every process with this marker if our process dies before it calls what this returns. */
export async function startWatchdog({ name, value }: ProcessMarker): Promise<() => void> {
  const started = await launch({
    ...{ command: '/bin/sh', args: ['-c', SCRIPT], cwd: process.cwd(), env: process.env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a watchdog, the next run in this folder ends what a killed one left.
  if ('error' in started) return () => {};
  const { stdin } = started.child;
  stdin?.on('error', () => {});
  stdin?.write(`${name}=${value}\n`);
  started.child.unref();
  if (stdin instanceof Socket) stdin.unref();
  return () => void stdin?.end('done\n');
}
