import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { findNearest } from '../../domain/common/nearest.js';
import { describeUnreadable } from '../../exec/error-code.js';
import { say } from '../screen.js';
import { RUN_OPTIONS, type RunFlags, runOption } from './run-flags.js';

/** The names under which a config file is found in the folder of the call. */
const NAMES = ['ralph-e2e.config.yaml', 'ralph-e2e.config.json'];
/** A file that is meant as one has this beginning. Ignored, it would make a run that costs money of a free one. */
const ALIKE = /^\.?ralph-?e2e(?:[.-]?config|rc)\.(?:ya?ml|json[c5]?|toml|[cm]?[jt]s)$/i;

/** Options that say the same thing in other words, or choose together. */
const SAME_MATTER = [
  ['lane', 'mock'],
  ['analyze', 'skipAnalysis', 'analyzer'],
  ['isolation', 'container'],
  ['verbose', 'quiet', 'fold', 'follow'],
  // A command that names a test runs that test alone.
  ['filters', 'tests', 'excludes', 'suite', 'lastFailed'],
];

/** A config file, and the options of the command line that it stands for. */
export interface UsedConfig {
  readonly file: string;
  readonly flags: readonly string[];
}

/**
 * Gives a command the options of the config file that the command line does not decide, and says so. Returns null if there
 * is no file.
 */
export async function useConfigFile(command: Command): Promise<UsedConfig | null> {
  if (!command.options.some((option) => option.attributeName() === 'config')) return null;
  const file = findConfigFile(command.getOptionValue('config'));
  if (file === null) return null;
  const config = readOptions(await parseFile(file), file);
  const given = RUN_OPTIONS.map(({ key }) => key).filter(
    (key) => command.getOptionValueSource(key) === 'cli',
  );
  const analyzes = ({ key, value }: Pick<ConfigOption, 'key' | 'value'>) =>
    key === 'analyzer' || (key === 'analyze' && value === 'always');
  const isAnalyzed = given.some((key) => analyzes({ key, value: command.getOptionValue(key) }));
  const chosen = config.filter(
    (option) =>
      command.options.some((known) => known.attributeName() === option.key) &&
      !given.some((other) => decideTheSame(option.key, other)) &&
      // A shard has only some results, so nobody can analyze them.
      !(option.key === 'shard' && isAnalyzed) &&
      !(given.includes('shard') && analyzes(option)),
  );
  const times = command.opts<RunFlags>().repeat?.times ?? 1;
  const repeats = times > 1 || chosen.some(({ key }) => key === 'repeat');
  // Without the repeats beside it, a threshold would be a mistake that nobody made.
  const isAlone = !repeats && config.some(({ key }) => key === 'repeat');
  const inForce = chosen.filter(({ key }) => !(isAlone && key === 'threshold'));
  for (const { key, value } of inForce) command.setOptionValueWithSource(key, value, 'config');
  if (command.getOptionValue('quiet') !== true && inForce.length > 0)
    say(`Options from ${file}: ${inForce.map(({ text }) => text).join(', ')}\n`);
  return { file, flags: inForce.map(({ key }) => runOption(key).long ?? '') };
}

/** Names the config file in an error about an option that the user wrote there, and not on the command line. */
export function blameConfig(error: unknown, config: UsedConfig | null): unknown {
  if (config === null || !isKnownError(error)) return error;
  const words = error.message.replaceAll(/(?<![\w-])--[\w-]+/g, (flag) =>
    config.flags.includes(flag) ? flag.slice('--'.length) : flag,
  );
  return words === error.message ? error : new KnownError(`${config.file}: ${words}`, { hint: error.hint });
}

function findConfigFile(named: unknown): string | null {
  if (typeof named === 'string') return named;
  const found = NAMES.filter((name) => existsSync(name));
  if (found.length === 0) refuseMisnamed();
  if (found.length < 2) return found[0] ?? null;
  throw new KnownError(`Expected one config file, found ${found.join(' and ')}.`, {
    hint: 'Remove one of them, or name one with --config <file>.',
  });
}

function refuseMisnamed(): void {
  const misnamed = readdirSync('.').find((name) => ALIKE.test(name) && !NAMES.includes(name));
  if (misnamed === undefined) return;
  const name = /\.json/i.test(misnamed) ? NAMES[1] : NAMES[0];
  throw new KnownError(`Found ${misnamed}; the name is ${name}. It would be ignored.`, {
    hint: /\.(?:ya?ml|json)$/i.test(misnamed)
      ? `Rename it, or name it with \`--config ${misnamed}\`.`
      : `A config file is YAML or JSON, without code: write ${name}.`,
  });
}

