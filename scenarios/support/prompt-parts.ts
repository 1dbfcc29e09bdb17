import { escapePattern } from './texts.js';

/** Matches an objective as every prompt has it. */
export function inObjective(objective: string): RegExp {
  return new RegExp(`^## OBJECTIVE\n\n\\*\\*[^\n]*\\*\\*\n\n> ${escapePattern(objective)}\n\n`, 'm');
}

/** Matches the objective at the end of a prompt that says how to complete. */
export function inReminder(objective: string): RegExp {
  return new RegExp(`^## DONE\n[\\s\\S]*\n> ${escapePattern(objective)}\n`, 'm');
}

/** Matches the request that starts a loop, as its first prompt has it. */
export function inRequest(objective: string): RegExp {
  return new RegExp(
    `^Event: task\\.start - <top-level-prompt>\n${escapePattern(objective)}\n+</top-level-prompt>\n`,
    'm',
  );
}

/** Matches the six default guardrails, by what each is about: their words may change in any release. */
export const DEFAULT_GUARDRAILS =
  /^### GUARDRAILS\n999\. .*is memory\n1000\. .*[Ss]earch.*\n1001\. .*tests.*\n1002\. .*user.*\n1003\. .*decisions\.md.*\n1004\. .*[Cc]ommit.*\n\n/m;

/** In every prompt: who reads it. */
export const ORIENTATION = 'You are Ralph. You are running in a loop. You have fresh context each iteration.';

/** In every prompt: how to publish an event. */
export const EVENT_WRITING = /^## EVENT WRITING\n[\s\S]*^ralph emit "/m;

/** Why cheating by hand does not apply to a scenario about prompts. */
export const ONLY_PROMPTS = 'this tests what prompts say, and not the commands of Ralph';
