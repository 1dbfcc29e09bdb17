import { quoteWord } from '../agent/engine/workflow.js';
import type { About, CheckResult } from '../domain/check.js';
import { RALPH_TOPICS, rowWithTopic } from '../domain/evidence/ralph-words.js';

/** What shell needs to know besides the facts of a check. */
export interface ShellFacts {
  /** The commands before and after Ralph, as the checks name them, with the names of their answers. */
  readonly answers: ReadonlyMap<string, string>;
  /** What the reproduction does: a file that nothing in it names cannot be checked. */
  readonly deeds: string;
}

/** Says a check as a command that succeeds if Ralph keeps its promise; null if shell cannot say it. */
export function writeShellCheck({ kind, about = {} }: CheckResult, facts: ShellFacts): string | null {
  const { path } = about;
  if (path !== undefined && !path.startsWith('.ralph/') && !facts.deeds.includes(path)) return null;
  return CHECKS[kind]?.(about, facts) ?? null;
}

/** Returns the functions that these commands call. */
export function listHelpers(commands: readonly string[]): string[] {
  const helpers = Object.entries(HELPERS);
  const among = (lines: readonly string[]) =>
    helpers.filter(([name]) => new RegExp(`\\b${name}\\b`).test(lines.join('\n'))).map(([, line]) => line);
  return among([...commands, ...among(commands)]);
}

/** Functions of run.sh. `$code` is Ralph's exit code, `$dir` has its output, and `$BUG` has what the agent got. */
const HELPERS = {
  ended: `ended() { [ "$code" = "$1" ] && grep -q "\\"${RALPH_TOPICS.end}\\".*Reason.n$2.n" "$(cat .ralph/current-events)"; }`,
  holds: `holds() { text=$1; shift; for file; do case "$(cat "$file" 2>/dev/null; echo .)" in *"$text"*) return ;; esac; done; return 1; }`,
  matches: 'matches() { grep -qE -e "$@" 2>/dev/null; }',
  lacks: 'lacks() { [ -s "$3" ] && ! "$@"; }',
  equals: 'equals() { [ -e "$1" ] && [ "$(cat "$1")" = "$2" ]; }',
  answered: `answered() { [ "$(cat "$dir/$1-code.txt")" = "$2" ] && "$3" "$4" "$dir/$1.txt" "$dir/$1-errors.txt"; }`,
  lists: 'lists() { name=$1; shift; for one; do answered "$name" 0 holds "$one" || return 1; done; }',
  calls: 'calls() { [ "$(wc -l < "$BUG/callers")" -eq "$1" ]; }',
  hats: `hats() { sed -n 's/^ ITERATION [0-9]* | [^ ]* \\([^ ]*\\) |.*/\\1/p' "$dir/stdout.txt"; }`,
  worn: `worn() { [ "$(hats | tr '\\n' ' ')" = "$1 " ]; }`,
  told_only: `told_only() { i=0; hats | { while read -r hat; do i=$((i + 1)); if [ "$hat" = "$1" ]; then "$2" "$3" "$BUG/prompt-$i"; else lacks "$2" "$3" "$BUG/prompt-$i"; fi || exit 1; done; [ "$i" -gt 0 ]; }; }`,
  ran_on: `ran_on() { hats | paste - "$BUG/callers" | grep "^$1	" | { grep -q . && ! grep -qv "	$2\\$"; }; }`,
  published: `published() { grep -q "^Event: $1 - " "$BUG/prompt-$2" && ! grep -q "${rowWithTopic('$1').replaceAll('"', '\\"')}" "$(cat .ralph/current-events)"; }`,
  nobody_left:
    'nobody_left() { for i in 1 2 3; do left=; for p in $(cat "$BUG/pids"); do alive "$p" && left=$p; done; [ -z "$left" ] && return; sleep 1; done; return 1; }',
} as const;

