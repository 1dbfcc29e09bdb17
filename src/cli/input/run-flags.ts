import { isDeepStrictEqual } from 'node:util';
import { type Command, Option } from 'commander';
import * as z from 'zod';
import { KnownError } from '../../domain/common/known-error.js';
import { type ReadValue, readOneOf, readRate } from '../../domain/options/option-values.js';
import {
  type DeclaredOption,
  listOptions,
  OPTION_GROUPS,
  OPTION_WORDS,
} from '../../domain/options/run-option.js';
import { LISTED_CALL_OPTIONS, RANDOM_ORDER, type RunCall } from '../../domain/run-call.js';
import { drawSeed } from '../../run/select/shuffle.js';
import { readShard } from './read-shard.js';
import { readSeed, readVariableName, requireText } from './values.js';

const isSet = () => z.boolean().default(false);
const mayBeText = () => z.string().optional();
const ANALYSIS_TIMES = ['auto', 'always', 'never'] as const;

/** The options of a run that leave no trace in its call: what the screen shows, and other ways to say what the call has. */
const LAUNCH_OPTIONS = {
  verbose: isSet().register(OPTION_WORDS, {
    flags: '-v, --verbose',
    group: 'Output and reports:',
    help: 'show every check, command line and event',
    brief: 'show every check, command line and event',
  }),
  quiet: isSet().register(OPTION_WORDS, {
    flags: '-q, --quiet',
    group: 'Output and reports:',
    help: 'show only the verdict and the tests that failed; on a terminal also the progress',
    brief: 'show only the verdict and the tests that failed',
    conflicts: { verbose: 'choose one', follow: 'choose one' },
  }),
  fold: isSet().register(OPTION_WORDS, {
    flags: '--fold',
    group: 'Output and reports:',
    help: 'show a line for each tier instead of each test; failures are still shown in full. -v and -q win over it',
    conflicts: { repeat: 'choose one' },
  }),
  follow: isSet().register(OPTION_WORDS, {
    flags: '--follow',
    group: 'Output and reports:',
    help: 'show what the agents of running tests say and do, as it happens; each line names its test, and -j 1 follows one at a time',
  }),
  list: isSet().register(OPTION_WORDS, {
    flags: '--list',
    group: 'Which tests:',
    help: 'list the scenarios and run nothing; with --verbose, print what each asks and checks',
    brief: 'list the tests and run nothing',
  }),
  config: mayBeText().register(OPTION_WORDS, {
    flags: '--config <file>',
    group: 'How they run:',
    help: 'take options from this file. Default: ralph-e2e.config.yaml or ralph-e2e.config.json in the current folder',
    page: 'cli.md#a-config-file',
  }),
  json: isSet().register(OPTION_WORDS, {
    flags: '--json',
    group: 'Output and reports:',
    help: 'print the report, or with --list the scenarios, as JSON on stdout; everything else goes to stderr',
  }),
  mock: isSet().register(OPTION_WORDS, {
    flags: '--mock',
    group: 'Which Ralph and agents:',
    help: 'the same as --lane sim: no CLI, no model, no cost',
    brief: 'the same as --lane sim: no CLI, no model, no cost',
  }),
  yes: isSet().register(OPTION_WORDS, {
    flags: '--yes',
    group: 'Money:',
    help: 'run without a question. On a terminal, a live run asks first if the estimate is above $5',
  }),
  analyze: z
    .enum(ANALYSIS_TIMES)
    .optional()
    .register(OPTION_WORDS, {
      flags: '--analysis <when>',
      group: 'Output and reports:',
      help: 'whether Ralph analyzes the results at the end: auto (live, or with --analyzer), always, never',
      read: readOneOf(ANALYSIS_TIMES),
    }),
  skipAnalysis: isSet().register(OPTION_WORDS, {
    flags: '--skip-analysis',
    group: 'Output and reports:',
    help: 'the same as --analysis never',
    conflicts: { analyzer: 'choose one' },
  }),
  analyzer: mayBeText().register(OPTION_WORDS, {
    flags: '--analyzer <path>',
    group: 'Output and reports:',
    help: 'use this ralph.yml for the analysis',
  }),
  threshold: z
    .number()
    .optional()
    .register(OPTION_WORDS, {
      flags: '--threshold <rate>',
      group: 'How they run:',
      help: 'with --repeat: a test passes if at least this share of its repeats does, such as 0.9',
      page: 'reports.md#--threshold-rate',
      read: readRate,
      conflicts: {
        bail: 'one failed repeat does not decide about a rate',
        maxFailures: 'failed repeats do not decide about a rate',
      },
    }),
};
type LaunchFlags = z.infer<z.ZodObject<typeof LAUNCH_OPTIONS>>;

