import { testCondition } from '../agent/engine/match.js';
import { type PromptView, readPrompt } from '../agent/engine/prompt-view.js';
import { fillTemplate } from '../agent/engine/template.js';
import { completionStep, emitCommand, quoteWord } from '../agent/engine/workflow.js';
import type { AgentScript, Condition, Pattern, Rule, Step } from '../domain/agent-script.js';
import type { Evidence } from '../domain/evidence/evidence.js';
import { toExtended } from './shell-checks.js';

/** The fake agent: a script for each CLI, by its name, and what shell cannot say. */
export interface FakeAgent {
  readonly scripts: ReadonlyMap<string, string>;
  readonly gaps: readonly Gap[];
}

/** What the fake agent does not do. */
export interface Gap {
  readonly text: string;
  /** The files that it would write. Null if it would do more, or if their names are not known. */
  readonly files: readonly string[] | null;
}

type Recorded = Pick<Evidence, 'iterations' | 'invocations' | 'promptText'>;

/** Writes the agent script as a shell script for each of these CLIs. It chooses its answer by what the prompt contains. */
export function writeFakeAgent(
  script: AgentScript,
  recorded: Recorded,
  commands: readonly string[],
): FakeAgent {
  const gaps = new Map<string, Gap>();
  const prompts = recorded.iterations.flatMap(({ prompt }) => (prompt === null ? [] : [readPrompt(prompt)]));
  const refusal = recorded.invocations.find(({ outcome }) => outcome === 'not-a-prompt')?.detail;
  const scripts = commands.map((command) => {
    const context = { promptText: recorded.promptText, prompts, command, gaps, all: script.rules };
    const rules = script.rules.flatMap((rule, index) => writeRule(rule, index, context));
    return [
      command,
      `${[
        ...HEAD,
        ...(command === 'claude' ? CLAUDE : PLAIN),
        ...(refusal === undefined ? [LONG_PROMPT] : []),
        '',
        ...rules.map((lines, index) => `${index === 0 ? 'if' : 'elif'} ${lines}`),
        'else',
        `  echo ${quoteWord(refusal ?? 'no answer to this prompt')} >&2`,
        `  exit ${refusal === undefined ? 1 : 0}`,
        'fi',
        'finish',
      ].join('\n')}\n`,
    ] as const;
  });
  return { scripts: new Map(scripts), gaps: [...gaps.values()] };
}

const HEAD = [
  '#!/bin/sh',
  '# Plays the agent: it does and prints what the agent CLI of this name did.',
  'case $1 in --version) echo 0.0.0; exit ;; esac',
  'n=$(($(cat "$BUG/count" 2>/dev/null || echo 0) + 1))',
  'echo "$n" > "$BUG/count"',
  'echo "$$" >> "$BUG/pids"',
  `echo "\${0##*/}" >> "$BUG/callers"`,
  'prompt=$BUG/prompt-$n',
  'has() { case "$(cat "$prompt")" in *"$1"*) ;; *) return 1 ;; esac; }',
  'matches() { grep -qE -e "$1" "$prompt"; }',
  `write() { mkdir -p "$(dirname "$1")"; printf '%s' "$2" > "$1"; }`,
  `append() { mkdir -p "$(dirname "$1")"; printf '%s' "$2" >> "$1"; }`,
  '# up_to <rule> <times>: whether this rule has answered less often.',
  'up_to() { t=$(($(cat "$BUG/rule-$1" 2>/dev/null || echo 0) + 1)); [ "$t" -le "$2" ] && echo "$t" > "$BUG/rule-$1"; }',
];

/** Ralph writes a long prompt to a file and asks to read it. */
const LONG_PROMPT = `task=$(sed -n 's/^Please read and execute the task in //p' "$prompt"); [ ! -f "$task" ] || cat "$task" > "$prompt"`;

