import type { CommandFile } from '../plugins/command-files.js';
import { expandFile } from '../plugins/commands.js';
import { failed, refusedInput, type ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** Returns the error for a skill that no plugin has, or null. */
export function checkSkill(skills: readonly CommandFile[], { skill }: Input): ToolOutcome | null {
  return findSkill(skills, skill) === undefined ? refusedInput(`Unknown skill: ${String(skill)}`) : null;
}

/** Loads a skill. Its text follows the result as a message in the user's place. */
export function loadSkill(skills: readonly CommandFile[], { skill, args }: Input): ToolOutcome {
  const found = findSkill(skills, skill);
  if (found === undefined) return failed(`Unknown skill: ${String(skill)}`);
  return {
    content: `Launching skill: ${found.name}`,
    details: { success: true, commandName: found.name },
    isError: false,
    message: expandFile(found, typeof args === 'string' ? args : ''),
  };
}

function findSkill(skills: readonly CommandFile[], wanted: unknown): CommandFile | undefined {
  const plain = String(wanted).replace(/^\//, '');
  return skills.find(({ name, aliases }) => name === plain || aliases.includes(plain));
}
