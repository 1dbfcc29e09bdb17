import type { AgentScript, Condition, Pattern, Rule } from '../domain/agent-script.js';
import type { PromptView } from './prompt-view.js';

/** A rule that fits the prompt, with what its patterns captured, numbered through from 1. */
export interface Match {
  readonly rule: Rule;
  readonly captures: readonly string[];
}

/** Why a rule did not fit, for the message about a prompt that nobody answers. */
export interface Mismatch {
  readonly rule: Rule;
  readonly reason: string;
}

/** Finds the first rule that fits, or tells of each why it does not. `played` counts earlier matches by rule name. */
export function findRule(
  script: AgentScript,
  prompt: PromptView,
  played: ReadonlyMap<string, number>,
): { match: Match } | { mismatches: Mismatch[] } {
  const mismatches: Mismatch[] = [];
  for (const rule of script.rules) {
    const captures: string[] = [];
    const reason =
      rule.maxMatches !== undefined && (played.get(rule.name) ?? 0) >= rule.maxMatches
        ? `already played ${rule.maxMatches} time(s)`
        : unmetCondition(rule.when, prompt, captures);
    if (reason === null) return { match: { rule, captures } };
    mismatches.push({ rule, reason });
  }
  return { mismatches };
}

function unmetCondition(when: Condition, prompt: PromptView, captures: string[]): string | null {
  const { hat, event, coordinating, objective, memories } = when;
  if (hat !== undefined && !prompt.hats.includes(hat)) {
    return `hat "${hat}" is not active (active: ${list(prompt.hats)})`;
  }
  if (event !== undefined && !prompt.events.some(({ topic }) => topic === event)) {
    return `event "${event}" is not pending (pending: ${list(prompt.events.map(({ topic }) => topic))})`;
  }
  if (coordinating !== undefined && coordinating !== (prompt.hats.length === 0)) {
    return coordinating ? `a hat is active: ${list(prompt.hats)}` : 'no hat is active';
  }
  const texts: [string, Pattern | undefined, string][] = [
    ['the objective', objective, prompt.objective],
    ['the memories', memories, prompt.memories],
    ...(when.prompt ?? []).map((pattern): [string, Pattern, string] => ['the prompt', pattern, prompt.text]),
  ];
  for (const [where, pattern, text] of texts) {
    if (pattern === undefined) continue;
    const found = capture(pattern, text);
    if (found === null) return `${where} does not match ${describePattern(pattern)}`;
    captures.push(...found);
  }
  return null;
}

function capture(pattern: Pattern, text: string): string[] | null {
  if ('contains' in pattern) return text.includes(pattern.contains) ? [] : null;
  const match = new RegExp(pattern.regex, pattern.flags).exec(text);
  return match === null ? null : match.slice(1).map((group) => group ?? '');
}

/** A pattern as an author would write it. */
function describePattern(pattern: Pattern): string {
  return 'contains' in pattern
    ? JSON.stringify(pattern.contains)
    : `/${pattern.regex}/${pattern.flags ?? ''}`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
