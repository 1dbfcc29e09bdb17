import * as z from 'zod';
import type { Check } from '../check.js';
import { parseJson } from '../common/json-lines.js';
import type { ErrandRecord, Evidence } from '../evidence/evidence.js';
import { findClosest } from './json-difference.js';
import { aboutWanted, excerpt, excerptNear, holds, list, quote, show, type Wanted } from './text.js';
import { matches, readDocuments, showJson, type WantedJson } from './wanted-json.js';

/** The answer that an errand should give. */
export interface WantedAnswer {
  /** The exit code; 0 by default. */
  readonly exitCode?: number;
  /** A text or pattern in stdout; not checked if left out. */
  readonly stdout?: Wanted;
  /** A text or pattern in stderr; not checked if left out. */
  readonly stderr?: Wanted;
  /** A JSON value in stdout; not checked if left out. */
  readonly json?: WantedJson;
  /** JSON values of which stdout has one; not checked if left out. */
  readonly eitherJson?: readonly WantedJson[];
}

/**
 * Checks the exit code and output of a command from `before` or `after`. Name a `ralph` or `git` command by its
 * arguments alone, such as `tools memory list --format json`, and any other command by its whole command line. If a
 * command ran more than once, its last answer counts.
 */
export function errandAnswered(args: string, wanted: WantedAnswer): Check {
  const { exitCode = 0, stdout, stderr, json, eitherJson = json === undefined ? [] : [json] } = wanted;
  const shownJson = eitherJson.map(showJson).join(' or ');
  const claims = [
    `exits with ${exitCode}`,
    ...(stdout === undefined ? [] : [`prints ${show(stdout)}`]),
    ...(stderr === undefined ? [] : [`prints ${show(stderr)} to stderr`]),
    ...(shownJson === '' ? [] : [`prints JSON with ${shownJson}`]),
  ];
  const wantedParts = [
    `exit code ${exitCode}`,
    ...(stdout === undefined ? [] : [`${show(stdout)} on stdout`]),
    ...(stderr === undefined ? [] : [`${show(stderr)} on stderr`]),
    ...(shownJson === '' ? [] : [`JSON with ${shownJson} on stdout`]),
  ];
  return {
    kind: 'errandAnswered',
    name: `"${args}" ${claims.join(' and ')}`,
    about: {
      names: [args],
      exitCode,
      ...aboutWanted(stdout, stderr, shownJson === '' ? undefined : shownJson),
    },
    category: 'OutputContains',
    judge: (evidence) => {
      const errand = findErrand(evidence, args);
      const documents = eitherJson.length === 0 ? [] : readDocuments(errand?.stdout ?? '');
      const fits = (one: WantedJson) => documents.some((document) => matches(document, one));
      const hasJson = eitherJson.length === 0 || eitherJson.some(fits);
      return {
        passed:
          errand !== undefined &&
          errand.exitCode === exitCode &&
          (stdout === undefined || holds(errand.stdout, stdout)) &&
          (stderr === undefined || holds(errand.stderr, stderr)) &&
          hasJson,
        expected: wantedParts.join(' and '),
        actual: errand === undefined ? describeMissing(evidence) : describeJudged(errand, wanted, hasJson),
        ...(hasJson ? {} : { differences: findClosest(documents, ...eitherJson) }),
      };
    },
  };
}

/** Checks that a command from `before` or `after` printed exactly these memories as JSON, in any order. */
export function memoriesListed(args: string, contents: readonly string[]): Check {
  const wanted = [...contents].sort();
  return {
    kind: 'memoriesListed',
    judges: 'course',
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

/** Returns the last answer of a command. */
export function findErrand({ errands }: Evidence, args: string): ErrandRecord | undefined {
  return errands.findLast(({ command }) =>
    [command, command.slice(1)].some((words) => words.join(' ') === args),
  );
}

const listedSchema = z.array(z.object({ content: z.string() }));

/** Returns the sorted texts of a JSON list of memories, or null for any other output. */
function readContents(text: string): readonly string[] | null {
  const parsed = listedSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data.map(({ content }) => content).sort() : null;
}

function describeMissing({ errands }: Evidence): string {
  return `the command did not run; commands that ran: ${list(errands.map(({ command }) => command.slice(1).join(' ')))}`;
}

/**
 * Shows the streams that are judged: the wrong one around what is wrong, and of the other that it is as expected. If the exit
 * code is wrong, or the wrong stream is empty, what is not judged may say why.
 */
function describeJudged(errand: ErrandRecord, wanted: WantedAnswer, hasJson: boolean): string {
  const { exitCode = 0, stdout, stderr, json, eitherJson = json } = wanted;
  const streams = [
    {
      ...{ name: 'stdout', text: errand.stdout, sought: stdout },
      isJudged: stdout !== undefined || eitherJson !== undefined,
      isRight: hasJson && (stdout === undefined || holds(errand.stdout, stdout)),
    },
    {
      ...{ name: 'stderr', text: errand.stderr, sought: stderr },
      isJudged: stderr !== undefined,
      isRight: stderr === undefined || holds(errand.stderr, stderr),
    },
  ];
  const wrong = streams.filter(({ isRight }) => !isRight);
  const isMute = wrong.every(({ text }) => text.trim() === '');
  const judged = streams.filter(({ isJudged }) => isJudged);
  if (errand.exitCode !== exitCode || judged.length === 0) return describeAnswer(errand);
  const shown = (isMute && wrong.length > 0 ? streams : judged).map(({ name, text, sought, ...stream }) =>
    stream.isJudged && stream.isRight && wrong.length > 0
      ? `${name}: as expected`
      : `${name}: ${excerptNear(text, sought ?? /./, judged.length === 1 || wrong.length === 1 ? 320 : 160)}`,
  );
  return [`exit code ${exitCode}`, ...shown].join('; ');
}

function describeAnswer({ exitCode, stdout, stderr }: ErrandRecord): string {
  const code = exitCode === null ? 'no exit within the time limit' : `exit code ${exitCode}`;
  return `${code}; stdout: ${excerpt(stdout)}; stderr: ${excerpt(stderr)}`;
}

function describeContents(contents: readonly string[]): string {
  const shown = contents.slice(0, 8).map((content) => quote(content));
  const more = contents.length > 8 ? `, and ${contents.length - 8} more` : '';
  return `${list(shown, 'no memories')}${more}`;
}
