/** Which options a command takes: a flag stands alone, an option takes a value (`--x v` or `--x=v`). */
export interface OptionTable {
  readonly flags: readonly string[];
  readonly values: readonly string[];
}

export interface ParsedOptions {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
  /** The first option that the table does not know; real CLIs end on it. */
  readonly unknown: string | null;
}

/** Parses an argument vector by a table. */
export function parseOptions(argv: readonly string[], table: OptionTable): ParsedOptions {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') {
      positionals.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positionals.push(word);
      continue;
    }
    const [name = '', ...rest] = word.split('=');
    if (table.flags.includes(name)) flags.add(name);
    else if (!table.values.includes(name)) return { flags, values, positionals, unknown: name };
    else if (rest.length > 0) values.set(name, rest.join('='));
    else {
      index += 1;
      values.set(name, argv[index] ?? '');
    }
  }
  return { flags, values, positionals, unknown: null };
}
