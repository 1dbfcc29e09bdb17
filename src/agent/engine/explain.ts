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
    ...describeLoop(prompt),
    `Prompt, ${prompt.text.length} characters:`,
    ...quotePrompt(prompt.text),
    'Why each rule did not match:',
    ...(rules.length === 0 ? ['  (the script has no rules)'] : rules),
  ].join('\n');
}

/** The characters of a longer prompt that are shown. */
const SHOWN = { head: 1_300, tail: 700 } as const;

/** Quotes a prompt line by line: all of a short one, else its beginning and its end. */
function quotePrompt(text: string): string[] {
  const quote = (part: string) =>
    part.split('\n').map((line) => `  | ${line.replace(CONTROLS, escapeControl)}`);
  if (text.length <= SHOWN.head + SHOWN.tail) return quote(text);
  // Cut between words: half a credential would not be recognized as one later.
  const head = text.slice(0, SHOWN.head).replace(/[!-~]*$/, '');
  const tail = text.slice(-SHOWN.tail).replace(/^[!-~]*/, '');
  const left = text.length - head.length - tail.length;
  return [...quote(head), `  [… ${left} characters left out …]`, ...quote(tail)];
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function escapeControl(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Shows what Ralph puts into its prompts; nothing if the prompt has none of it, as those of other programs. */
function describeLoop({ hats, events, objective, completion, memories }: PromptView): string[] {
  const isRalphs =
    hats.length > 0 || events.length > 0 || objective !== '' || completion !== null || memories !== '';
  if (!isRalphs) return [];
  return [
    `Active hats: ${hats.join(', ') || 'none'}`,
    `Pending events: ${events.map(({ topic }) => topic).join(', ') || 'none'}`,
    `Objective: ${objective.slice(0, 300) || '(none found)'}`,
  ];
}
