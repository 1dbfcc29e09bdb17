import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, parseArgs } from '../argv.js';
import { CommandError } from '../failure.js';
import { layOutFiles, writeTextFile } from '../store/files.js';

const RESUME: CommandSpec = {
  usage: 'ralph loops resume [OPTIONS] <LOOP_ID>',
  options: [],
  positionals: ['<LOOP_ID>'],
};

/** `ralph loops resume`. The other commands are about worktrees, which the stand-in does not have. */
export function loopsCommand(words: readonly string[]): number {
  const [name, ...rest] = words;
  if (name !== 'resume') {
    throw new CommandError(
      `The stand-in ralph does not support \`ralph loops ${name ?? ''}\`. It supports resume. Use a real ralph for the rest.`,
    );
  }
  const args = parseArgs(rest, RESUME);
  if (args.values.has('help')) {
    writeOutput('stdout', `Resume a suspended loop\n\nUsage: ${RESUME.usage}\n`);
    return 0;
  }
  const [id = ''] = args.positionals;
  const { loops } = layOutFiles(process.cwd());
  if (!existsSync(loops)) writeTextFile(loops, JSON.stringify({ loops: [] }, null, 2));
  if (!isKnown(id)) throw new CommandError(`Loop '${id}' not found`);
  writeOutput('stdout', `${resume(id)}\n`);
  return 0;
}

function resume(id: string): string {
  const files = layOutFiles(process.cwd());
  const requested = existsSync(files.resumeRequested);
  if (!existsSync(files.suspendState))
    return requested
      ? `Resume was already requested for loop '${id}'. The loop is not currently suspended; no action taken.`
      : `Loop '${id}' is not currently suspended. Nothing to resume.`;
  if (requested) return `Resume was already requested for loop '${id}'. Waiting for the loop to continue.`;
  writeTextFile(files.resumeRequested, '');
  return `Resume requested for loop '${id}'. The loop will continue from the suspended boundary.`;
}

/** The first loop of a workspace is in no list: like the real Ralph, the stand-in knows loops only by their branch. */
function isKnown(id: string): boolean {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `ralph/${id}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