const CLAUDE = [
  // Ralph passes the prompt on stdin, or after `-p` if it has a terminal.
  'case " $* " in *" -p "*) printf \'%s\\n\' "$@" ;; *) cat ;; esac > "$prompt"',
  `say() { printf '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"%s"}]}}\\n' "$1"; }`,
  // Ralph looks for what its own commands print. Quotes and backslashes are left out: they would need escapes.
  `tool() { "$@" > "$BUG/answer-$n" 2>&1 < /dev/null; out=$(tr -d '\\000-\\010\\013-\\037"\\\\' < "$BUG/answer-$n" | tr '\\n\\t' '  '); printf '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"%s"}]}}\\n' "$out"; }`,
  `finish() { echo '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"num_turns":1,"total_cost_usd":0.01,"usage":{"input_tokens":1,"output_tokens":1}}'; }`,
  `echo '{"type":"system","subtype":"init","session_id":"1","model":"fake","tools":[]}'`,
];

const PLAIN = [
  'printf \'%s\\n\' "$@" > "$prompt"',
  `say() { printf '%s\\n' "$1"; }`,
  'tool() { "$@" > /dev/null 2>&1 < /dev/null; }',
  'finish() { :; }',
];

interface Context {
  readonly promptText: string;
  readonly prompts: readonly PromptView[];
  readonly command: string;
  readonly gaps: Map<string, Gap>;
  readonly all: readonly Rule[];
}

/** Says a rule as a branch of an `if`; none if it is about more than the prompt. */
function writeRule(rule: Rule, index: number, context: Context): string[] {
  const { promptText, prompts, command, gaps, all } = context;
  const { when, respond, maxMatches, name } = rule;
  const imagined = imagine(when, promptText, prompts);
  const [at = { prompt: imagined, captures: null, command }] = [...prompts, imagined].flatMap((prompt) => {
    const fit = testCondition(when, { prompt, conversation: '', cwd: '' }, 1);
    return fit.fits ? [{ prompt, captures: fit.captures, command }] : [];
  });
  const tests = writeConditions(when, at.prompt);
  const leaveOut = (text: string, files: Gap['files']) => gaps.set(`${text} ${files}`, { text, files });
  if (tests === null) leaveOut(`The rule "${name}" looks at more than the prompt.`, filesOf(rule, all));
  if (tests === null) return [];
  if (maxMatches !== undefined) tests.push(`up_to ${index} ${maxMatches}`);
  const body = respond.steps.flatMap((step) => {
    const lines = writeStep(step, at);
    if (lines === null) leaveOut(`The step "${step.do}" of "${name}" is left out.`, filesWritten(step));
    return lines ?? [];
  });
  if (respond.failure?.type === 'crash') body.push('kill -9 $$');
  else if (respond.failure !== undefined) body.push(`echo ${respond.failure.type} >&2`, 'exit 1');
  return [[`${tests.join(' && ') || 'true'}; then`, ...(body.length === 0 ? [':'] : body)].join('\n  ')];
}

function filesWritten(step: Step): readonly string[] | null {
  return (step.do === 'write' || step.do === 'append') && !step.path.includes('{{') ? [step.path] : null;
}

/** The files that a rule writes if it does nothing else, except for completing where all rules do. */
function filesOf({ respond }: Rule, all: readonly Rule[]): readonly string[] | null {
  const completes = (rule: Rule) => rule.respond.steps.some((step) => step.do === 'complete');
  const doAll = all.every(completes);
  const files = respond.steps.map((step) => (step.do === 'complete' && doAll ? [] : filesWritten(step)));
  return respond.failure !== undefined || files.includes(null) ? null : files.flatMap((paths) => paths ?? []);
}

/** Imagines the prompt of a rule that never answered: the objective is known, and it declares completion as the others do. */
function imagine({ hat, event }: Condition, text: string, others: readonly PromptView[]): PromptView {
  return {
    ...readPrompt(text),
    objective: text,
    hats: hat === undefined ? [] : [hat],
    events: event === undefined ? [] : [{ topic: event, payload: '' }],
    completion: others.find(({ completion }) => completion !== null)?.completion ?? null,
  };
}

