import { UsageError } from './failure.js';

/** One option of a command: its value, the options it conflicts with, and the options it requires. */
export interface OptionSpec {
  readonly long: string;
  readonly short?: string;
  /** The name of its value; absent for a switch. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly conflicts?: readonly string[];
  readonly requires?: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
}

/** What a command accepts; `positionals` are names, and a name in brackets is optional. */
export interface CommandSpec {
  readonly usage: string;
  readonly options: readonly OptionSpec[];
  readonly positionals?: readonly string[];
  /** Whether the command passes on everything after `--`. */
  readonly trailing?: boolean;
}

/** A parsed command line: values by long name, in their order. */
export interface ParsedArgs {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
  readonly trailing: readonly string[];
}

/** Options that the real program accepts before and after every command. */
export const GLOBAL_OPTIONS = [
  { long: 'config', short: 'c', value: 'SOURCE', repeatable: true },
  { long: 'hats', short: 'H', value: 'SOURCE' },
  { long: 'verbose', short: 'v', conflicts: ['quiet'] },
  { long: 'color', value: 'MODE', choices: ['auto', 'always', 'never'] },
  { long: 'help', short: 'h' },
] as const satisfies readonly OptionSpec[];

/** Parses the words after a command; throws a `UsageError` with the text of the real argument parser. */
export function parseArgs(words: readonly string[], spec: CommandSpec): ParsedArgs {
  const options: readonly OptionSpec[] = [...spec.options, ...GLOBAL_OPTIONS];
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  const allowed = spec.positionals ?? [];
  const queue = [...words];
  let trailing: string[] = [];

  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--') {
      if (spec.trailing === true) trailing = queue.splice(0);
      else positionals.push(...queue.splice(0));
    } else if (isOption(word)) {
      const { option, value } = matchOption(word, queue, options, spec);
      const given = values.get(option.long) ?? [];
      if (given.length > 0 && option.repeatable !== true) {
        throw usage(`the argument '${label(option)}' cannot be used multiple times`, spec);
      }
      values.set(option.long, [...given, value]);
    } else {
      positionals.push(word);
    }
    const surplus = positionals[allowed.length];
    if (surplus !== undefined) throw usage(`unexpected argument '${surplus}' found`, spec);
  }
  if (!values.has('help')) checkRelations(values, positionals, options, spec);
  return { values, positionals, trailing };
}

/** Returns the value of a single-use option, or `undefined`. */
export function readOption(args: ParsedArgs, long: string): string | undefined {
  return args.values.get(long)?.[0];
}

/** Returns the value of a numeric option; anything but a natural number is a usage error. */
export function readCount(args: ParsedArgs, long: string, spec: CommandSpec): number | undefined {
  const text = readOption(args, long);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) {
    const option = spec.options.find((candidate) => candidate.long === long);
    throw invalidValue(
      `'${text}' for '${option === undefined ? `--${long}` : label(option)}': invalid digit found in string`,
    );
  }
  return Number(text);
}

function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith('-') && !/^-\d/.test(word);
}

function matchOption(
  word: string,
  queue: string[],
  options: readonly OptionSpec[],
  spec: CommandSpec,
): { option: OptionSpec; value: string } {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  const name = equals > 0 ? word.slice(0, equals) : word.startsWith('--') ? word : word.slice(0, 2);
  const option = options.find(({ long, short }) => name === `--${long}` || name === `-${short}`);
  if (option === undefined) {
    const tip = spec.trailing === true ? `\n\n  tip: to pass '${name}' as a value, use '-- ${name}'` : '';
    throw usage(`unexpected argument '${name}' found${tip}`, spec);
  }

  const glued =
    equals > 0 ? word.slice(equals + 1) : word.startsWith('--') ? '' : word.slice(2).replace(/^=/, '');
  if (option.value === undefined) {
    if (glued === '') return { option, value: 'true' };
    if (equals > 0)
      throw usage(`unexpected value '${glued}' for '${name}' found; no more were expected`, spec);
    // `-vq` is `-v -q`.
    queue.unshift(`-${glued}`);
    return { option, value: 'true' };
  }
  const value = glued !== '' || equals > 0 ? glued : queue.shift();
  if (value === undefined) {
    throw usage(`a value is required for '${label(option)}' but none was supplied`, spec);
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw invalidValue(
      `'${value}' for '${label(option)}'\n  [possible values: ${option.choices.join(', ')}]`,
    );
  }
  return { option, value };
}

function checkRelations(
  values: ReadonlyMap<string, readonly string[]>,
  positionals: readonly string[],
  options: readonly OptionSpec[],
  spec: CommandSpec,
): void {
  for (const option of options) {
    if (!values.has(option.long)) continue;
    for (const other of option.conflicts ?? []) {
      const rival = options.find(({ long }) => long === other);
      if (rival !== undefined && values.has(other)) {
        throw usage(`the argument '${label(option)}' cannot be used with '${label(rival)}'`, spec);
      }
    }
    if (option.requires !== undefined && !values.has(option.requires)) {
      throw usage(`the following required arguments were not provided:\n  --${option.requires}`, spec);
    }
  }
  const missing = [
    ...options.filter(({ required, long }) => required === true && !values.has(long)).map(label),
    ...(spec.positionals ?? []).filter(
      (name, index) => !name.startsWith('[') && positionals[index] === undefined,
    ),
  ];
  if (missing.length > 0) {
    throw usage(
      `the following required arguments were not provided:\n${missing.map((name) => `  ${name}`).join('\n')}`,
      spec,
    );
  }
}

function label(option: OptionSpec): string {
  return `--${option.long}${option.value === undefined ? '' : ` <${option.value}>`}`;
}

function usage(message: string, spec: CommandSpec): UsageError {
  return new UsageError(`error: ${message}\n\nUsage: ${spec.usage}\n\nFor more information, try '--help'.`);
}

/** Unlike other errors, this one does not print the usage. */
function invalidValue(message: string): UsageError {
  return new UsageError(`error: invalid value ${message}\n\nFor more information, try '--help'.`);
}
