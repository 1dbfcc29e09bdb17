import type { AgentScript, Response, Rule } from '../../domain/agent-script.js';
import { advance, answer, describePlace, EMPTY_STATE, tryAll } from '../engine/engine.js';
import { failFirst } from '../engine/fail-first.js';
import type { Call } from '../engine/match.js';
import { readPrompt } from '../engine/prompt-view.js';

/** Describes a script in one line: what it has. */
export function summarizeScript({ rules, default: fallback }: AgentScript): string {
  const turns = rules.reduce((sum, rule) => sum + rule.turns.length, 0);
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  const rest = fallback === undefined ? 'no default' : 'a default';
  return [count(rules.length, 'rule'), ...(turns === 0 ? [] : [count(turns, 'turn')]), rest].join(', ');
}

/** Finds rules that no prompt can reach, because a rule before them takes every prompt. */
export function findUnreachable({ rules }: AgentScript): string[] {
  const first = rules.findIndex(takesEverything);
  const catcher = rules[first];
  if (catcher === undefined) return [];
  return rules.flatMap(({ name, when }, index) =>
    // The result of a tool selects its rule apart from the order.
    index <= first || when.toolResult !== undefined
      ? []
      : [
          `response[${index}] (${name}) is never reached: response[${first}] (${catcher.name}) takes every prompt`,
        ],
  );
}

function takesEverything({ when, maxMatches }: Rule): boolean {
  const { prompt = [], ...others } = when;
  const isOpen = Object.values(others).every((condition) => condition === undefined);
  return maxMatches === undefined && isOpen && prompt.every((pattern) => 'any' in pattern);
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
    for (const { place: tried, name, fit } of tryAll(script, state, call)) {
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