/** Says a condition in shell; null if it is about more than the prompt, or if shell cannot say it. */
function writeConditions(when: Condition, view: PromptView): string[] | null {
  const { hat, event, coordinating, objective, memories, prompt = [], ...more } = when;
  if (Object.values(more).some((value) => value !== undefined)) return null;
  const tests = [
    ...(hat === undefined ? [] : [`has ${quoteWord(`### ${hat} Instructions`)}`]),
    ...(event === undefined ? [] : [`has ${quoteWord(`Event: ${event} - `)}`]),
    ...(coordinating === undefined ? [] : [`${coordinating ? '! ' : ''}has '## ACTIVE HAT'`]),
    writePattern(objective, view.objective),
    writePattern(memories, view.memories),
    ...prompt.map((pattern) => writePattern(pattern, view.text)),
  ].filter((test) => test !== '');
  return tests.every((test) => test !== null) ? tests : null;
}

/** Says a pattern in shell. If it is about several lines, it is replaced by what it matches in this text. */
function writePattern(pattern: Pattern | undefined, text: string): string | null {
  if (pattern === undefined || 'any' in pattern) return '';
  if ('contains' in pattern) return `has ${quoteWord(pattern.contains)}`;
  if (!('regex' in pattern)) return null;
  // What is a whole text for the rule is some lines of the prompt here.
  const extended = toExtended(pattern.regex, `${pattern.flags ?? ''}m`);
  if (extended !== null) return `matches ${quoteWord(extended)}`;
  const [matched = ''] = new RegExp(pattern.regex, pattern.flags).exec(text) ?? [];
  return matched === '' ? null : `has ${quoteWord(matched)}`;
}

interface Occasion {
  readonly prompt: PromptView;
  readonly captures: readonly string[] | null;
  readonly command: string;
}

/** Says a step in shell; null if shell, or what is known, does not suffice. */
function writeStep(step: Step, at: Occasion): string[] | null {
  const texts = Object.values(step).filter((value) => typeof value === 'string');
  const needsCaptures = texts.some((text) => /\{\{(?!=)/.test(text));
  const needsMore = texts.some((text) => /\{\{\s*(cwd|session|prompt)\s*\}\}/.test(text));
  if (needsMore || (needsCaptures && at.captures === null)) return null;
  const fill = (text: string) =>
    fillTemplate(text, { captures: at.captures ?? [], cwd: '', session: '', prompt: '' });
  switch (step.do) {
    case 'say': {
      // The fake claude puts it between the quotes of a JSON string.
      const text = fill(step.text);
      return [`say ${quoteWord(at.command === 'claude' ? JSON.stringify(text).slice(1, -1) : text)}`];
    }
    case 'think':
    case 'read':
      return [];
    case 'write':
    case 'append':
      return [`${step.do} ${quoteWord(fill(step.path))} ${quoteWord(fill(step.text))}`];
    case 'note':
      return [`append ${quoteWord(at.prompt.scratchpadPath)} ${quoteWord(`${fill(step.text)}\n`)}`];
    case 'run':
      return [`tool sh -c ${quoteWord(fill(step.command))}`];
    case 'emit': {
      const { topic, payload, by } = step;
      const text = `<event topic="${topic}">${payload ?? ''}</event>`;
      if (by === 'tag') return writeStep({ do: 'say', text }, at);
      return [`tool ${emitCommand(fill(topic), payload === undefined ? undefined : fill(payload))}`];
    }
    case 'complete':
      return writeStep(completionStep(at.prompt), at);
    case 'wait':
      return [`sleep ${step.milliseconds / 1000}`];
    case 'hang':
      return ['exec sleep 3600'];
    default:
      return null;
  }
}
