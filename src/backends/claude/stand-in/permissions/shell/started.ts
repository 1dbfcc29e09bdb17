/** The part of a word that matters here, whoever read it. */
interface Spelled {
  readonly text: string;
}

/**
 * Lists what a command may start, as the rest of its words: itself first, then what follows variables and programs
 * that only start others. Which words are the options of such a program is guessed generously: nothing may hide.
 */
export function startedBy<Word extends Spelled>(words: readonly Word[]): readonly (readonly Word[])[] {
  const starts = new Set([0]);
  for (const start of starts) {
    const name = bareName(words[start]?.text ?? '');
    if (ASSIGNMENT.test(name)) starts.add(start + 1);
    if (!STARTING.includes(name) && !STARTING_LATER.includes(name)) continue;
    for (let next = start + 1; next < words.length; next += 1) {
      starts.add(next);
      const [before, text] = [words[next - 1]?.text ?? '', words[next]?.text ?? ''];
      const isOwn = OWN_WORD.test(text) || (before.startsWith('-') && next > start + 1);
      if (!isOwn && !STARTING_LATER.includes(name)) break;
    }
  }
  return [...starts]
    .filter((start) => start === 0 || start < words.length)
    .map((start) => words.slice(start));
}

/** The name of a program without its folder. */
export function bareName(name: string): string {
  return ASSIGNMENT.test(name) ? name : name.replace(/^.*\//s, '');
}

/** Programs and words of the shell that start what follows them and their options. */
const STARTING = [
  ...['sudo', 'doas', 'env', 'time', 'timeout', 'nohup', 'nice', 'stdbuf', 'command', 'builtin', 'exec'],
  ...['xargs', 'coproc', 'setsid', 'ionice', 'unshare', 'nsenter', 'watch', '!'],
];

/** Programs that start what follows a file or another word of their own. */
const STARTING_LATER = ['flock', 'script', 'strace', 'ltrace', 'chrt', 'taskset', 'function'];

const OWN_WORD = /^-|^[\d.]+[smhd]?$|^\w+=/;
const ASSIGNMENT = /^(?:\w+(?:\[[^\]]*\])?\+?=|\{\w+\}$)/;
