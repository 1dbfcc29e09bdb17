import { CommandError } from '../failure.js';
import { findSkill, listSkills } from '../prompt/skills.js';
import { runSubcommand, type Subcommand } from './subcommands.js';

const COMMANDS: Readonly<Record<string, Subcommand>> = {
  list: {
    spec: { usage: 'ralph tools skill list', options: [] },
    run: () => {
      for (const { name, description } of listSkills()) process.stdout.write(`${name}  ${description}\n`);
    },
  },
  load: {
    spec: { usage: 'ralph tools skill load <NAME>', options: [], positionals: ['<NAME>'] },
    run: (args) => {
      const name = args.positionals[0] ?? '';
      const skill = findSkill(name);
      if (skill === undefined) throw new CommandError(`skill '${name}' not found`);
      process.stdout.write(`${skill}\n`);
    },
  },
};

/** `ralph tools skill`. */
export function skillCommand(words: readonly string[]): number {
  return runSubcommand('skill', COMMANDS, words);
}
