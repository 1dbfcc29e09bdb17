import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, parseArgs, readOption } from '../argv.js';
import { loadConfig } from '../config/load.js';
import { createLog } from '../log.js';
import { layOutFiles } from '../store/files.js';

const SPEC: CommandSpec = {
  usage: 'ralph clean [OPTIONS]',
  options: [{ long: 'dry-run' }, { long: 'diagnostics' }],
};

/** `ralph clean`: removes the scratchpad's folder, including memories and tasks. */
export async function cleanCommand(words: readonly string[]): Promise<number> {
  const args = parseArgs(words, SPEC);
  if (args.values.has('help')) {
    writeOutput('stdout', `Usage: ${SPEC.usage}\n`);
    return 0;
  }
  const workspace = process.cwd();
  const log = createLog({ verbose: args.values.has('verbose'), headless: true, workspace });
  const diagnostics = args.values.has('diagnostics');
  const folder = diagnostics
    ? layOutFiles(workspace).diagnostics
    : dirname(
        (await loadConfig(args.values.get('config') ?? [], readOption(args, 'hats'), log)).core.scratchpad
          .path,
      );
  if (!existsSync(folder)) {
    writeOutput('stdout', `Nothing to clean: Directory '${folder}' does not exist\n`);
    return 0;
  }
  if (args.values.has('dry-run')) {
    const content = diagnostics
      ? `  (${readdirSync(folder).length} session directories)\n`
      : listContent(folder, '  ');
    writeOutput('stdout', `Dry run mode: Would delete directory and all contents:\n  ${folder}\n${content}`);
    return 0;
  }
  rmSync(folder, { recursive: true });
  writeOutput('stdout', `Cleaned: Deleted '${folder}' and all contents\n`);
  return 0;
}

function listContent(folder: string, indent: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) =>
      entry.isDirectory()
        ? `${indent}${entry.name}/\n${listContent(join(folder, entry.name), `${indent}  `)}`
        : `${indent}${entry.name}\n`,
    )
    .join('');
}
