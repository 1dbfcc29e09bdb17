import { writeOutput } from '../../exec/direct-output.js';
import { UsageError } from '../failure.js';
import { memoryCommand } from './memory.js';
import { skillCommand } from './skill.js';
import { taskCommand } from './task.js';

const GROUPS: Readonly<Record<string, (words: readonly string[]) => number | Promise<number>>> = {
  memory: memoryCommand,
  task: taskCommand,
  skill: skillCommand,
  // Without a robot service there is nobody to notify; the real Ralph prints nothing either.
  interact: () => 0,
};

/** `ralph tools`: the commands for agents other than `emit`. */
export async function toolsCommand(words: readonly string[]): Promise<number> {
  const [group, ...rest] = words;
  const run = group === undefined ? undefined : GROUPS[group];
  if (run !== undefined) return run(rest);
  const usage = `Usage: ralph tools [OPTIONS] <COMMAND>\n\nCommands: ${Object.keys(GROUPS).join(', ')}`;
  if (group === '-h' || group === '--help') {
    writeOutput('stdout', `${usage}\n`);
    return 0;
  }
  throw new UsageError(group === undefined ? usage : `error: unrecognized subcommand '${group}'\n\n${usage}`);
}
