/** Turns YAML into a value, or throws. The stand-in passes a small parser, because a full one would slow its start. */
export type ParseYaml = (text: string) => unknown;

/** A markdown file of a plugin, taken apart. */
export interface HeadedFile {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Why `claude plugin validate` rejects the head, or null. Claude Code still loads the file. */
  readonly problem: string | null;
}

/** Reads a markdown file as Claude Code 2.1.325 does: a head that it cannot read leaves the file without fields. */
export function readHeaded(text: string, parseYaml: ParseYaml): HeadedFile {
  const plain = text.replace(/^\uFEFF/, '');
  const lines = plain.split('\n');
  const end = isFence(lines[0]) ? lines.findIndex((line, index) => index > 0 && isFence(line)) : -1;
  if (end < 0) return { fields: {}, body: plain, problem: null };
  // Claude Code drops the space below a head, and keeps it where there is none.
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trimStart();
  const read = parseLeniently(lines.slice(1, end), parseYaml);
  if ('reason' in read) {
    return { fields: {}, body, problem: `YAML frontmatter failed to parse: ${read.reason}` };
  }
  const { value } = read;
  if (value === null || value === undefined) return { fields: {}, body, problem: null };
  if (typeof value !== 'object' || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'an array' : typeof value;
    const problem = `Frontmatter must be a YAML mapping (key: value pairs), got ${found}.`;
    return { fields: {}, body, problem };
  }
  const fields = { ...value } as const;
  return { fields, body, problem: findWrongField(fields) };
}

function isFence(line: string | undefined): boolean {
  return line?.trimEnd() === '---';
}

/** Returns a field as text. Claude Code turns numbers, booleans and even lists into text for names. */
export function textField(
  fields: Readonly<Record<string, unknown>>,
  key: string,
  { lists = false } = {},
): string {
  const value = fields[key];
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return lists ? String(value) : '';
  return String(value);
}

/** Whether a flag is on. Claude Code takes a few words for that, and anything else, even `y`, as off. */
export function isFlagOn(fields: Readonly<Record<string, unknown>>, key: string): boolean {
  return ['true', 'yes', 'on', '1'].includes(String(fields[key]).trim().toLowerCase());
}

/** Returns the names that a command gives its arguments: a list, or words. A number is no name. */
export function readArgumentNames({ arguments: given }: Readonly<Record<string, unknown>>): string[] {
  const listed = typeof given === 'string' ? given.split(/\s+/) : Array.isArray(given) ? given : [];
  return listed.filter(
    (name): name is string => typeof name === 'string' && name.trim() !== '' && !/^\d+$/.test(name),
  );
}

function findWrongField(fields: Readonly<Record<string, unknown>>): string | null {
  for (const key of ['name', 'description']) {
    const value = fields[key];
    const isWrong =
      value !== undefined &&
      value !== null &&
      typeof value !== 'string' &&
      (key === 'name' || typeof value === 'object');
    if (isWrong) return `${key} must be a string, got ${Array.isArray(value) ? 'array' : typeof value}.`;
  }
  return null;
}

/** The time for a head with mistakes grows with the square of its length, and deep nesting exhausts the stack. */
const MAX_HEAD = 16_384;
const MAX_NESTED = 500;

type Parsed = { readonly value: unknown } | { readonly reason: string };

/**
 * People write `description: Use when: …`. If the YAML is wrong, values with special characters count as quoted. Claude
 * Code does not do that for lines that end with a carriage return.
 */
function parseLeniently(lines: readonly string[], parseYaml: ParseYaml): Parsed {
  const join = (head: readonly string[]) => head.map((line) => line.replace(/\r$/, '')).join('\n');
  const strict = tryParse(join(lines), parseYaml);
  if ('value' in strict) return strict;
  const quoted = lines.map((line) => {
    const [, key, value = ''] = /^([A-Za-z_-]+):[ \t]+(\S.*)$/.exec(line) ?? [];
    if (key === undefined || isQuoted(value.trim()) || !/[[\]{}*&#!|>%@`]|: /.test(value)) return line;
    return `${key}: ${JSON.stringify(value.trimEnd())}`;
  });
  return tryParse(join(quoted), parseYaml);
}

function isQuoted(value: string): boolean {
  return value.length > 1 && /^["']/.test(value) && value.endsWith(value.charAt(0));
}

function tryParse(text: string, parseYaml: ParseYaml): Parsed {
  if (text.length > MAX_HEAD) return { reason: `it has ${text.length} characters, more than ${MAX_HEAD}` };
  const nested = text.match(/[[{]|[-?] /g)?.length ?? 0;
  if (nested > MAX_NESTED) return { reason: `it has ${nested} lists and mappings, more than ${MAX_NESTED}` };
  try {
    return { value: parseYaml(text) };
  } catch (error) {
    if (error instanceof NeedsFullYaml) throw error;
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

/** Thrown for a head that the small parser does not understand. */
export class NeedsFullYaml extends Error {}

/** Parses heads that are only lines of `key: plain words`, which most are. Throws `NeedsFullYaml` for any other. */
export function parsePlainYaml(text: string): unknown {
  const fields: Record<string, unknown> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, key, value] = /^([A-Za-z_][\w-]*): (\S[^\t]*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new NeedsFullYaml();
    fields[key] = parsePlainScalar(value.trimEnd());
  }
  return fields;
}

function parsePlainScalar(value: string): unknown {
  const [, quoted] = /^"([^"\\]*)"$/.exec(value) ?? [];
  if (quoted !== undefined) return quoted;
  if (value === 'true' || value === 'false') return value === 'true';
  const isPlain = /^[A-Za-z/(][^:#"'\\]*$/.test(value) && !/^(?:null|yes|no|on|off|true|false)$/i.test(value);
  if (!isPlain) throw new NeedsFullYaml();
  return value;
}
