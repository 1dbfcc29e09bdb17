import type { ComparedResult as Result } from './comparable.js';

type FailedCheck = Result['assertions'][number];

/** Why a result is broken, as far as the results themselves tell. */
export interface Cause {
  /** The same for results that belong together. */
  readonly key: string;
  /** The failed check that shows it; null if the result has an error, or no failed check. */
  readonly check: FailedCheck | null;
  /** What they have in common, if it is a word that failed checks of all of them mention and no passed check does. */
  readonly word: string | null;
}

/** Something that a broken result may share with others: what a check says and received, or a word. */
interface Clue {
  readonly key: string;
  readonly word: string | null;
  readonly check: FailedCheck | null;
}

/** A word means something only if enough passed checks could have mentioned it: so many for each failed one. */
const PASSED_FOR_EACH_FAILED = 5;

/**
 * Finds what broken results have in common. The clue that most of them share makes the first group; the others are
 * grouped in the same way. A result that shares nothing has its first failed check as its cause.
 */
export function findCauses(broken: readonly Result[], all: readonly Result[]): ReadonlyMap<Result, Cause> {
  const telling = findTellingWords(all);
  const clues = new Map(broken.map((result) => [result, listClues(result, telling)]));
  const causes = new Map<Result, Cause>();
  while (clues.size > 0) {
    const { key, word, members } = findLargestGroup(clues);
    for (const result of members) {
      const clue = clues.get(result)?.find((candidate) => candidate.key === key);
      causes.set(result, { key, word, check: clue?.check ?? null });
      clues.delete(result);
    }
  }
  return causes;
}

/** Tells whether only failed checks mention a word. */
function findTellingWords(all: readonly Result[]): (word: string) => boolean {
  const checks = all.flatMap(({ assertions }) => assertions);
  const passed = checks.filter((check) => check.passed);
  const failed = checks.length - passed.length;
  if (passed.length < failed * PASSED_FOR_EACH_FAILED) return () => false;
  const harmless = new Set(passed.flatMap(wordsOf));
  return (word) => !harmless.has(word);
}

function listClues({ error, assertions }: Result, telling: (word: string) => boolean): Clue[] {
  const failed = assertions.filter(({ passed }) => !passed);
  if (error !== null || failed.length === 0)
    return [{ key: generalize(error ?? ''), word: null, check: null }];
  return [
    ...failed.map((check, index) => {
      const said = `${check.name}: ${check.actual}`;
      // Later checks often fail because of the first, each in the words of its kind: these must say the very same.
      return { key: index === 0 ? generalize(said) : withoutNumbers(said), word: null, check };
    }),
    ...failed.flatMap((check) =>
      wordsOf(check)
        .filter(telling)
        .map((word) => ({ key: `every check that mentions ${word}`, word, check })),
    ),
  ];
}

/** A clue, and the results that have it. */
interface Group {
  readonly key: string;
  readonly word: string | null;
  readonly members: ReadonlySet<Result>;
  /** How often the clue occurs in them. */
  readonly times: number;
}

/**
 * Returns the group of the clue that most results share. At the same number, what a check says comes before a word, and a
 * word that more checks mention before others.
 */
function findLargestGroup(clues: ReadonlyMap<Result, readonly Clue[]>): Group {
  const groups = new Map<string, Group>();
  for (const [result, own] of clues) {
    for (const { key, word } of own) {
      const { members, times } = groups.get(key) ?? { members: new Set(), times: 0 };
      groups.set(key, { key, word, members: new Set([...members, result]), times: times + 1 });
    }
  }
  const [largest] = [...groups.values()]
    // A scenario that fails on several backends shares all its words with itself.
    .filter(({ word, members }) => word === null || countScenarios(members) > 1)
    .sort(
      (a, b) =>
        b.members.size - a.members.size ||
        Number(a.word !== null) - Number(b.word !== null) ||
        (a.word === null ? 0 : b.times - a.times),
    );
  return largest ?? { key: '', word: null, members: new Set(clues.keys()), times: 0 };
}

function countScenarios(results: ReadonlySet<Result>): number {
  return new Set([...results].map(({ scenario_id }) => scenario_id)).size;
}

/**
 * Lists the words in the facts of a check, and the parts of compound ones such as `plan-forge.txt`, without escapes of
 * patterns.
 */
function wordsOf({ key = '', about = {} }: FailedCheck): string[] {
  const facts = [key, ...Object.values(about).flat()].join(' ');
  const compounds = facts.replace(/\\[a-z]/gi, ' ').match(/[a-z]+(?:\\?[._-][a-z]+)*/gi) ?? [];
  return compounds
    .map((compound) => compound.replaceAll('\\', '').toLowerCase())
    .flatMap((compound) => [compound, ...compound.split(/[._-]/)])
    .filter((word, index, words) => word.length > 3 && words.indexOf(word) === index);
}

/** Takes out of a sentence what differs from test to test: numbers, quoted texts, random words. */
function generalize(sentence: string): string {
  return withoutNumbers(sentence.replace(/"(?![a-z_]+")[^"]*"|`[^`]*`/g, '…'));
}

/** Takes only numbers and random words out of a sentence. */
function withoutNumbers(sentence: string): string {
  return sentence
    .replace(/\b[a-z]{6}\d{4}\b/gi, '…')
    .replace(/\d+(?:\.\d+)?/g, 'N')
    .replace(/\bN(?:, N)+\b/g, 'N')
    .replace(/\bN ([a-z]+?)s?\b/g, 'N $1s');
}
