import { quoteWord } from '../agent/engine/workflow.js';
import type { AgentScript } from '../domain/agent-script.js';
import type { CheckResult, Sentence } from '../domain/check.js';
import type { Evidence } from '../domain/evidence/evidence.js';
import { RALPH_TOPICS } from '../domain/evidence/ralph-words.js';
import type { ArrangedFile, Arrangement, Errand } from '../domain/scenario/arrangement.js';
import { inlineText } from '../report/text/safe-text.js';
import { type FakeAgent, type Gap, writeFakeAgent } from './fake-agent.js';
import { listHelpers, writeShellCheck } from './shell-checks.js';

/** What a reproduction is made of. */
export interface BugFacts extends IssueFacts {
  readonly evidence: Evidence;
  readonly script: AgentScript;
  readonly arrangement: Arrangement;
  /** The executables that Ralph may start as agents. */
  readonly commands: readonly string[];
}

/** The files of a reproduction, by their paths in its folder. */
export type BugFiles = ReadonlyMap<string, Exclude<ArrangedFile, string>>;

/** Writes a folder that shows one broken promise of Ralph with sh, git and Ralph alone. */
export function writeReproduction(facts: BugFacts): BugFiles {
  const { evidence, arrangement, script, commands } = facts;
  const agent = writeFakeAgent(script, evidence, commands);
  const workspace = {
    ...arrangement.files,
    'ralph.yml': evidence.configYaml,
    'prompt.md': evidence.promptText,
  };
  return new Map([
    ['run.sh', { content: writeRun(facts, agent), mode: 0o755 }],
    ['ISSUE.md', { content: writeIssue(facts), mode: 0o644 }],
    ...[...agent.scripts].map(([name, content]) => [`bin/${name}`, { content, mode: 0o755 }] as const),
    ...Object.entries(workspace).map(([path, file]) => [`workspace/${path}`, withMode(file)] as const),
  ]);
}

function withMode(file: ArrangedFile): Exclude<ArrangedFile, string> {
  return typeof file === 'string' ? { content: file, mode: 0o644 } : file;
}