async function parseFile(file: string): Promise<unknown> {
  const { parse } = await import('yaml');
  const refuse = (found: string) =>
    new KnownError(`${file}: expected a config file in YAML or JSON, found${found}`, { hint: WHAT_TO_WRITE });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(` ${describeUnreadable(error)}.`);
  }
  try {
    return parse(text) ?? {};
  } catch (error) {
    throw refuse(`: ${describeYamlError(error)}`);
  }
}

/** Says what the YAML parser did not expect, with the line of the file that it quotes. */
export function describeYamlError(error: unknown): string {
  const [problem = '', , quoted = ''] = messageOf(error).split('\n');
  return `${problem.replace(/:$/, '')}${quoted.trim() === '' ? '' : `: ${quoted.trim()}`}`;
}

const WHAT_TO_WRITE =
  'Write options of a run under their long names, such as `lane: sim`. See `ralph-e2e --help --all`.';

interface ConfigOption {
  readonly key: string;
  readonly value: unknown;
  /** As the file says it. */
  readonly text: string;
}

function readOptions(content: unknown, file: string): ConfigOption[] {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new KnownError(`${file}: expected options and their values.`, { hint: WHAT_TO_WRITE });
  return Object.entries(content).map(([name, value]) => {
    const option = RUN_OPTIONS.find(({ flag }) => flag === `--${name}` && name !== 'config');
    if (option === undefined) throw unknownOption(name, file);
    return {
      key: option.key,
      value: readValue(option.key, value, `${file}: ${name}`),
      text: `${name} ${[value].flat().map(String).join(',')}`,
    };
  });
}

function unknownOption(name: string, file: string): KnownError {
  const names = RUN_OPTIONS.map(({ flag }) => flag.slice('--'.length)).filter((one) => one !== 'config');
  const meant = findNearest(name, names);
  return new KnownError(`${file}: expected an option of a run, found "${name}".`, {
    hint: /^backends?$/.test(name)
      ? 'Backends go on the command line: `ralph-e2e claude`.'
      : meant === undefined
        ? WHAT_TO_WRITE
        : `Did you mean ${meant}?`,
  });
}

/** Reads a value as the command line would read its text. */
function readValue(key: string, value: unknown, where: string): unknown {
  const option = runOption(key);
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw new KnownError(`${where}: expected true or false, found ${JSON.stringify(value)}.`);
  }
  const words = [value === true && option.optional ? option.presetArg : value].flat();
  if (words.length === 0 || !words.every((word) => typeof word === 'string' || typeof word === 'number'))
    throw new KnownError(
      `${where}: expected a text, a number or a list of them, found ${JSON.stringify(value)}.`,
    );
  const isRepeatable = RUN_OPTIONS.some((one) => one.key === key && one.repeatable);
  const texts = isRepeatable ? words.map(String) : [words.join(',')];
  const read = readTexts(option, texts, where);
  if (words.length > 1 && !Array.isArray(read))
    throw new KnownError(`${where}: expected one value, found ${JSON.stringify(value)}.`);
  const isText = [read].flat().some((one) => typeof one === 'string');
  if (isText && words.some((word) => typeof word === 'number'))
    throw new KnownError(`${where}: expected a text, found the number ${words.join(', ')}.`, {
      hint: 'Put it in quotes: as a number, 2.10 is 2.1.',
    });
  return read;
}

function readTexts(option: Option, texts: readonly string[], where: string): unknown {
  try {
    return texts.reduce<unknown>((earlier, text) => option.parseArg?.(text, earlier), undefined);
  } catch (error) {
    if (!isKnownError(error)) throw error;
    // The command line would name the option with its dashes: `--lane smi: expected …`.
    const named = `${option.long} `;
    const said = error.message.startsWith(named)
      ? error.message.slice(named.length - 1)
      : `: ${error.message}`;
    const plain = said.replaceAll(`such as ${named}`, `such as ${named.slice('--'.length)}`);
    throw new KnownError(`${where}${plain}`, { hint: error.hint });
  }
}

/** Whether an option of the command line leaves no room for one of the file. */
function decideTheSame(key: string, given: string): boolean {
  const conflicts = (one: string) => RUN_OPTIONS.find((option) => option.key === one)?.conflicts ?? {};
  return (
    key === given ||
    SAME_MATTER.some((keys) => keys.includes(key) && keys.includes(given)) ||
    Object.hasOwn(conflicts(key), given) ||
    Object.hasOwn(conflicts(given), key)
  );
}
