import type { CheckResult, Sentence } from '../domain/check.js';
import { inlineText } from '../report/text/safe-text.js';

/** What an issue says. */
export interface IssueFacts {
  /** What Ralph should do, in one sentence. */
  readonly description: string;
  /** What it does instead, if that is known. */
  readonly reason: string | null;
  /** The checks that failed. */
  readonly checks: readonly CheckResult[];
  readonly ralphVersion: string;
  readonly agent: string;
  readonly cwd: string;
  /** The places in the source of this Ralph that promise it. */
  readonly places: readonly string[];
}

/** Writes the text of an issue for the maintainers of Ralph. */
export function writeIssue(facts: IssueFacts): string {
  const { description, reason, checks, ralphVersion, agent, cwd, places } = facts;
  const promises = new Set(checks.flatMap((check) => (check.promises ?? []).map(({ promise }) => promise)));
  /** Leaves out where the test ran, and what Markdown would act on. */
  const clean = (text: Sentence) =>
    inlineText(`${text}`.replaceAll(cwd, '.').replaceAll(/(?:node )?\/\S*\/agent\/bin\//g, ''), 400);
  return `${[
    `# ${upper(reason ?? `${description}: broken`)}`,
    '## Promise',
    [`- ${description}.`, ...[...promises].map((promise) => `- ${promise}`)].join('\n'),
    '## What happens',
    reason === null ? 'See below: what was expected, and what was received.' : `${upper(reason)}.`,
    '## Steps',
    '```sh\n./run.sh /path/to/ralph    # 0: the promise is kept, 1: it is broken, 2: look yourself\n```',
    `\`bin/\` has the agent: a shell script named like the CLI that Ralph starts. \`workspace/\` has ralph.yml, the prompt and the files of the project.`,
    '## Expected and received',
    checks
      .map(
        ({ name, expected, actual }) =>
          `- ${clean(name)}\n  - expected: ${clean(expected)}\n  - received: ${clean(actual)}`,
      )
      .join('\n'),
    '## Versions',
    `Ralph ${ralphVersion}, with \`cli.backend\` for ${agent}, on Linux.`,
    '## Likely place',
    places.length === 0 ? 'Unknown.' : places.map((place) => `- ${place}`).join('\n'),
  ].join('\n\n')}\n`;
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
