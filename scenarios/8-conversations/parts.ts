import { onPrompt, type RuleBuilder } from '../../src/authoring.js';

/** When the model is sent this command of a plugin, expanded; `{{1}}` is what it was given. */
export function onCommand(command: string): RuleBuilder {
  return onPrompt(
    new RegExp(`<command-name>/${command}</command-name>(?:\\s*<command-args>([^<]*)</command-args>)?`),
  );
}

/** The lines with which the plugins have an answer end. */
export function ending(stage: string, next: string): string {
  return `\n\nSTAGE: ${stage}\nNEXT: /${next}`;
}

/** What agents of these scenarios may run without asking. */
export const ALLOWED = ['Bash(git *)', 'Bash(python3 *)', 'Bash(cat *)', 'Bash(ls *)'] as const;
