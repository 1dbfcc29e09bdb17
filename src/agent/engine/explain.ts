import type { Answer } from './engine.js';
import type { PromptView } from './prompt-view.js';

/** The message about a prompt that nothing in the script answers: it names the prompt and every rule. */
export function explainNoMatch(
  prompt: PromptView,
  { mismatches }: Extract<Answer, { kind: 'none' }>,
): string {
  const rules = mismatches.map(({ name, reason }) => `  ${name}: ${reason}`);
  return [
    'ralph-e2e: no rule of the agent script answers this prompt.',
    'The prompt:',
    `  active hats: ${prompt.hats.join(', ') || 'none'}`,
    `  pending events: ${prompt.events.map(({ topic }) => topic).join(', ') || 'none'}`,
    `  objective: ${prompt.objective.slice(0, 300) || '(none found)'}`,
    `  length: ${prompt.text.length} characters, beginning: ${JSON.stringify(prompt.text.slice(0, 120))}`,
    'The rules, and why each does not fit:',
    ...(rules.length === 0 ? ['  (the script has no rules)'] : rules),
  ].join('\n');
}
