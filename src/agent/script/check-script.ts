import type { AgentScript, Condition, Pattern, Response } from '../../domain/agent-script.js';
import type { KeyPath } from '../../domain/common/issues.js';
import { messageOf } from '../../domain/common/message-of.js';
import { globToRegex, listPatterns } from '../engine/match.js';
import { fillTemplates } from '../engine/template.js';
import type { Problem } from './document.js';

/** A problem in a script, with the path in the keys of its dialect. */
export type ScriptProblem = Problem & { readonly path: KeyPath };

/**
 * Finds what a schema cannot see: patterns that do not compile, captures that do not exist, no rules at all. `key` is
 * the dialect's name of the list of rules.
 */
export function checkScript({ rules, default: fallback }: AgentScript, key: string): ScriptProblem[] {
  if (rules.length === 0 && fallback === undefined) {
    return [{ path: [], message: `the script is empty: expected ${key} or a default` }];
  }
  const ofRules = rules.flatMap(({ when, respond, turns }, index) => [
    ...checkAnswer(when, respond, [key, index]),
    ...turns.flatMap((turn, at) => checkAnswer(turn.when, turn.respond, [key, index, 'turns', at])),
  ]);
  return fallback === undefined ? ofRules : [...ofRules, ...checkAnswer({}, fallback, ['default'])];
}

function checkAnswer(when: Condition, respond: Response, path: KeyPath): ScriptProblem[] {
  const patterns = listPatterns(when);
  const problems = patterns.flatMap((pattern) => checkPattern(pattern)).map((message) => ({ path, message }));
  if (problems.length > 0) return problems;
  const captures = patterns.flatMap((pattern) => Array.from({ length: countGroups(pattern) }, () => '1'));
  try {
    fillTemplates(respond.steps, { captures, cwd: '', session: '' });
    return [];
  } catch (error) {
    return [{ path, message: messageOf(error) }];
  }
}

function checkPattern(pattern: Pattern): string[] {
  try {
    if ('regex' in pattern) new RegExp(pattern.regex, pattern.flags);
    if ('glob' in pattern) checkGlob(pattern.glob);
    return [];
  } catch (error) {
    const reason = messageOf(error);
    const flagsInFront = 'regex' in pattern && /^\(\?[a-z]+\)/.test(pattern.regex);
    return [flagsInFront ? `${reason}. Put flags after the expression: /…/i` : reason];
  }
}

function checkGlob(glob: string): void {
  const open = glob.replace(/\[!?\]?[^\]]*\]/g, '').includes('[');
  if (open) throw new Error(`Invalid glob: ${glob}: a [ is not closed; write [[] for a literal [`);
  globToRegex(glob);
}

function countGroups(pattern: Pattern): number {
  if (!('regex' in pattern)) return 0;
  // The added empty alternative always matches, so the match shows the number of groups.
  return (new RegExp(`${pattern.regex}|`, pattern.flags).exec('')?.length ?? 1) - 1;
}
