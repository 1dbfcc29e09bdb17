/** The options of a command, by how they take values. */
export interface OptionTable {
  /** Take no value. */
  readonly flags: readonly string[];
  /** Take one value: `--x v` or `--x=v`. */
  readonly values: readonly string[];
  /** Take every word up to the next option. */
  readonly lists?: readonly string[];
  /** Other spellings of these options, such as `-m` for `--model`: Ralph's presets and users' own arguments have them. */
  readonly spellings?: Readonly<Record<string, string>>;
}

export interface ParsedOptions {
  readonly flags: ReadonlySet<string>;
  /** The last value of each option. */
  readonly values: ReadonlyMap<string, string>;
  /** All values of each option, in order. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
  /** The name of every option on the command line, also as it is spelled there. */
  readonly given: readonly string[];
}

/** Parses arguments by a table of options. Throws what `refuse` makes of another option, or of one without its value. */
export function parseOptions(
  argv: readonly string[],
  table: OptionTable,
  refuse: (option: string) => Error,
): ParsedOptions {
  const flags = new Set<string>();
  const lists = new Map<string, string[]>();
  const positionals: string[] = [];
  const given: string[] = [];
  const values = new Map<string, string>();
  const add = (name: string, value: string) => {
    lists.set(name, [...(lists.get(name) ?? []), value]);
    values.set(name, value);
  };
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') {
      positionals.push(...argv.slice(index + 1));
      break;
    }
    if (!isOption(word)) {
      positionals.push(word);
      continue;
    }
    const [spelling = '', ...rest] = word.split('=');
    const name = table.spellings?.[spelling] ?? spelling;
    const isList = table.lists?.includes(name) === true;
    given.push(...new Set([spelling, name]));
    if (table.flags.includes(name)) flags.add(name);
    else if (!table.values.includes(name) && !isList) throw refuse(name);
    else if (rest.length > 0) add(name, rest.join('='));
    else if (isList && !isOption(argv[index + 1] ?? '--')) {
      while (index + 1 < argv.length && !isOption(argv[index + 1] ?? '')) add(name, argv[++index] ?? '');
    } else {
      const value = argv[++index];
      if (value === undefined) throw refuse(`${name} without a value`);
      add(name, value);
    }
  }
  return { flags, values, lists, positionals, given };
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
