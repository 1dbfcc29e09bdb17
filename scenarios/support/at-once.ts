import { type Check, fileContains } from '../../src/authoring.js';

/**
 * A command that runs while another process writes the same store. What comes out must not depend on which is faster,
 * so the other process takes the lock first, and writes once the command waits for the lock (or has ended without).
 */
export interface Meeting {
  /** The path of the store, below the folder of the meeting. */
  readonly store: string;
  /** The file that Ralph locks for it. */
  readonly lock: string;
  /** What is in the store when the command starts. */
  readonly before: string;
  /** What the other process writes. PID becomes the id of that process. */
  readonly meanwhile: string;
  /** Runs in the folder of the meeting. */
  readonly command: string;
  /** What the command prints and what is in the store then. */
  readonly outcome: RegExp;
}
type Meetings = Readonly<Record<string, Meeting>>;

/** Readers may share a lock, so a store that is being written is locked for them, too, and empty meanwhile. */
const isBeingWritten = ({ before }: Meeting) => before === '';

const SCRIPT = `waits() { grep -qs lock_inode_wait /proc/$!/wchan; }
meet() {
  cd "$1" && exec 9>>"$2" && flock $3 9
  eval "$4 9>&- > answer.txt 2>&1 &"
  how='neither waits nor ends' tries=0
  while [ $tries -lt 600 ]; do
    waits && how=waits && break
    grep -qs '^State:.[^Z]' /proc/$!/status || { how='goes on' && break; }
    tries=$((tries + 1))
    sleep 0.05
  done
  sed "s/PID/$$/" meanwhile.txt > "$5"
  exec 9>&-
  wait $!
  { echo "$how, exit $?"; cat answer.txt "$5"; } > "../$1.txt"
  cd ..
}
`;

/** The files for an agent that runs at-once.sh: all meetings, one after the other. */
export function meetingFiles(meetings: Meetings): Readonly<Record<string, string>> {
  const all = Object.entries(meetings);
  return {
    'at-once.sh': `${SCRIPT}${all.map(([name, meeting]) => callOf(name, meeting)).join('')}`,
    ...Object.fromEntries(
      all.flatMap(([name, { store, before, meanwhile }]) => [
        [`${name}/${store}`, before],
        [`${name}/meanwhile.txt`, meanwhile],
      ]),
    ),
  };
}

function callOf(name: string, meeting: Meeting): string {
  const kind = isBeingWritten(meeting) ? '-x' : '-s';
  return `meet ${name} ${meeting.lock} ${kind} '${meeting.command}' ${meeting.store}\n`;
}

/** One check for each meeting: the command waits, and both it and the other process have what they wrote. */
export function meetingChecks<Key extends string>(
  meetings: Readonly<Record<Key, Meeting>>,
): Record<Key, Check>;
export function meetingChecks(meetings: Meetings): Record<string, Check> {
  return Object.fromEntries(
    Object.entries(meetings).map(([name, { outcome }]) => [name, fileContains(`${name}.txt`, outcome)]),
  );
}
