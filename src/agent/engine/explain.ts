import type { Answer } from './engine.js';
import type { PromptView } from './prompt-view.js';

/** Explains why a prompt does not fit a recording: compares it with the first recorded one that is still due. */
export function explainDivergence({ mismatches }: Extract<Answer, { kind: 'none' }>): string {
  const due = mismatches.find(({ spent }) => spent !== true);
  return due === undefined
    ? `The recording has ${mismatches.length} answers, and Ralph asked once more.`
    : `Where ${due.name} was recorded, ${due.reason}`;
}

/** Explains why no rule answered a prompt: shows the prompt, and each rule with the reason it did not match. */
export function explainNoMatch(
  prompt: PromptView,
  { mismatches }: Extract<Answer, { kind: 'none' }>,
): string {
  const rules = mismatches.map(({ name, reason }) => `  ${name}: ${reason}`);
  return [
    'ralph-e2e: no rule in the agent script answers this prompt.',
    'Prompt:',
    ...describeLoop(prompt),
    `  length: ${prompt.text.length} characters, starts with ${JSON.stringify(prompt.text.slice(0, 120))}`,
    'Why each rule did not match:',
    ...(rules.length === 0 ? ['  (the script has no rules)'] : rules),
  ].join('\n');
}

/** Shows what Ralph puts into its prompts; nothing if the prompt has none of it, as those of other programs. */
function describeLoop({ hats, events, objective, completion, memories }: PromptView): string[] {
  const isRalphs =
    hats.length > 0 || events.length > 0 || objective !== '' || completion !== null || memories !== '';
  if (!isRalphs) return [];
  return [
    `  active hats: ${hats.join(', ') || 'none'}`,
    `  pending events: ${events.map(({ topic }) => topic).join(', ') || 'none'}`,
    `  objective: ${objective.slice(0, 300) || '(none found)'}`,
  ];
}
