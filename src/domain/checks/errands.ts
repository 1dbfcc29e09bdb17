import * as z from 'zod';
import type { Check } from '../check.js';
import type { ErrandRecord, Evidence } from '../evidence/evidence.js';
import { aboutWanted, excerpt, holds, list, quote, show, type Wanted } from './text.js';

/** How an errand should have answered; what is not given does not matter. */
export interface WantedAnswer {
  readonly exitCode?: number;
  readonly stdout?: Wanted;
  readonly stderr?: Wanted;
}

/**
 * A command that the scenario ran beside the judged run answered like this. It is named by its arguments, without
 * `ralph` or `git`: `tools memory list --format json`; any other program by its whole command line. Run several times, its last answer counts.
 */
export function errandAnswered(args: string, wanted: WantedAnswer): Check {
  const { exitCode = 0, stdout, stderr } = wanted;
  const words = [
    `exit code ${exitCode}`,
    ...(stdout === undefined ? [] : [`${show(stdout)} on stdout`]),
    ...(stderr === undefined ? [] : [`${show(stderr)} on stderr`]),
  ].join(' and ');
  return {
    kind: 'errandAnswered',
    name: `"${args}" answers with ${words}`,
    about: { names: [args], ...aboutWanted(stdout, stderr) },
    category: 'OutputContains',
    judge: (evidence) => {
      const errand = findErrand(evidence, args);
      return {
        passed:
          errand !== undefined &&
          errand.exitCode === exitCode &&
          (stdout === undefined || holds(errand.stdout, stdout)) &&
          (stderr === undefined || holds(errand.stderr, stderr)),
        expected: words,
        actual: errand === undefined ? describeMissing(evidence) : describeAnswer(errand),
      };
    },
  };
}

/** Such a command listed exactly these memories as JSON, in any order. */
export function memoriesListed(args: string, contents: readonly string[]): Check {
  const wanted = [...contents].sort();
  return {
    kind: 'memoriesListed',
    name: `"${args}" lists ${describeContents(wanted)}`,
    about: { names: [args], texts: wanted },
    category: 'OutputContains',
    judge: (evidence) => {
      const errand = findErrand(evidence, args);
      const listed = errand === undefined ? null : readContents(errand.stdout);
      return {
        passed: errand?.exitCode === 0 && listed?.join('\0') === wanted.join('\0'),
        expected: `exit code 0 and JSON with ${describeContents(wanted)}`,
        actual:
          errand === undefined
            ? describeMissing(evidence)
            : listed === null
              ? describeAnswer(errand)
              : `exit code ${errand.exitCode} and JSON with ${describeContents(listed)}`,
      };
    },
  };
}

function findErrand({ errands }: Evidence, args: string): ErrandRecord | undefined {
  return errands.findLast(({ command }) =>
    [command, command.slice(1)].some((words) => words.join(' ') === args),
  );
}

const listedSchema = z.array(z.object({ content: z.string() }));

/** The texts of memories in a list as JSON, sorted; null for anything else, such as words for people. */
function readContents(text: string): readonly string[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = listedSchema.safeParse(value);
  return parsed.success ? parsed.data.map(({ content }) => content).sort() : null;
}

function describeMissing({ errands }: Evidence): string {
  return `it was not run; run were: ${list(errands.map(({ command }) => command.slice(1).join(' ')))}`;
}

function describeAnswer({ exitCode, stdout, stderr }: ErrandRecord): string {
  const code = exitCode === null ? 'no end in time' : `exit code ${exitCode}`;
  return `${code}, stdout ${excerpt(stdout)}, stderr ${excerpt(stderr)}`;
}

function describeContents(contents: readonly string[]): string {
  const shown = contents.slice(0, 8).map((content) => quote(content));
  const more = contents.length > 8 ? `, and ${contents.length - 8} more` : '';
  return `${list(shown, 'no memories')}${more}`;
}