/** What the command line says, by key. `ralph` named twice means two runs. */
export type RunFlags = Readonly<
  Partial<LaunchFlags & Omit<RunCall, 'ralph' | 'backends' | 'named' | 'analysis' | 'examination'>>
> & { readonly ralph?: readonly string[] };

/** What a command gets that shares these options with runs. */
export type SharedFlags<Key extends keyof RunFlags> = Pick<RunFlags, Exclude<Key, 'output'>> & {
  readonly output: string;
};

/** Every option of a run. */
export const RUN_OPTIONS = [...LISTED_CALL_OPTIONS, ...listOptions(LAUNCH_OPTIONS)];

/** What only this machine can read. */
const READERS: Readonly<Record<string, ReadValue<unknown>>> = {
  passEnv: readVariableName,
  shard: (text) => readShard(text, process.env),
  shuffleSeed: (text) => (text === RANDOM_ORDER ? drawSeed() : readSeed(text)),
};

/** An option whose value is where the call has it. */
class KeyedOption extends Option {
  readonly #key: string;

  constructor(key: string, flags: string, help: string) {
    super(flags, help);
    this.#key = key;
  }

  override attributeName(): string {
    return this.#key;
  }
}

/** Adds the options of a run. The whole help has all of them in groups, the short one those that matter most. */
export function addRunOptions(command: Command, { isWhole }: { readonly isWhole: boolean }): void {
  for (const group of OPTION_GROUPS)
    for (const option of RUN_OPTIONS.filter((one) => one.group === group)) {
      const { brief } = option;
      if (isWhole) command.addOption(declare(option).helpGroup(group));
      else if (brief === undefined) command.addOption(declare(option).hideHelp());
      else command.addOption(declare({ ...option, help: brief, fallback: undefined }));
    }
}

/** Returns an option of a run for another command. */
export function runOption(key: string, help?: string): Option {
  const found = RUN_OPTIONS.find((option) => option.key === key);
  if (found === undefined) throw new Error(`no option of a run has the key ${key}`);
  return declare(help === undefined ? found : { ...found, help, fallback: undefined });
}

/** Makes an option that is read when the command line is: an empty value is a mistake for each of them. */
export function valueOption(flags: string, help: string, read: ReadValue<unknown>): Option {
  const option = new Option(flags, help);
  return option.argParser((text: string) =>
    read(requireText(text, option.long ?? flags), option.long ?? flags),
  );
}

function declare({ key, flags, flag, help, fallback, read, repeatable, preset }: DeclaredOption): Option {
  const option = new KeyedOption(key, flags, `${help}${describeDefault(fallback)}`);
  if (preset !== undefined) option.preset(preset);
  if (option.isBoolean()) return option;
  const readText = READERS[key] ?? read ?? ((text: string) => text);
  return option.argParser((text: string, earlier: unknown): unknown => {
    const value = readText(requireText(text, flag), flag);
    return repeatable ? [earlier ?? [], value].flat() : value;
  });
}

/** Says what a call without the option means, if that is more than nothing. */
function describeDefault(fallback: unknown): string {
  const words = [fallback].flat().filter((word) => typeof word === 'string' || typeof word === 'number');
  return words.length === 0 ? '' : ` (default: ${words.join(',')})`;
}

/** Refuses options that contradict each other. */
export function refuseConflicts(flags: Partial<Record<keyof RunFlags, unknown>>): void {
  const values = new Map<string, unknown>(Object.entries(flags));
  const given = RUN_OPTIONS.filter(({ key, fallback }) => {
    const value = values.get(key);
    return value !== undefined && !isDeepStrictEqual(value, fallback);
  });
  for (const { flag, conflicts = {} } of given)
    for (const other of given)
      if (Object.hasOwn(conflicts, other.key))
        throw new KnownError(`${flag} and ${other.flag} cannot be combined: ${conflicts[other.key]}.`);
}