/** Checks by their kind. */
const CHECKS: Readonly<Record<string, (about: About, facts: ShellFacts) => string | null>> = {
  completed: () => 'ended 0 completed',
  terminatedBecause: ({ exitCode, reason }) => call('ended', exitCode, reason),
  endedByItself: () => '[ "$code" -le 130 ]',
  nothingLeftBehind: () => 'nobody_left',
  iterationCount: ({ limit }) => call('calls', limit),
  fileEquals: ({ path, text }) => call('equals', path, text?.trim()),
  fileContains: (about) => search(about, quoteWord(about.path ?? '')),
  promptContained: (about) => search(about, promptsOf(about)),
  promptLacked: (about) => search(about, promptsOf(about), 'lacks'),
  keptOutOfPrompt: (about) => search(about, promptsOf(about), 'lacks'),
  publishedByRalph: ({ topic, iteration }) => call('published', topic, iteration),
  hatSequence: ({ hats }) => call('worn', hats?.join(' ')),
  toldOnlyTo: (about) => search(about, '', `told_only ${quoteWord(about.hat ?? '')}`),
  hatRanOn: ({ hat, names = [] }) => call('ran_on', hat, names[0]),
  // A text is a JSON value.
  errandAnswered: ({ names: [name] = [], exitCode, pattern = '', text }, { answers }) =>
    text === undefined ? search({ pattern }, '', call('answered', answers.get(`${name}`), exitCode)) : null,
  memoriesListed: ({ names = [], texts = [] }, { answers }) =>
    call('lists', answers.get(`${names[0]}`), ...texts.map((text) => JSON.stringify(text))),
};

/** Writes a command with these words; null if one of them is not known. */
function call(name: string, ...words: readonly (string | number | undefined)[]): string | null {
  return words.includes(undefined) ? null : [name, ...words.map((word) => quoteWord(`${word}`))].join(' ');
}

function promptsOf({ iteration }: About): string {
  return `"$BUG"/prompt-${iteration ?? '*'}`;
}

/** Searches files for a text or a pattern; null if shell cannot say it. */
function search({ text, pattern = '' }: About, files: string, before: string | null = ''): string | null {
  const [, source = '', flags = ''] = /^\/([\s\S]*)\/(\w*)$/.exec(pattern) ?? [];
  const extended = text === undefined ? toExtended(source, flags) : null;
  const wanted = extended ?? text ?? toText(source);
  if (before === null || wanted === undefined) return null;
  return `${before} ${extended === null ? 'holds' : 'matches'} ${quoteWord(wanted)} ${files}`.trim();
}

/** Returns the text that a pattern of several plain lines stands for. */
function toText(source: string): string | undefined {
  const [, plain] = /^\^?((?:\\[n\W]|[^\\.*+?()[\]{}|^$])+)\$?$/.exec(source) ?? [];
  return plain?.replaceAll(/\\([\s\S])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
}

/** How POSIX writes what only JavaScript knows. */
const FORMS: Readonly<Record<string, string>> = {
  ...{ '[\\w-]': '[A-Za-z0-9_-]', '[\\d-]': '[0-9-]', '\\w': '[A-Za-z0-9_]', '\\d': '[0-9]' },
  ...{ '\\S': '[^[:space:]]', '\\/': '/', '(?:': '(' },
};

/** Writes a pattern for `grep -E`, which reads line by line; null if it has no such form, or if there is none. */
export function toExtended(source: string, flags: string): string | null {
  const extended = source.replaceAll(/\[(?:\\.|[^\]\\])*\]|\\.|\(\?:/g, (token) => FORMS[token] ?? token);
  const isWholeText = /(?<![\\[])[\^$]/.test(extended) && !flags.includes('m');
  // What may be the end of a line, other escapes, lookaround, and lazy quantifiers.
  const isOther = /\[\^(?!\[)|\\\w|(?<!\\)\[[^\]]*\\|\(\?|(?<!\\)[*+?}]\?|\n/.test(extended);
  return source === '' || isWholeText || isOther || /[is]/.test(flags) ? null : extended;
}
