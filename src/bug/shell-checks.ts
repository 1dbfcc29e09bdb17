import { quoteWord } from '../agent/engine/workflow.js';
import type { About, CheckResult } from '../domain/check.js';

/** What shell needs to know besides the facts of a check. */
export interface ShellFacts {
  /** The commands that run after Ralph, as the checks name them. */
  readonly after: readonly string[];
  /** What the reproduction does: a file that nothing in it names cannot be checked. */
  readonly deeds: string;
}

/** Says a check as a command that succeeds if Ralph keeps its promise; null if shell cannot say it. */
export function writeShellCheck({ kind, about = {} }: CheckResult, facts: ShellFacts): string | null {
  return CHECKS[kind]?.(about, facts) ?? null;
}

/** Returns the functions that these commands call. */
export function listHelpers(commands: readonly string[]): string[] {
  const text = commands.join('\n');
  const used = (name: string, among: string) => new RegExp(`\\b${name}\\b`).test(among);
  const direct = Object.entries(HELPERS).filter(([name]) => used(name, text));
  const all = [text, ...direct.map(([, line]) => line)].join('\n');
  return Object.entries(HELPERS).flatMap(([name, line]) => (used(name, all) ? [line] : []));
}

/** Functions of run.sh. `$code` is Ralph's exit code, `$dir` has its output, and `$BUG` has what the agent got. */
const HELPERS = {
  ended: `ended() { [ "$code" = "$1" ] && grep -q "\\"loop.terminate\\".*Reason.n$2.n" "$(cat .ralph/current-events)"; }`,
  holds: `holds() { case "$(cat "$1" 2>/dev/null)" in *"$2"*) ;; *) return 1 ;; esac; }`,
  lacks: 'lacks() { [ -s "$1" ] && ! holds "$1" "$2"; }',
  equals: 'equals() { [ -e "$1" ] && [ "$(cat "$1")" = "$2" ]; }',
  calls: 'calls() { wc -l < "$BUG/callers" | tr -d " "; }',
  hats: `hats() { sed -n 's/^ ITERATION [0-9]* | [^ ]* \\([^ ]*\\) |.*/\\1/p' "$dir/stdout.txt"; }`,
  worn: `worn() { [ "$(hats | tr '\\n' ' ')" = "$1 " ]; }`,
  told_only: `told_only() { i=0; hats | { while read -r hat; do i=$((i + 1)); if [ "$hat" = "$1" ]; then holds "$BUG/prompt-$i" "$2"; else lacks "$BUG/prompt-$i" "$2"; fi || exit 1; done; [ "$i" -gt 0 ]; }; }`,
  ran_on: `ran_on() { hats | paste - "$BUG/callers" | grep "^$1	" | { grep -q . && ! grep -qv "	$2\\$"; }; }`,
  published:
    'published() { grep -q "^Event: $1 - " "$BUG/prompt-$2" && ! grep -q "\\"topic\\":\\"$1\\"" "$(cat .ralph/current-events)"; }',
  nobody_left:
    'nobody_left() { for i in 1 2 3; do left=; for p in $(cat "$BUG/pids"); do alive "$p" && left=$p; done; [ -z "$left" ] && return; sleep 1; done; return 1; }',
} as const;

type Said = (about: About, facts: ShellFacts) => string | null;

/** A prompt of one iteration: the agent kept it. */
const ofPrompt =
  (call: (place: string, text: string) => string): Said =>
  ({ iteration, text }) =>
    iteration === undefined || text === undefined
      ? null
      : call(`"$BUG/prompt-${iteration}"`, quoteWord(text));

/** A file of the workspace, if Ralph writes it or the reproduction names it. */
const ofFile =
  (call: (path: string, about: About) => string | null): Said =>
  (about, { deeds }) => {
    const { path } = about;
    if (path === undefined || (!path.startsWith('.ralph/') && !deeds.includes(path))) return null;
    return call(quoteWord(path), about);
  };

/** Checks by their kind. */
const CHECKS: Readonly<Record<string, Said>> = {
  completed: () => 'ended 0 completed',
  terminatedBecause: ({ reason, exitCode }) =>
    reason === undefined || exitCode === undefined ? null : `ended ${exitCode} ${quoteWord(reason)}`,
  endedByItself: () => '[ "$code" -le 130 ]',
  nothingLeftBehind: () => 'nobody_left',
  iterationCount: ({ limit }) => (limit === undefined ? null : `[ "$(calls)" = ${limit} ]`),
  iterationsAtLeast: ({ limit }) => (limit === undefined ? null : `[ "$(calls)" -ge ${limit} ]`),
  iterationsAtMost: ({ limit }) => (limit === undefined ? null : `[ "$(calls)" -le ${limit} ]`),
  backendNeverCalled: () => '[ ! -e "$BUG/callers" ]',
  fileEquals: ofFile((path, { text }) => (text === undefined ? null : `equals ${path} ${quoteWord(text)}`)),
  fileContains: ofFile((path, { text, pattern }) =>
    text === undefined ? writeGrep(pattern, path) : `holds ${path} ${quoteWord(text)}`,
  ),
  fileLacks: ofFile((path, { text }) => (text === undefined ? null : `lacks ${path} ${quoteWord(text)}`)),
  promptContained: ({ iteration, text, pattern }) => {
    if (iteration === undefined) return null;
    const prompt = `"$BUG/prompt-${iteration}"`;
    return text === undefined ? writeGrep(pattern, prompt) : `holds ${prompt} ${quoteWord(text)}`;
  },
  promptLacked: ofPrompt((prompt, text) => `lacks ${prompt} ${text}`),
  keptOutOfPrompt: ofPrompt((prompt, text) => `lacks ${prompt} ${text}`),
  publishedByRalph: ({ topic, iteration }) =>
    topic === undefined || iteration === undefined ? null : `published ${quoteWord(topic)} ${iteration}`,
  hatSequence: ({ hats }) => (hats === undefined ? null : `worn ${quoteWord(hats.join(' '))}`),
  toldOnlyTo: ({ hat, text }) =>
    hat === undefined || text === undefined ? null : `told_only ${quoteWord(hat)} ${quoteWord(text)}`,
  hatRanOn: ({ hat, names: [command] = [] }) =>
    hat === undefined || command === undefined ? null : `ran_on ${quoteWord(hat)} ${quoteWord(command)}`,
  memoriesListed: ({ names: [command] = [], texts = [] }, { after }) => {
    const place = after.indexOf(command ?? '');
    if (place < 0) return null;
    const answer = `"$dir/after-${place + 1}.txt"`;
    return texts.map((text) => `holds ${answer} ${quoteWord(JSON.stringify(text))}`).join(' && ');
  },
};

/** Says a pattern as an extended regular expression for one line; null if it has no such form. */
function writeGrep(pattern: string | undefined, path: string): string | null {
  const [, source = '', flags = ''] = /^\/([\s\S]*)\/(\w*)$/.exec(pattern ?? '') ?? [];
  const isPlain = source !== '' && !/\\[sSnbBDWtrxuk]|\(\?|[*+?}]\?|\n/.test(source);
  if (!isPlain || (/(^|[^\\[])[\^$]/.test(source) && !flags.includes('m'))) return null;
  const extended = source
    .replaceAll('[\\d-]', '[0-9-]')
    .replaceAll('\\d', '[0-9]')
    .replaceAll('\\w', '[A-Za-z0-9_]')
    .replaceAll('\\/', '/');
  return `grep -qE${flags.includes('i') ? 'i' : ''} -e ${quoteWord(extended)} ${path}`;
}
