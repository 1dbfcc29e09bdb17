import { quoteWord } from '../agent/engine/workflow.js';
import type { AgentScript } from '../domain/agent-script.js';
import type { AttemptFinished } from '../domain/attempt.js';
import type { CheckResult } from '../domain/check.js';
import type { Evidence } from '../domain/evidence/evidence.js';
import type { ArrangedFile, Arrangement, Errand } from '../domain/scenario/arrangement.js';
import { type FakeAgent, writeFakeAgent } from './fake-agent.js';
import { type IssueFacts, writeIssue } from './issue.js';
import { listHelpers, writeShellCheck } from './shell-checks.js';

/** What a reproduction is made of. */
export interface BugFacts extends Omit<IssueFacts, 'checks' | 'cwd'> {
  readonly attempt: Pick<AttemptFinished, 'checks'>;
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
  const checks = facts.attempt.checks.filter(({ passed }) => !passed);
  const workspace: [string, ArrangedFile][] = Object.entries({
    ...arrangement.files,
    'ralph.yml': evidence.configYaml,
    'prompt.md': evidence.promptText,
  });
  return new Map([
    ['run.sh', { content: writeRun(facts, checks, agent), mode: 0o755 }],
    ['ISSUE.md', { content: writeIssue({ ...facts, checks, cwd: evidence.cwd }), mode: 0o644 }],
    ...[...agent.scripts].map(([name, content]) => [`bin/${name}`, { content, mode: 0o755 }] as const),
    ...workspace.map(([path, file]) => {
      const whole = typeof file === 'string' ? { content: file, mode: 0o644 } : file;
      return [`workspace/${path}`, whole] as const;
    }),
  ]);
}

/** The seconds after which run.sh ends a Ralph that does not end by itself. */
const TIME_LIMIT = 120;

function writeRun(
  { arrangement, evidence }: BugFacts,
  checks: readonly CheckResult[],
  agent: FakeAgent,
): string {
  const { before = [], after = [], path = [], terminal } = arrangement;
  const deeds = [
    ...agent.scripts.values(),
    ...Object.values(arrangement.files ?? {}).map((file) => (typeof file === 'string' ? file : file.content)),
    evidence.configYaml,
  ].join('\n');
  const asked = after.map((errand) => ('ralph' in errand ? errand.ralph.join(' ') : ''));
  const said = checks.map((check) => ({ check, line: writeShellCheck(check, { after: asked, deeds }) }));
  const lines = said.flatMap(({ check, line }) =>
    line === null ? [] : [`${line} || broken ${quoteWord(`${check.name}`)}`],
  );
  const unsaid = said.flatMap(({ check, line }) =>
    line === null ? [`# Also promised, and not checked here: ${oneLine(`${check.name}`)}`] : [],
  );
  const gaps = agent.gaps.map(
    (gap) => `# The fake agent is simpler than the one that was seen: ${oneLine(gap)}`,
  );
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
    'git init -q && git add -A && git commit -q -m start || exit 2',
    ...before.map((errand, index) => writeErrand(errand, `before-${index + 1}`)),
    ...writeStart(terminal, arrangement.args ?? []),
    'pid=$!',
    `( i=0; while [ $i -lt ${TIME_LIMIT} ] && kill -0 "$pid"; do sleep 1; i=$((i + 1)); done; kill -9 "$pid" ) > /dev/null 2>&1 &`,
    'wait "$pid" 2> /dev/null',
    'code=$?',
    ...(terminal === undefined ? [] : [': > "$dir/over"']),
    ...after.map((errand, index) => writeErrand(errand, `after-${index + 1}`)),
    '',
    `alive() { ps -o args= -p "$1" 2>/dev/null | grep -q -e "$here/bin" -e 'sleep 3600'; }`,
    ...listHelpers(lines),
    'status=0',
    'broken() { echo "broken: $1"; status=1; }',
    ...lines,
    ...unsaid,
    ...gaps,
    'for p in $(cat "$BUG/pids" 2>/dev/null); do alive "$p" && kill -9 "$p"; done',
    'echo "Ralph exited with $code. What it left is in $dir."',
    ...(lines.length === 0 ? ['echo "See ISSUE.md for what to look at."', 'exit 2'] : ['exit $status']),
  ].join('\n')}\n`;
}

/** Starts Ralph in the background. With an interface, what the agent writes to typed.txt is typed into it. */
function writeStart(terminal: Arrangement['terminal'], args: readonly string[]): string[] {
  const mode = terminal === undefined ? ['--no-tui'] : terminal === 'rpc' ? ['--rpc'] : [];
  const words = ['run', '-c', 'ralph.yml', ...mode, '-P', 'prompt.md', ...args].map(quoteWord).join(' ');
  const output = '> "$dir/stdout.txt" 2> "$dir/stderr.txt"';
  if (terminal === undefined) return [`"$ralph" ${words} ${output} < /dev/null &`];
  const quit = terminal === 'tui' ? ' for i in 1 2 3 4 5; do printf q; sleep 1; done;' : '';
  const typing = [
    'over() { [ -e "$dir/over" ] || grep -qs loop.terminate .ralph/events-*.jsonl; }',
    `type_in() { until over || [ -s typed.txt ]; do sleep 1; done; cat typed.txt; until over; do sleep 1; done;${quit} }`,
    'mkfifo "$dir/in" && type_in > "$dir/in" 2> /dev/null &',
    'until [ -p "$dir/in" ]; do sleep 1; done',
  ];
  if (terminal === 'rpc') return [...typing, `"$ralph" ${words} ${output} < "$dir/in" &`];
  const line = `stty rows 40 cols 120; exec '$ralph' ${words}`;
  return [...typing, `script --quiet --return --flush --command "${line}" /dev/null ${output} < "$dir/in" &`];
}

function writeErrand(errand: Errand, name: string): string {
  const output = `> "$dir/${name}.txt" 2> "$dir/${name}-errors.txt" < /dev/null`;
  if ('git' in errand) return `git ${errand.git.map(quoteWord).join(' ')} ${output}`;
  if ('session' in errand) {
    const { prompt, args = [] } = errand.session;
    const words = ['run', '-c', 'ralph.yml', '--no-tui', '-p', prompt, ...args].map(quoteWord).join(' ');
    // Ralph names its files by the second.
    return `"$ralph" ${words} ${output}; sleep 1`;
  }
  const changes = Object.entries(errand.env ?? {}).map(([key, value]) =>
    value === null ? `-u ${key}` : quoteWord(`${key}=${value}`),
  );
  const call = `${changes.length === 0 ? '' : `env ${changes.join(' ')} `}"$ralph" ${errand.ralph.map(quoteWord).join(' ')} ${output}`;
  return errand.in === undefined ? call : `( cd ${quoteWord(errand.in)} && ${call} )`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}
