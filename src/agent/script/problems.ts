import { describePath, type KeyPath } from '../../domain/common/issues.js';
import { KnownError } from '../../domain/common/known-error.js';

/** One problem in a script file. */
export interface Problem {
  readonly message: string;
  readonly path?: KeyPath;
  readonly line?: number | undefined;
}

const SHOWN = 10;
const HINT = 'See docs/agent-script.md for the format.';

/** Makes the error about a script file: each problem with file, line and key. */
export function scriptError(file: string, problems: readonly Problem[], hint = HINT): KnownError {
  const lines = problems.slice(0, SHOWN).map(({ path = [], line, message }) => {
    const where = line === undefined ? file : `${file}:${line}`;
    return path.length === 0 ? `${where}: ${message}` : `${where}: ${describePath(path)}: ${message}`;
  });
  if (problems.length > SHOWN) lines.push(`… and ${problems.length - SHOWN} more`);
  return new KnownError(lines.join('\n'), { hint });
}
