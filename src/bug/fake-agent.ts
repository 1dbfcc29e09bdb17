import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { testCondition } from '../agent/engine/match.js';
import { type PromptView, readPrompt } from '../agent/engine/prompt-view.js';
import { fillTemplate } from '../agent/engine/template.js';
import { completionStep, emitCommand, quoteWord } from '../agent/engine/workflow.js';
import type { AgentScript, Condition, Pattern, Rule, Step } from '../domain/agent-script.js';
import type { Evidence } from '../domain/evidence/evidence.js';

/** The fake agent: a script for each CLI, by its name, and what shell cannot say. */
export interface FakeAgent {
  readonly scripts: ReadonlyMap<string, string>;
  readonly gaps: readonly string[];
}

type Recorded = Pick<Evidence, 'iterations' | 'invocations' | 'promptText'>;

/** Writes the agent script as a shell script for each of these CLIs. It chooses its answer by what the prompt contains. */
export function writeFakeAgent(
  script: AgentScript,
  recorded: Recorded,
  commands: readonly string[],
): FakeAgent {
  const gaps: string[] = [];
  const views = findViews(recorded);
  const refusal = recorded.invocations.find(({ outcome }) => outcome === 'not-a-prompt')?.detail;
  const scripts = commands.map((command) => {
    const rules = script.rules.flatMap((rule, index) => {
      const found = writeRule(rule, index, { recorded, views, command });
      gaps.push(...found.gaps);
      return found.lines === null ? [] : [found.lines];
    });
    const head = [...HEAD, ...(command === 'claude' ? CLAUDE : PLAIN)];
    const otherwise = refusal === undefined ? 'no answer to this prompt' : refusal;
    const tail = [
      'else',
      `  echo ${quoteWord(otherwise)} >&2`,
      `  exit ${refusal === undefined ? 1 : 0}`,
      'fi',
      'finish',
    ];
    const branches = rules.flatMap(({ test, body }, index) => [
      `${index === 0 ? 'if' : 'elif'} ${test}; then`,
      ...body.map((line) => `  ${line}`),
    ]);
    return [command, `${[...head, '', ...branches, ...tail].join('\n')}\n`] as const;
  });
  return { scripts: new Map(scripts), gaps: [...new Set(gaps)] };
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
  'has() { grep -qF -e "$1" "$prompt"; }',
  '# up_to <rule> <times>: whether this rule has answered less often.',
  'up_to() { t=$(($(cat "$BUG/rule-$1" 2>/dev/null || echo 0) + 1)); [ "$t" -le "$2" ] && echo "$t" > "$BUG/rule-$1"; }',
];

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

/** Finds the recorded prompts by the rule that answered them. */
function findViews({ iterations, invocations }: Recorded): ReadonlyMap<number, readonly PromptView[]> {
  const prompts = new Map(
    iterations.flatMap(({ prompt }) => (prompt === null ? [] : [[hash(prompt), prompt] as const])),
  );
  const views = new Map<number, PromptView[]>();
  for (const { place, promptSha256 = '' } of invocations) {
    const prompt = prompts.get(promptSha256);
    if (prompt === undefined || place === null || place.kind !== 'rule') continue;
    views.set(place.rule, [...(views.get(place.rule) ?? []), readPrompt(prompt)]);
  }
  return views;
}

function hash(prompt: string): string {
  return createHash('sha256').update(prompt.trim()).digest('hex');
}

interface Place {
  readonly recorded: Recorded;
  readonly views: ReadonlyMap<number, readonly PromptView[]>;
  readonly command: string;
}

interface WrittenRule {
  readonly lines: { readonly test: string; readonly body: readonly string[] } | null;
  readonly gaps: readonly string[];
}

function writeRule(rule: Rule, index: number, { recorded, views, command }: Place): WrittenRule {
  const { when, respond, maxMatches, name } = rule;
  const asked = views.get(index) ?? [];
  const [view = imagine(when, recorded, [...views.values()].flat())] = asked;
  const tests = writeConditions(when, view);
  if (tests === null) return { lines: null, gaps: [`The rule "${name}" looks at more than the prompt.`] };
  if (maxMatches !== undefined) tests.push(`up_to ${index} ${maxMatches}`);
  const gaps: string[] = [];
  const bodies = (asked.length === 0 ? [view] : asked).map((prompt) => {
    const fit = testCondition(when, { prompt, conversation: '', cwd: '' }, 1);
    const captures = fit.fits ? fit.captures : null;
    const lines = respond.steps.flatMap((step) => {
      const line = writeStep(step, { prompt, captures, command });
      if (line === null) gaps.push(`The step "${step.do}" of "${name}" is left out.`);
      return line ?? [];
    });
    if (respond.failure?.type === 'crash') lines.push('kill -9 $$');
    else if (respond.failure !== undefined) lines.push(`echo ${respond.failure.type} >&2`, 'exit 1');
    return lines.length === 0 ? [':'] : lines;
  });
  const [first = [':']] = bodies;
  const isAlways = bodies.every((body) => body.join('\n') === first.join('\n'));
  const body = isAlways
    ? first
    : [
        `up_to ${index}-answers ${Number.MAX_SAFE_INTEGER}`,
        'case $t in',
        ...bodies.flatMap((lines, at) => [at + 1 < bodies.length ? `${at + 1})` : '*)', ...lines, ';;']),
        'esac',
      ];
  return { lines: { test: tests.join(' && ') || 'true', body }, gaps };
}

