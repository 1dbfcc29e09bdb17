/** The options of a command, by how they take values. */
export interface OptionTable {
  /** Take no value. */
  readonly flags: readonly string[];
  /** Take one value: `--x v` or `--x=v`. */
  readonly values: readonly string[];
  /** Take every word up to the next option. */
  readonly lists?: readonly string[];
  /** Take a value unless the next word is an option. */
  readonly optionals?: readonly string[];
}

export interface ParsedOptions {
  readonly flags: ReadonlySet<string>;
  /** The last value of each option. */
  readonly values: ReadonlyMap<string, string>;
  /** All values of each option, in order. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
  /** The name of every option on the command line. */
  readonly given: readonly string[];
  /** The first option that is not in the table; real CLIs exit on it. */
  readonly unknown: string | null;
}

/** Parses arguments by a table of options. */
export function parseOptions(argv: readonly string[], table: OptionTable): ParsedOptions {
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
    const [name = '', ...rest] = word.split('=');
    const isList = table.lists?.includes(name) === true;
    const isOptional = table.optionals?.includes(name) === true;
    given.push(name);
    if (table.flags.includes(name)) flags.add(name);
    else if (!table.values.includes(name) && !isList && !isOptional)
      return { flags, values, lists, positionals, given, unknown: name };
    else if (rest.length > 0) add(name, rest.join('='));
    else if (isList) {
      while (index + 1 < argv.length && !isOption(argv[index + 1] ?? '')) add(name, argv[++index] ?? '');
    } else if (isOptional && (index + 1 >= argv.length || isOption(argv[index + 1] ?? ''))) flags.add(name);
    else add(name, argv[++index] ?? '');
  }
  return { flags, values, lists, positionals, given, unknown: null };
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
