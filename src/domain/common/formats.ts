import { KnownError } from './known-error.js';

/** A format that we write and read again. Its number is the field `format` of each file. */
export interface Format {
  /** The name that follows "reads" in messages. */
  readonly name: string;
  readonly format: number;
}

/**
 * All formats with a number. A field that readers may ignore leaves it as it is; any other change raises it, and files
 * with another number are refused. docs/reports.md has the rules.
 */
export const FORMATS = {
  report: { name: 'report.json', format: 1 },
  proof: { name: 'prove.json', format: 1 },
  journal: { name: 'journals', format: 2 },
  summary: { name: 'summary.json', format: 1 },
  blob: { name: 'blobs', format: 1 },
  agentScript: { name: 'agent scripts', format: 1 },
  recording: { name: 'recordings', format: 1 },
} as const satisfies Record<string, Format>;

/** The error for a file in a format that this ralph-e2e does not read. */
export class IncompatibleFormat extends KnownError {
  /** The format that was found, such as `report.json 2`. */
  readonly found: string;

  constructor(subject: string, { name, format }: Format, found: number) {
    super(`${subject} has format ${found}; this ralph-e2e reads ${name} of format ${format}.`, {
      hint:
        found > format
          ? 'Update ralph-e2e.'
          : 'Create it again with this ralph-e2e, or read it with the version that wrote it.',
    });
    this.found = `${name} ${found}`;
  }
}

/** Returns one sentence for each format found, however many files have it. */
export function describeIncompatible(files: readonly IncompatibleFormat[]): string[] {
  const firsts = new Map(files.toReversed().map((file) => [file.found, file]));
  return [...firsts.values()].reverse().map(({ found, message, hint }) => {
    const count = files.filter((file) => file.found === found).length;
    return `${message} ${hint}${count === 1 ? '' : ` (${count} files have this format.)`}`;
  });
}

/**
 * Throws if data has another format. `subject` starts the message: a path, or "The journal". Without a number, the schema
 * reports the error.
 */
export function requireReadable(data: unknown, format: Format, subject: string): void {
  const found: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'format') : null;
  if (typeof found === 'number' && found !== format.format)
    throw new IncompatibleFormat(subject, format, found);
}