/** Imagines the prompt of a rule that never answered: the objective is known, and it declares completion as the others do. */
function imagine(
  { hat, event }: Condition,
  { promptText }: Recorded,
  others: readonly PromptView[],
): PromptView {
  return {
    ...readPrompt(promptText),
    objective: promptText,
    hats: hat === undefined ? [] : [hat],
    events: event === undefined ? [] : [{ topic: event, payload: '' }],
    completion: others.find(({ completion }) => completion !== null)?.completion ?? null,
  };
}

/** Says a condition in shell; null if it is about more than the prompt. */
function writeConditions(when: Condition, view: PromptView): string[] | null {
  const { hat, event, coordinating, objective, memories, prompt = [], ...more } = when;
  if (Object.values(more).some((value) => value !== undefined)) return null;
  const tests = [
    ...(hat === undefined ? [] : [`has ${quoteWord(`### ${hat} Instructions`)}`]),
    ...(event === undefined ? [] : [`has ${quoteWord(`Event: ${event} - `)}`]),
    ...(coordinating === undefined ? [] : [`${coordinating ? '! ' : ''}has '## ACTIVE HAT'`]),
  ];
  const patterns: readonly (readonly [Pattern | undefined, string])[] = [
    [objective, view.objective],
    [memories, view.memories],
    ...prompt.map((pattern) => [pattern, view.text] as const),
  ];
  for (const [pattern, text] of patterns) {
    if (pattern === undefined || 'any' in pattern) continue;
    const line = findLiteral(pattern, text);
    if (line !== null) tests.push(`has ${quoteWord(line)}`);
    else if (tests.length === 0) return null;
  }
  return tests;
}

/** Finds a line that the prompt contains if the pattern matches. */
function findLiteral(pattern: Pattern, text: string): string | null {
  if ('any' in pattern || 'glob' in pattern) return null;
  const matched =
    'regex' in pattern
      ? new RegExp(pattern.regex, pattern.flags).exec(text)?.[0]
      : 'exact' in pattern
        ? pattern.exact
        : pattern.contains;
  const lines = (matched ?? '').split('\n').toSorted((a, b) => b.length - a.length);
  return lines[0] === undefined || lines[0] === '' ? null : lines[0];
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
    case 'say':
      return [`say ${quoteSaid(fill(step.text), at.command)}`];
    case 'think':
    case 'read':
      return [];
    case 'write':
      return writeFileLines(fill(step.path), fill(step.text), '>');
    case 'append':
      return writeFileLines(fill(step.path), fill(step.text), '>>');
    case 'note':
      return writeFileLines(at.prompt.scratchpadPath, `${fill(step.text)}\n`, '>>');
    case 'run':
      return [`tool sh -c ${quoteWord(fill(step.command))}`];
    case 'emit': {
      const payload = step.payload === undefined ? undefined : fill(step.payload);
      const topic = fill(step.topic);
      if (step.by === 'tag')
        return [`say ${quoteSaid(`<event topic="${topic}">${payload ?? ''}</event>`, at.command)}`];
      return [`tool ${emitCommand(topic, payload)}`];
    }
    case 'complete':
      return writeStep(completionStep(at.prompt), at);
    case 'wait':
      return [`sleep ${step.milliseconds / 1000}`];
    case 'hang':
      return ['exec sleep 3600'];
    case 'edit':
    case 'tool':
      return null;
    default:
      return step satisfies never;
  }
}

function writeFileLines(path: string, text: string, into: '>' | '>>'): string[] {
  const folder = dirname(path);
  return [
    ...(folder === '.' ? [] : [`mkdir -p ${quoteWord(folder)}`]),
    `printf '%s' ${quoteWord(text)} ${into} ${quoteWord(path)}`,
  ];
}

/** Quotes a text for `say`, which puts it between the quotes of a JSON string if the CLI prints JSON. */
function quoteSaid(text: string, command: string): string {
  return quoteWord(command === 'claude' ? JSON.stringify(text).slice(1, -1) : text);
}
