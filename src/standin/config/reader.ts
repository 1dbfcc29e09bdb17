import type { CommandError } from '../failure.js';
import { isRecord } from '../record.js';

/** A YAML mapping after parsing. */
export type YamlMap = Readonly<Record<string, unknown>>;

/** Reads typed fields of a merged configuration; reports a wrong type with the real parser's message. */
export class ConfigReader {
  readonly #value: YamlMap;
  readonly #fail: (cause: string) => CommandError;

  constructor(value: YamlMap, fail: (cause: string) => CommandError) {
    this.#value = value;
    this.#fail = fail;
  }

  /** Returns the mapping under a key; empty if absent. */
  section(key: string): ConfigReader {
    return new ConfigReader(this.map(key), this.#fail);
  }

  map(key: string): YamlMap {
    const found = this.#value[key];
    if (found === undefined || found === null) return {};
    if (isRecord(found)) return found;
    throw this.#mismatch(found, key === 'hats' ? 'a map' : `struct ${toStructName(key)}`);
  }

  text(key: string): string | undefined {
    const found = this.#value[key];
    if (found === undefined || found === null) return undefined;
    if (typeof found === 'string') return found;
    throw this.#mismatch(found, 'a string');
  }

  requiredText(key: string): string {
    const found = this.text(key);
    if (found === undefined) throw this.#fail(`missing field \`${key}\``);
    return found;
  }

  count(key: string, type: 'u32' | 'u64' = 'u64'): number | undefined {
    const found = this.#value[key];
    if (found === undefined || found === null) return undefined;
    const largest = type === 'u32' ? 2 ** 32 - 1 : Number.MAX_SAFE_INTEGER;
    if (typeof found === 'number' && Number.isInteger(found) && found >= 0 && found <= largest) return found;
    if (typeof found === 'number' && Number.isInteger(found))
      throw this.#fail(`invalid value: integer \`${found}\`, expected ${type}`);
    throw this.#mismatch(found, type);
  }

  decimal(key: string): number | undefined {
    const found = this.#value[key];
    if (found === undefined || found === null) return undefined;
    if (typeof found === 'number') return found;
    throw this.#mismatch(found, 'f64');
  }

  flag(key: string): boolean | undefined {
    const found = this.#value[key];
    if (found === undefined || found === null) return undefined;
    if (typeof found === 'boolean') return found;
    throw this.#mismatch(found, 'a boolean');
  }

  list(key: string): readonly string[] | undefined {
    const found = this.#value[key];
    if (found === undefined || found === null) return undefined;
    if (!Array.isArray(found)) throw this.#mismatch(found, 'a sequence');
    return found.map((item: unknown) => {
      if (typeof item === 'string') return item;
      throw this.#mismatch(item, 'a string');
    });
  }

  /** Returns a list of mappings. */
  sections(key: string): readonly ConfigReader[] {
    const found = this.#value[key];
    if (found === undefined || found === null) return [];
    if (!Array.isArray(found)) throw this.#mismatch(found, 'a sequence');
    return found.map((item: unknown) => {
      if (isRecord(item)) return new ConfigReader(item, this.#fail);
      throw this.#mismatch(item, 'a map');
    });
  }

  choice<const T extends string>(key: string, known: readonly T[]): T | undefined {
    const found = this.text(key);
    if (found === undefined) return undefined;
    const choice = known.find((candidate) => candidate === found);
    if (choice === undefined) throw this.#unknownVariant(found, known);
    return choice;
  }

  /** Checks the keys of a closed set. */
  checkKeys(known: readonly string[]): void {
    const unknown = this.keys().find((key) => !known.includes(key));
    if (unknown !== undefined) throw this.#unknownVariant(unknown, known);
  }

  raw(key: string): unknown {
    return this.#value[key] ?? undefined;
  }

  keys(): readonly string[] {
    return Object.keys(this.#value);
  }

  #unknownVariant(found: string, known: readonly string[]): CommandError {
    const list = known.map((name) => `\`${name}\``).join(', ');
    return this.#fail(`unknown variant \`${found}\`, expected one of ${list}`);
  }

  #mismatch(found: unknown, expected: string): CommandError {
    return this.#fail(`invalid type: ${describe(found)}, expected ${expected}`);
  }
}

/** Merges mappings deeply; lists and scalars of the later layer replace earlier ones. */
export function mergeMaps(base: YamlMap, over: YamlMap): YamlMap {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const existing = merged[key];
    merged[key] = isRecord(existing) && isRecord(value) ? mergeMaps(existing, value) : value;
  }
  return merged;
}

/** `event_loop` belongs to the struct `EventLoopConfig`. */
function toStructName(key: string): string {
  const words = key.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join('')}Config`;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'number')
    return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
}