function writeRun({ arrangement, evidence, checks }: BugFacts, agent: FakeAgent): string {
  const { files = {}, before = [], after = [], path = [], terminal } = arrangement;
  const contents = Object.values(files).map((file) => withMode(file).content);
  const deeds = [...agent.scripts.values(), ...contents, evidence.configYaml].join('\n');
  const errands = [...before, ...after];
  const errandLines = errands.map(writeErrand);
  const answers = new Map(
    errands.map((errand, index) => ['ralph' in errand ? errand.ralph.join(' ') : '', `command-${index + 1}`]),
  );
  const lines: string[] = [];
  const remarks = agent.gaps.map(({ text }) => `${SIMPLER} ${text}`);
  const needed = agent.gaps.filter((gap) => isNeeded(gap, { deeds, errands }));
  for (const check of checks) {
    const line = writeShellCheck(check, { answers, deeds });
    if (line === null) remarks.unshift(`Also promised, and not checked here: ${check.name}`);
    else lines.push(`${line} || broken ${quoteWord(`${check.name}`)}`);
  }
  const folders = path.map((folder) => `"$dir/project/${folder}":`).join('');
  return `${[
    '#!/bin/sh',
    '# Usage: ./run.sh <path of ralph>',
    '# Exit code 0: Ralph keeps its promise. 1: it does not. 2: this script cannot say.',
    'here=$(cd "$(dirname "$0")" && pwd)',
    `ralph=$(cd "$(dirname "\${1:?path of ralph}")" && pwd)/$(basename "$1")`,
    '[ -x "$ralph" ] || { echo "$ralph: not a program" >&2; exit 2; }',
    ...(terminal === 'tui'
      ? ['command -v script > /dev/null || { echo "needs script(1)" >&2; exit 2; }']
      : []),
    'dir=$(mktemp -d) || exit 2',
    'mkdir "$dir/home" "$dir/bug" && cp -R "$here/workspace" "$dir/project" && cd "$dir/project" || exit 2',
    'export HOME="$dir/home" BUG="$dir/bug" RALPH_DIAGNOSTICS=1 GIT_CONFIG_NOSYSTEM=1 TERM=dumb',
    'export GIT_AUTHOR_NAME=bug GIT_AUTHOR_EMAIL=bug@localhost GIT_COMMITTER_NAME=bug GIT_COMMITTER_EMAIL=bug@localhost',
    `export PATH=${folders}"$here/bin:$(dirname "$ralph"):$PATH"`,
    'git init -q -b main && git add -A && git commit -q -m start || exit 2',
    ...(errands.length === 0 ? [] : [ERRAND]),
    ...errandLines.slice(0, before.length),
    ...(before.length === 0 ? [] : ['rm -f "$BUG"/count "$BUG"/callers "$BUG"/prompt-*']),
    ...writeStart(terminal, arrangement.args ?? []),
    'pid=$!',
    `( i=0; while [ $i -lt 120 ] && kill -0 "$pid"; do sleep 1; i=$((i + 1)); done; kill -9 "$pid" ) > /dev/null 2>&1 &`,
    'wait "$pid" 2> /dev/null',
    'code=$?',
    ...(evidence.invocations.length === 0 ? [] : [NEEDS_AGENT]),
    ...(terminal === undefined ? [] : [': > "$dir/over"']),
    ...errandLines.slice(before.length),
    '',
    `alive() { ps -o args= -p "$1" 2>/dev/null | grep -q -e "$here/bin" -e 'sleep 3600'; }`,
    ...listHelpers(lines),
    'status=0',
    needed.length === 0
      ? 'broken() { echo "broken: $1"; status=1; }'
      : 'broken() { echo "cannot say why this is not so: $1"; status=2; }',
    ...lines,
    ...needed.map(({ text }) => `[ "$status" = 0 ] || echo ${quoteWord(oneRemark(`${SIMPLER} ${text}`))}`),
    ...remarks.map((text) => `# ${oneRemark(text)}`),
    'for p in $(cat "$BUG/pids" 2>/dev/null); do alive "$p" && kill -9 "$p"; done',
    'echo "Ralph exited with $code. What it left is in $dir."',
    ...(lines.length === 0 ? ['echo "See ISSUE.md for what to look at."', 'exit 2'] : ['exit $status']),
  ].join('\n')}\n`;
}

const SIMPLER = 'The fake agent is simpler than the one that was seen:';

function oneRemark(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}

/**
 * Whether a Ralph that keeps its promise may seem to break it because the fake agent does not do this. A file that
 * nothing else names cannot: Ralph reads only its own, and checks of such a file are left out.
 */
function isNeeded(
  { files }: Gap,
  { deeds, errands }: { readonly deeds: string; readonly errands: readonly Errand[] },
): boolean {
  const named = `${deeds}\n${JSON.stringify(errands)}`;
  const isSeen = (path: string) => path.startsWith('.ralph/') || named.includes(path);
  return files === null || files.some(isSeen) || errands.some((errand) => 'git' in errand);
}

const NEEDS_AGENT = `[ -e "$BUG/callers" ] || { cat "$dir/stderr.txt"; echo 'Ralph did not start the agent'; exit 2; } >&2`;

/** Starts Ralph in the background. With an interface, what the agent writes to typed.txt is typed into it. */
function writeStart(terminal: Arrangement['terminal'], args: readonly string[]): string[] {
  const mode = terminal === undefined ? ['--no-tui'] : terminal === 'rpc' ? ['--rpc'] : [];
  const words = quoteWords(['run', '-c', 'ralph.yml', ...mode, '-P', 'prompt.md', ...args]);
  const output = '> "$dir/stdout.txt" 2> "$dir/stderr.txt"';
  if (terminal === undefined) return [`"$ralph" ${words} ${output} < /dev/null &`];
  const quit = terminal === 'tui' ? ' for i in 1 2 3 4 5; do printf q; sleep 1; done;' : '';
  const inTerminal = `script --quiet --return --flush --command "stty rows 40 cols 120; exec '$ralph' ${words}" /dev/null`;
  return [
    `over() { [ -e "$dir/over" ] || grep -qs ${RALPH_TOPICS.end} .ralph/events-*.jsonl; }`,
    `type_in() { until over || [ -s typed.txt ]; do sleep 1; done; cat typed.txt; until over; do sleep 1; done;${quit} }`,
    'mkfifo "$dir/in" && type_in > "$dir/in" 2> /dev/null &',
    'until [ -p "$dir/in" ]; do sleep 1; done',
    `${terminal === 'rpc' ? `"$ralph" ${words}` : inTerminal} ${output} < "$dir/in" &`,
  ];
}

const ERRAND =
  'errand() { name=$1; shift; "$@" > "$dir/$name.txt" 2> "$dir/$name-errors.txt" < /dev/null; echo $? > "$dir/$name-code.txt"; }';

function writeErrand(errand: Errand, index: number): string {
  const name = `command-${index + 1}`;
  if ('git' in errand) return `errand ${name} git ${quoteWords(errand.git)}`;
  if ('session' in errand) {
    const { prompt, args = [] } = errand.session;
    // Ralph names its files by the second.
    return `errand ${name} "$ralph" ${quoteWords(['run', '-c', 'ralph.yml', '--no-tui', '-p', prompt, ...args])}; sleep 1`;
  }
  const changes = Object.entries(errand.env ?? {}).map(([key, value]) =>
    value === null ? `-u ${key} ` : `${quoteWord(`${key}=${value}`)} `,
  );
  const line = `errand ${name} ${changes.length === 0 ? '' : 'env '}${changes.join('')}"$ralph" ${quoteWords(errand.ralph)}`;
  return errand.in === undefined ? line : `( cd ${quoteWord(errand.in)} && ${line} )`;
}

function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

/** What an issue says. */
interface IssueFacts {
  /** What Ralph should do, in one sentence. */
  readonly description: string;
  /** What it does instead, if that is known. */
  readonly reason: string | null;
  /** The checks that failed. */
  readonly checks: readonly CheckResult[];
  readonly ralphVersion: string;
  readonly agent: string;
  readonly cwd: string;
  /** The places in the source of this Ralph that promise it. */
  readonly places: readonly string[];
}

/** Writes the text of an issue for the maintainers of Ralph. */
export function writeIssue(facts: IssueFacts): string {
  const { description, reason, checks, ralphVersion, agent, cwd, places } = facts;
  const promises = new Set(checks.flatMap((check) => (check.promises ?? []).map(({ promise }) => promise)));
  /** Leaves out where the test ran, and what Markdown would act on. */
  const clean = (text: Sentence) =>
    inlineText(`${text}`.replaceAll(cwd, '.').replaceAll(/(?:node )?\/\S*\/agent\/bin\//g, ''), 400);
  return `${[
    `# ${upper(reason ?? `${description}: broken`)}`,
    '## Promise',
    [`- ${description}.`, ...[...promises].map((promise) => `- ${promise}`)].join('\n'),
    '## What happens',
    reason === null ? 'See below: what was expected, and what was received.' : `${upper(reason)}.`,
    '## Steps',
    '```sh\n./run.sh /path/to/ralph    # 0: the promise is kept, 1: it is broken, 2: look yourself\n```',
    `\`bin/\` has the agent: a shell script named like the CLI that Ralph starts. \`workspace/\` has ralph.yml, the prompt and the files of the project.`,
    '## Expected and received',
    checks
      .map(
        ({ name, expected, actual }) =>
          `- ${clean(name)}\n  - expected: ${clean(expected)}\n  - received: ${clean(actual)}`,
      )
      .join('\n'),
    '## Versions',
    `Ralph ${ralphVersion}, with \`cli.backend\` for ${agent}, on Linux.`,
    '## Likely place',
    places.length === 0 ? 'Unknown.' : places.map((place) => `- ${place}`).join('\n'),
  ].join('\n\n')}\n`;
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
