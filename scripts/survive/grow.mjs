// Grows hostile process trees from a seed: shell scripts whose processes try to outlive the program that started them.
// They are bounded: a tree has at most 30 processes at a time, and none lives longer than 20 seconds.
import { drawFrom } from '../random.mjs';

/**
 * What a process can do to get away. Each is one wrapper around a command of the tree.
 * @type {Record<string, (line: string) => string>}
 */
const TRICKS = {
  session: (line) => `setsid ${line}`,
  nameless: (line) => `env -i PATH="$PATH" ${line}`,
  nohup: (line) => `nohup ${line}`,
  renamed: (line) => `bash -c 'exec -a "[kworker/0:1]" "$@"' renamed ${line}`,
  silent: (line) => `${line} >/dev/null 2>&1 </dev/null 3>&- 4>&-`,
  piped: (line) => `${line} | cat`,
};

/**
 * What a process does at its beginning.
 * @type {Record<string, string>}
 */
const MOODS = { calm: '', deaf: 'trap "" TERM HUP INT; ', stopped: 'kill -STOP $$; ' };

/** Starts its successor and ends, again and again: $1 token, $2 links left, $3 seconds a link, $4 own sessions. */
export const CHAIN = `#!/bin/sh
[ "$2" -gt 0 ] || exit 0
sleep "$3"
if [ "$4" = own ]; then setsid sh "$0" "$1" "$(($2 - 1))" "$3" "$4" & else sh "$0" "$1" "$(($2 - 1))" "$3" "$4" & fi
`;

/**
 * Grows one tree. `script` is its shell script, which needs CHAIN at the path `chain`; `leaves` says whether something
 * still runs for seconds after its end; `hangs` that it does not end by itself.
 * @param {number} seed
 * @param {{ token: string, chain: string, mode?: 'any' | 'ends' | 'hangs' }} options
 */
export function growTree(seed, { token, chain, mode = 'any' }) {
  const draw = randomFrom(seed);
  const { chance, pick } = draw;
  const honest = mode === 'any' && chance(0.1);
  const hangs = mode === 'hangs' || (mode === 'any' && !honest && chance(0.15));
  const branches = Array.from({ length: honest ? 1 : 1 + draw.below(4) }, () =>
    honest ? 'sh -c : &\nwait' : growBranch({ token, chain, draw }),
  );
  const patience = pick(['0', '0', '0.05', '0.4']);
  const script = [
    '#!/bin/sh',
    'ulimit -t 20',
    ...(chance(0.3) ? ['trap "" TERM'] : []),
    ...branches,
    `sleep ${patience}`,
    'echo done > done.txt',
    ...(hangs ? [linger(token, 'calm', 15)] : []),
    'exit 0',
    '',
  ].join('\n');
  return { script, hangs, leaves: !honest };
}

/** @param {{ token: string, chain: string, draw: ReturnType<typeof drawFrom> }} from */
function growBranch({ token, chain, draw: { chance, pick } }) {
  const own = pick(['own', 'same']);
  const [links, seconds] = pick(['500 0.005', '150 0.02', '60 0.1']).split(' ');
  const line = chance(0.35)
    ? `sh ${chain} ${token} ${links} ${seconds} ${own}`
    : linger(token, pick(['calm', 'deaf', 'stopped']), 15);
  const tricks = ['renamed', 'nameless', 'nohup', 'session', 'silent', 'piped'].filter((name) =>
    chance(name === 'silent' || name === 'session' ? 0.6 : 0.35),
  );
  const disguised = tricks.reduce((command, name) => TRICKS[name]?.(command) ?? command, line);
  return chance(0.6) ? `( ${disguised} & )` : `${disguised} &`;
}

/** @param {string} token @param {string} mood @param {number} seconds */
function linger(token, mood, seconds) {
  return `sh -c '${MOODS[mood]}n=0; while [ $n -lt ${seconds} ]; do sleep 1; n=$((n + 1)); done' ${token}`;
}

/** @param {number} seed */
export function randomFrom(seed) {
  return drawFrom(seed * 2654435761);
}
