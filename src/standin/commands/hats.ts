import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, type ParsedArgs, parseArgs, readOption } from '../argv.js';
import type { HatConfig, RalphConfig } from '../config/config.js';
import { loadConfig } from '../config/load.js';
import { CommandError, UsageError, withContext } from '../failure.js';
import { createLog } from '../log.js';
import { findSubscriber } from '../loop/bus.js';
import { ellipsize } from '../text.js';

const SPEC: CommandSpec = {
  usage: 'ralph hats [OPTIONS] [COMMAND]',
  options: [
    { long: 'format', value: 'FORMAT', choices: ['table', 'json', 'unicode', 'ascii', 'compact', 'mermaid'] },
  ],
  positionals: ['[COMMAND]', '[NAME]'],
};

const COMMANDS: Readonly<Record<string, (config: RalphConfig, args: ParsedArgs) => void>> = {
  list: listHats,
  show: showHat,
  validate: validateHats,
  graph: drawHats,
};

/** `ralph hats`: prints the hats of a configuration. */
export async function hatsCommand(words: readonly string[]): Promise<number> {
  const args = parseArgs(words, SPEC);
  const name = args.positionals[0] ?? 'list';
  const command = COMMANDS[name];
  if (args.values.has('help')) {
    writeOutput('stdout', `Usage: ${SPEC.usage}\n\nCommands: ${Object.keys(COMMANDS).join(', ')}\n`);
    return 0;
  }
  if (name === 'list-presets') {
    throw new CommandError(
      `The stand-in ralph does not support \`ralph hats ${name}\`. Use list, show, validate or graph, or a real ralph.`,
    );
  }
  if (command === undefined) {
    throw new UsageError(
      `error: unrecognized subcommand '${name}'\n\nUsage: ${SPEC.usage}\n\nFor more information, try '--help'.`,
    );
  }
  const workspace = process.cwd();
  const log = createLog({ verbose: args.values.has('verbose'), headless: true, workspace });
  const loaded = loadConfig(args.values.get('config') ?? [], readOption(args, 'hats'), log);
  command(
    await loaded.catch((error: unknown) => {
      throw withContext('Failed to load config for hats', error);
    }),
    args,
  );
  return 0;
}

function listHats({ hats }: RalphConfig, args: ParsedArgs): void {
  if (readOption(args, 'format') === 'json') {
    writeOutput('stdout', `${JSON.stringify(hats.map(toJson), null, 2)}\n`);
    return;
  }
  if (hats.length === 0) {
    print('No custom hats configured (using default HatlessRalph coordination).');
    return;
  }
  const byName = [...hats].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = byName.map(({ name, description }) => {
    const text = description === '' ? '-' : ellipsize(description, 55);
    return `${name.padEnd(20)} ${text}`;
  });
  print('HAT                  DESCRIPTION', '-'.repeat(80), ...rows);
}

function toJson({ id, name, description, triggers, publishes, instructions }: HatConfig) {
  return { id, name, description, subscriptions: triggers, publishes, instructions };
}

function showHat({ hats }: RalphConfig, args: ParsedArgs): void {
  const wanted = args.positionals[1] ?? '';
  const hat = hats.find(({ id, name }) => id === wanted || name === wanted);
  if (hat === undefined) throw new CommandError(`Hat '${wanted}' not found`);
  const list = (topics: readonly string[]) =>
    topics.length === 0 ? ['  (none)'] : topics.map((topic) => `  - ${topic}`);
  const instructions = hat.instructions.replace(/\n$/, '').split('\n');
  print(
    hat.name,
    ...(hat.description === '' ? [] : [hat.description]),
    '',
    `ID: ${hat.id}`,
    '',
    'Triggers On:',
    ...list(hat.triggers),
    '',
    'Publishes:',
    ...list(hat.publishes),
    ...(hat.instructions === '' ? [] : ['', 'Instructions:', ...instructions.map((line) => `  ${line}`)]),
  );
}

/** Draws the topology as text; the other formats ask a backend for a drawing. */
function drawHats({ hats }: RalphConfig, args: ParsedArgs): void {
  const format = readOption(args, 'format') ?? 'unicode';
  const node = ({ name }: HatConfig) => name.replace(/[^\p{L}\p{N}]/gu, '');
  if (format === 'mermaid') {
    print(
      '```mermaid',
      'flowchart LR',
      '    Start[task.start] --> Ralph',
      ...hats.flatMap((hat) => hat.triggers.map((topic) => `    Ralph -->|${topic}| ${node(hat)}`)),
      ...hats.flatMap((hat) => hat.publishes.map((topic) => `    ${node(hat)} -->|${topic}| Ralph`)),
      ...hats.flatMap((hat) =>
        hat.publishes.flatMap((topic) =>
          hats
            .filter((other) => other !== hat && other.triggers.includes(topic))
            .map((other) => `    ${node(hat)} -.->|${topic}| ${node(other)}`),
        ),
      ),
      '```',
    );
  } else if (format === 'compact') {
    print(
      'Graph:',
      '  task.start -> Ralph',
      ...hats.flatMap(({ name, publishes, triggers }) => [
        `  Ralph -> ${name}`,
        ...publishes.map((topic) => `    ${name} => ${topic}`),
        ...triggers.map((topic) => `    ${name} <= ${topic}`),
      ]),
    );
  } else
    throw new CommandError(`The stand-in ralph cannot draw a graph as ${format}. Use mermaid or compact.`);
}

/** Checks only the topology: a configuration that `run` rejects can be valid here. */
function validateHats({ hats, eventLoop }: RalphConfig): void {
  const { startingEvent, completionPromise } = eventLoop;
  print('Hat Topology Validation', '=======================', '');
  if (hats.length === 0) {
    print('No hats configured (solo mode).');
    return;
  }
  const entry = startingEvent === undefined ? '(Ralph coordinates)' : `-> ${startingEvent}`;
  print(`Hats: ${hats.length} configured`, `Entry: task.start ${entry}`, '', 'Checks:');

  const starter = startingEvent === undefined ? undefined : findSubscriber(hats, startingEvent);
  const errors = startingEvent !== undefined && starter === undefined ? 1 : 0;
  if (starter !== undefined)
    print(`  [ok] Starting event '${startingEvent}' has subscriber (${starter.name})`);
  if (errors > 0) print(`  [err] starting_event '${startingEvent}' has no subscribers`);
  const orphans = hats.flatMap(({ name, publishes }) =>
    publishes
      .filter((topic) => topic !== completionPromise && findSubscriber(hats, topic) === undefined)
      .map((topic) => `  [warn] Event '${topic}' published by '${name}' has no hat subscribers`),
  );
  print(...orphans);
  if (hats.every(({ publishes }) => publishes.length > 0)) print('  [ok] No dead-end hats');
  print('');
  if (errors > 0) {
    print(`Result: Invalid (${errors} errors, ${orphans.length} warnings)`);
    throw new CommandError(`Validation failed with ${errors} errors`);
  }
  print(orphans.length > 0 ? `Result: Valid (${orphans.length} warnings)` : 'Result: Valid');
}

function print(...lines: readonly string[]): void {
  writeOutput('stdout', lines.map((line) => `${line}\n`).join(''));
}
