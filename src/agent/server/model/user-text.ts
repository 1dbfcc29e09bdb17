import { removeBetween } from '../../../domain/common/between.js';
import type { Caller } from '../caller.js';

/**
 * Separates what the user said in a message from what the CLI added: context, and a request to go on after an answer
 * that stopped early.
 */
export function readUserText(
  message: string,
  caller: Caller,
  isFirst: boolean,
): { readonly text: string; readonly asksToGoOn: boolean } {
  const text = stripContext(message, caller);
  const at = findOwnWords(text, caller, isFirst);
  return at === null ? { text, asksToGoOn: false } : { text: text.slice(0, at).trim(), asksToGoOn: true };
}

/** Parts of a user's message that a CLI adds itself. Other programs may send the same words, and mean them. */
const CONTEXT: Readonly<Record<NonNullable<Caller['cli']>, readonly (readonly [string, string])[]>> = {
  // Commands that ran without the model, and reminders.
  claude: [
    ['<local-command-caveat>', '</local-command-stdout>'],
    ['<local-command-caveat>', '</local-command-stderr>'],
    ['<system-reminder>', '</system-reminder>'],
  ],
  opencode: [['<system-reminder>', '</system-reminder>']],
  // The environment and the instructions.
  codex: [
    ['<environment_context>', '</environment_context>'],
    ['<user_instructions>', '</user_instructions>'],
    ['<INSTRUCTIONS>', '</INSTRUCTIONS>'],
  ],
  gemini: [['<session_context>', '</session_context>']],
};

function stripContext(message: string, { cli }: Caller): string {
  if (cli === null) return message.trim();
  const text = CONTEXT[cli].reduce((rest, [open, close]) => removeBetween(rest, open, close), message);
  return (cli === 'codex' ? text.replace(/^# AGENTS\.md instructions for .*$/m, '') : text).trim();
}

/**
 * What CLIs say by themselves in the user's place. Claude Code 2.1.325 asks the model to go on after `max_tokens`,
 * after `refusal` and after an answer without words; codex 0.128 warns about the way in which a file was changed.
 */
const OWN_WORDS: Readonly<Partial<Record<NonNullable<Caller['cli']>, readonly string[]>>> = {
  claude: [
    'Output token limit hit. Resume directly',
    'Your response above was stopped by a safety classifier',
    '[Your previous response had no visible output',
    '[Your previous response reached the output limit with no visible output',
    'Your tool call was malformed and could not be parsed. Please retry.',
  ],
  codex: ['Warning: apply_patch was requested via'],
};

/**
 * Finds where a CLI's own words begin. They are a message after an answer, or the last line after the user's prompt if
 * the answer was empty: Claude Code then leaves it out and joins the messages around it.
 */
function findOwnWords(text: string, { cli }: Caller, isFirst: boolean): number | null {
  const words = cli === null ? [] : (OWN_WORDS[cli] ?? []);
  const isOwn = (from: number) => words.some((own) => text.startsWith(own, from));
  if (!isFirst && isOwn(0)) return 0;
  const lastLine = text.lastIndexOf('\n') + 1;
  return lastLine > 0 && isOwn(lastLine) ? lastLine : null;
}
