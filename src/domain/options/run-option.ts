import * as z from 'zod';
import type { ReadValue } from './option-values.js';

/** The groups of options in the full help, in their order. */
export const OPTION_GROUPS = [
  'Which tests:',
  'Which Ralph and agents:',
  'How they run:',
  'Money:',
  'Output and reports:',
  'CI:',
] as const;

/** How the command line names and reads an option, and what else follows from it. */
interface OptionWords<Value = unknown> {
  /** As commander takes them: `-j, --jobs <n>`. */
  readonly flags: string;
  readonly group: (typeof OPTION_GROUPS)[number];
  readonly help: string;
  /** Reads the text. Default: the text itself. */
  readonly read?: ReadValue<Value>;
  /** The option can be repeated: its value is a list of texts. */
  readonly repeatable?: true;
  /** What the command line means without it, if the call itself has no default. */
  readonly usual?: Value;
  /** What an option means that is given without its value. */
  readonly preset?: string;
  /** The page below docs/ that says more. */
  readonly page?: string;
  /** What the short help says about it. Without it, only the whole help has the option. */
  readonly brief?: string;
  /** Options that cannot be combined with this one, by key, and why. */
  readonly conflicts?: Readonly<Record<string, string>>;
  /** The commands in reports, which run a test again, repeat this option. */
  readonly inCommands?: true;
  /** Each machine of a sharded run may choose its own value. */
  readonly ownPerShard?: true;
}

/** The words of each option that `.register(OPTION_WORDS, …)` declares. */
export const OPTION_WORDS = z.registry<OptionWords<z.$output>>();

/** A declared option. */
export interface DeclaredOption extends OptionWords {
  /** Where its value is in the call. */
  readonly key: string;
  /** How messages name it: `--jobs`. */
  readonly flag: string;
  /** What a call without it means; undefined if that depends on other options. */
  readonly fallback: unknown;
}

/** Lists the options that a shape declares, in their order. */
export function listOptions(shape: Readonly<Record<string, z.ZodType>>): DeclaredOption[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const words = OPTION_WORDS.get(schema);
    if (words === undefined) return [];
    const flag = /--[\w-]+/.exec(words.flags)?.[0] ?? words.flags;
    return { ...words, key, flag, fallback: words.usual ?? schema.safeParse(undefined).data };
  });
}
