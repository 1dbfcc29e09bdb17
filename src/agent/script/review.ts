import type { AgentScript, Pattern, Response, Rule } from '../../domain/agent-script.js';
import { advance, answer, describePlace, EMPTY_STATE, failFirst, tryInOrder } from '../engine/engine.js';
import type { Call } from '../engine/match.js';
import { readPrompt } from '../engine/prompt-view.js';

/** Describes a script in one line: what it has. */
export function summarizeScript({ rules, default: fallback }: AgentScript): string {
  const turns = rules.reduce((sum, rule) => sum + rule.turns.length, 0);
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  const rest = fallback === undefined ? 'no default' : 'a default';
  return [count(rules.length, 'rule'), ...(turns === 0 ? [] : [count(turns, 'turn')]), rest].join(', ');
}

/** Finds rules that no prompt can reach: a rule before them takes every prompt, or has the same conditions. */
export function findUnreachable(script: AgentScript): string[] {
  const { rules, default: fallback } = script;
  const first = rules.findIndex(takesEverything);
  const catcher = rules[first];
  if (catcher === undefined) return findRepeated(script);
  const unused = `the default is never used: response[${first}] (${catcher.name}) takes every prompt`;
  const after = rules.flatMap(({ name, when }, index) =>
    // The result of a tool selects its rule apart from the order.
    index <= first || when.toolResult !== undefined
      ? []
      : [
          `response[${index}] (${name}) is never reached: response[${first}] (${catcher.name}) takes every prompt`,
        ],
  );
  return [
    ...findRepeated({ ...script, rules: rules.slice(0, first) }),
    ...after,
    ...(fallback === undefined ? [] : [unused]),
  ];
}

function takesEverything({ when, maxMatches }: Rule): boolean {
  const { prompt = [], ...others } = when;
  const isOpen = Object.values(others).every((condition) => condition === undefined);
  return maxMatches === undefined && isOpen && prompt.every(matchesEverything);
}

function matchesEverything(pattern: Pattern): boolean {
  if ('glob' in pattern) return /^\*+$/.test(pattern.glob);
  if ('regex' in pattern) return EVERYTHING.has(pattern.regex);
  return 'any' in pattern || ('contains' in pattern && pattern.contains === '');
}

/** Regular expressions that people write for any text; they match somewhere in every one. */
const EVERYTHING: ReadonlySet<string> = new Set([
  '',
  '.*',
  '^.*',
  '.*?',
  '^',
  '$',
  '[\\s\\S]*',
  '^[\\s\\S]*$',
]);

/** Finds rules with the same conditions as one before them that may always answer. */
function findRepeated({ rules }: AgentScript): string[] {
  return rules.flatMap(({ name, when }, index) => {
    const first = rules.findIndex((other) => JSON.stringify(other.when) === JSON.stringify(when));
    return first === index || rules[first]?.maxMatches !== undefined
      ? []
      : [`response[${index}] (${name}) is never reached: response[${first}] has the same conditions`];
  });
}

/** What a rule can test besides the prompt. */
export type ExplainedCall = Pick<Call, 'cwd' | 'model' | 'systemPrompt' | 'flags' | 'session'>;

/** Explains the answers to the prompts of one conversation: which part answers, and why the others do not. */
export function explainPrompts(
  script: AgentScript,
  prompts: readonly string[],
  { cwd, model = script.identity?.model, session = sessionIn(script), ...about }: ExplainedCall,
): { readonly lines: readonly string[]; readonly unanswered: number } {
  const lines: string[] = [];
  let unanswered = 0;
  let state = EMPTY_STATE;
  const failures = new Map<string, number>();
  for (const [index, text] of prompts.entries()) {
    const call: Call = {
      prompt: readPrompt(text),
      conversation: CONVERSATION,
      earlier: prompts.slice(0, index).join('\n'),
      cwd,
      session,
      ...about,
      ...(model === undefined ? {} : { model }),
    };
    const found = answer(script, state, call);
    const place = found.kind === 'answer' ? found.place : null;
    const where = place === null ? null : describePlace(place);
    const failed = failures.get(where ?? '') ?? 0;
    const now = found.kind === 'answer' ? failFirst(found.response, failed) : null;
    lines.push(`> ${text}`);
    for (const { place: tried, name, fit } of tryInOrder(script, state, call)) {
      const here = describePlace(tried);
      if (here === where)
        lines.push(`  ${here} answers: ${name}: ${now === null ? '' : describeResponse(now.response)}`);
      else if (fit.fits)
        lines.push(`  ${here} is not used: ${name}: it matches too, but ${where} comes first`);
      else lines.push(`  ${here} is not used: ${name}: ${fit.reason}`);
    }
    if (place?.kind === 'default' && now !== null) {
      lines.push(`  default answers, because no rule matches: ${describeResponse(now.response)}`);
    }
    if (place === null) {
      unanswered += 1;
      lines.push('  Nothing answers: this prompt is an error. Add a rule for it, or a default.');
    }
    // The caller asks again after a temporary failure, which counts as no match.
    if (now?.passes === true) failures.set(where ?? '', failed + 1);
    else state = advance(script, state, CONVERSATION, place);
  }
  return { lines, unanswered };
}

const CONVERSATION = 'main';

function sessionIn({ identity }: AgentScript): string {
  return identity?.sessionId ?? CONVERSATION;
}

function describeResponse({ steps, failure }: Response): string {
  const parts = steps.map((step) => (step.do === 'say' ? `say ${JSON.stringify(step.text)}` : step.do));
  return [...parts, ...(failure === undefined ? [] : [`fail: ${failure.type}`])].join(', ') || 'nothing';
}
