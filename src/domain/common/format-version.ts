import { KnownError } from './known-error.js';

/**
 * A format that we write and read again, with its version. A new minor version adds what readers may ignore; any other
 * change is a new major version. docs/reports.md has the rules.
 */
export interface Format<Major extends number = number> {
  /** The name that follows "reads" in messages. */
  readonly name: string;
  readonly major: Major;
  readonly minor: number;
  /** The fields that hold the two numbers. A file without the second has minor version 0. */
  readonly fields: readonly [major: string, minor: string];
}

const SCHEMA_FIELDS = ['schema_version', 'schema_minor'] as const;
const PLAIN_FIELDS = ['version', 'minor'] as const;

/** All formats that have a version. */
export const FORMATS = {
  report: { name: 'report.json', major: 1, minor: 10, fields: SCHEMA_FIELDS },
  proof: { name: 'prove.json', major: 1, minor: 3, fields: SCHEMA_FIELDS },
  journal: { name: 'journals', major: 1, minor: 11, fields: PLAIN_FIELDS },
  summary: { name: 'summary.json', major: 1, minor: 4, fields: PLAIN_FIELDS },
  blob: { name: 'blobs', major: 1, minor: 0, fields: PLAIN_FIELDS },
  agentScript: { name: 'agent scripts', major: 1, minor: 2, fields: PLAIN_FIELDS },
  recording: { name: 'recordings', major: 1, minor: 1, fields: PLAIN_FIELDS },
} as const satisfies Record<string, Format>;

/** The error for a file in a major version that this ralph-e2e does not read. */
export class IncompatibleFormat extends KnownError {
  /** The format that was found, such as `report.json 2.0`. */
  readonly found: string;

  constructor(subject: string, format: Format, found: Version) {
    super(`${subject} has format ${write(found)}; this ralph-e2e reads ${format.name} ${format.major}.x.`, {
      hint:
        found.major > format.major
          ? 'Update ralph-e2e.'
          : 'Create it again with this ralph-e2e, or read it with the version that wrote it.',
    });
    this.found = `${format.name} ${write(found)}`;
  }
}

/** Returns one sentence for each version found, however many files have it. */
export function describeIncompatible(files: readonly IncompatibleFormat[]): string[] {
  const firsts = new Map(files.toReversed().map((file) => [file.found, file]));
  return [...firsts.values()].reverse().map(({ found, message, hint }) => {
    const count = files.filter((file) => file.found === found).length;
    return `${message} ${hint}${count === 1 ? '' : ` (${count} files have this format.)`}`;
  });
}

/** Throws if data has another major version. `subject` starts the message: a path, or "The journal". */
export function requireReadable(data: unknown, format: Format, subject: string): void {
  const found = readVersion(data, format);
  if (found !== null && found.major !== format.major) throw new IncompatibleFormat(subject, format, found);
}

/** Returns a hint to update if data has a newer minor version, or null. */
export function adviseUpdate(data: unknown, format: Format): string | null {
  const found = readVersion(data, format);
  if (found === null || found.major !== format.major || found.minor <= format.minor) return null;
  return `It has format ${write(found)}, and this ralph-e2e knows ${write(format)}. Update ralph-e2e.`;
}

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** Returns the version in the data, or null. Without one, the schema reports the error. */
function readVersion(data: unknown, { fields }: Format): Version | null {
  if (typeof data !== 'object' || data === null) return null;
  const [major, minor = 0]: unknown[] = fields.map((field) => Reflect.get(data, field));
  return isCount(major) && isCount(minor) ? { major, minor } : null;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function write({ major, minor }: Version): string {
  return `${major}.${minor}`;
}
