import { expandFile, type SessionPlace } from '../plugins/commands.js';
import type { CommandFile } from '../plugins/plugins.js';
import { failed, onlyReal, refusedInput, type ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** Returns the error for a skill that no plugin has, or that only users may call, or null. */
export function checkSkill(skills: readonly CommandFile[], { skill }: Input): ToolOutcome | null {
  const found = findSkill(skills, skill);
  if (found === undefined) return refusedInput(`Unknown skill: ${String(skill)}`);
  return found.isForUsersOnly
    ? refusedInput(
        `Skill ${found.name} cannot be used with Skill tool due to disable-model-invocation. Ask the user to run /${found.name} themselves — it cannot be invoked via the Skill tool. Do not replicate this skill's workflow by other means — it is reserved for explicit user invocation.`,
      )
    : null;
}

/** Loads a skill. Its text follows the result as a message in the user's place. */
export function loadSkill(
  skills: readonly CommandFile[],
  { skill, args }: Input,
  place: SessionPlace,
): ToolOutcome {
  const found = findSkill(skills, skill);
  if (found === undefined) return failed(`Unknown skill: ${String(skill)}`);
  const { text, unknown } = expandFile(found, typeof args === 'string' ? args : '', place);
  if (text === null) return onlyReal(`the skill ${found.name}: ${unknown}`);
  return {
    content: `Launching skill: ${found.name}`,
    details: { success: true, commandName: found.name },
    isError: false,
    message: text,
  };
}

function findSkill(skills: readonly CommandFile[], wanted: unknown): CommandFile | undefined {
  const plain = String(wanted).replace(/^\//, '');
  return skills.find(({ name, aliases }) => name === plain || aliases.includes(plain));
}
