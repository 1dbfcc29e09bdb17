import type { CheckResult } from '../domain/check.js';
import type { HeldPromise } from '../domain/contract.js';

/** A place in Ralph's source that was found, with its text. */
export interface SourceLine {
  readonly line: number;
  readonly text: string;
}

/** What an issue says. */
export interface IssueFacts {
  /** What Ralph should do, in one sentence. */
  readonly description: string;
  /** What it does instead, if that is known. */
  readonly reason: string | null;
  readonly checks: readonly CheckResult[];
  readonly ralphVersion: string;
  readonly agent: string;
  readonly cwd: string;
  /** Finds the line of a promise in the source of this Ralph. */
  readonly locate: (source: string) => SourceLine | null;
}

/** Writes the text of an issue for the maintainers of Ralph. */
export function writeIssue(facts: IssueFacts): string {
  const { description, reason, checks, ralphVersion, agent } = facts;
  const promises = [
    ...new Map(
      checks.flatMap(({ promises: held = [] }) => held.map((one) => [one.promise, one] as const)),
    ).values(),
  ];
  const sources = [...new Set(promises.map(({ source }) => source))];
  const clean = (text: string) => cleanText(text, facts.cwd);
  return `${[
    `# ${upper(reason ?? `${description}: broken`)}`,
    '## Promise',
    [`- ${description}.`, ...promises.map((one) => `- ${one.promise} (${whereOf(one, facts)})`)].join('\n'),
    '## What happens',
    reason === null ? 'See below: what was expected, and what was received.' : `${upper(reason)}.`,
    '## Steps',
    '```sh\n./run.sh /path/to/ralph    # 0: the promise is kept, 1: it is broken, 2: look yourself\n```',
    `\`bin/\` has the agent: a shell script named like the CLI that Ralph starts. \`workspace/\` has ralph.yml, the prompt and the files of the project.`,
    '## Expected and received',
    checks
      .map(
        ({ name, expected, actual }) =>
          `- ${clean(`${name}`)}\n  - expected: ${clean(`${expected}`)}\n  - received: ${clean(`${actual}`)}`,
      )
      .join('\n'),
    '## Versions',
    `Ralph ${ralphVersion}, with \`cli.backend\` for ${agent}, on Linux.`,
    '## Likely place',
    sources.length === 0 ? 'Unknown.' : sources.map((source) => `- ${quoteSource(source, facts)}`).join('\n'),
  ].join('\n\n')}\n`;
}

function whereOf({ source }: HeldPromise, { locate }: IssueFacts): string {
  const [path = source] = source.split(': ');
  const found = locate(source);
  return `\`${path}${found === null ? '' : `:${found.line}`}\``;
}

function quoteSource(source: string, { locate, ralphVersion }: IssueFacts): string {
  const [path = source, name = ''] = source.split(': ');
  const found = locate(source);
  if (found === null) return `\`${path}\`, \`${name}\``;
  return `\`${path}:${found.line}\` (${ralphVersion}): \`${found.text.trim()}\``;
}

/** Leaves out where the test ran, and line breaks. */
function cleanText(text: string, cwd: string): string {
  return text
    .replaceAll(cwd, '.')
    .replaceAll(/(?:node )?\/\S*\/agent\/bin\//g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 400);
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
