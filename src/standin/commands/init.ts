import { existsSync, writeFileSync } from 'node:fs';
import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, parseArgs, readOption } from '../argv.js';
import { CommandError, toFailure } from '../failure.js';

const BACKENDS = [
  'claude',
  'kiro',
  'kiro-acp',
  'gemini',
  'codex',
  'forge',
  'amp',
  'copilot',
  'opencode',
  'pi',
  'custom',
];
const FILE = 'ralph.yml';

const SPEC: CommandSpec = {
  usage: 'ralph init [OPTIONS]',
  options: [
    { long: 'backend', value: 'BACKEND' },
    { long: 'preset', value: 'PRESET' },
    { long: 'list-presets' },
    { long: 'force' },
  ],
};

/** `ralph init`: writes a first configuration. */
export function initCommand(words: readonly string[]): number {
  const args = parseArgs(words, SPEC);
  const backend = readOption(args, 'backend');
  const preset = readOption(args, 'preset');
  if (args.values.has('list-presets')) {
    throw new CommandError('The stand-in ralph has no built-in hat collections. Use a real ralph.');
  }
  if (preset !== undefined) {
    throw new CommandError(
      `\`ralph init --preset ${preset}\` was removed.\n\nMake a core config with \`ralph init --backend <backend>\` and pass hats with -H.`,
    );
  }
  if (backend === undefined || args.values.has('help')) {
    writeOutput('stdout', `Usage: ralph init --backend <backend>\n\nBackends: ${BACKENDS.join(', ')}\n`);
    return 0;
  }
  if (!BACKENDS.includes(backend)) {
    throw new CommandError(`Unknown backend: ${backend}\n\nValid backends: ${BACKENDS.join(', ')}`);
  }
  if (existsSync(FILE) && !args.values.has('force')) {
    throw new CommandError(
      `${FILE} already exists. Use --force to overwrite.\nSee: docs/reference/troubleshooting.md#config-file-exists`,
    );
  }
  try {
    writeFileSync(FILE, renderTemplate(backend));
  } catch (error) {
    const failure = toFailure(error);
    throw failure === undefined ? error : new CommandError(`Failed to write ${FILE}: ${failure.message}`);
  }
  writeOutput(
    'stdout',
    `Created ${FILE} with ${backend} backend\n\nNext: write PROMPT.md, then \`ralph run\`.\n`,
  );
  return 0;
}

/** The template for `custom` has no command and so is invalid, as in the real Ralph. */
function renderTemplate(backend: string): string {
  return `# Made by: ralph init --backend ${backend}

cli:
  backend: "${backend}"

event_loop:
  prompt_file: "PROMPT.md"
  completion_promise: "LOOP_COMPLETE"
  max_iterations: 100
`;
}
