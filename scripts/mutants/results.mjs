// The results of mutants: kept as they come, so that a second call goes on where the first one stopped.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const RESULT = z.strictObject({
  id: z.string(),
  set: z.enum(['own', 'mechanical']),
  area: z.string(),
  file: z.string(),
  /** The promise that it breaks, or what it changes. */
  breaks: z.string(),
  status: z.enum(['noticed', 'survived', 'inconclusive', 'equivalent']),
  /** Why no user could notice an equivalent one, or what a user would notice of a survivor. */
  note: z.string().nullable(),
  test: z.string().nullable(),
  check: z.string().nullable(),
  tried: z.number(),
  diagnosis: z
    .strictObject({
      judgment: z.enum(['right', 'vague', 'misleading']),
      rule: z.string(),
      blames: z.string().default('unknown'),
      areas: z.array(z.string()).default([]),
    })
    .nullable(),
  /** What the result depends on: the change itself, Ralph's version and the catalog. */
  key: z.string(),
});
const RESULTS = z.strictObject({
  ralph: z.string(),
  seed: z.number(),
  /** How many mutants there are, with and without a result. */
  total: z.number(),
  mutants: z.array(RESULT),
});

/** @typedef {z.infer<typeof RESULT>} Result */
/** @typedef {z.infer<typeof RESULTS>} Results */

/**
 * @param {string} path
 * @returns {Results | null}
 */
export function readResults(path) {
  if (!existsSync(path)) return null;
  const parsed = RESULTS.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success)
    throw new Error(
      `${path} has an unexpected form. Delete it to start again.\n${z.prettifyError(parsed.error)}`,
    );
  return parsed.data;
}

/**
 * Writes whole files only, so that an interrupted call leaves the previous state.
 * @param {string} path
 * @param {Results} results
 */
export function writeResults(path, results) {
  mkdirSync(dirname(path), { recursive: true });
  const { mutants, ...facts } = RESULTS.parse(results);
  const head = Object.entries(facts).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`);
  const rows = mutants.map((mutant) => `    ${JSON.stringify(mutant)}`).join(',\n');
  const text = `{\n${head.join('')}  "mutants": [\n${rows}\n  ]\n}\n`;
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/**
 * Splits mutants into those with a result that still holds and those to run.
 * @template {{ id: string, key: string }} M
 * @param {readonly M[]} mutants
 * @param {readonly Result[]} earlier
 * @param {{ again: (result: Result) => boolean }} options `again`: a result to get anew, although it holds
 * @returns {{ held: Map<string, Result>, open: M[] }}
 */
export function resume(mutants, earlier, { again }) {
  const byId = new Map(earlier.map((result) => [result.id, result]));
  const held = new Map();
  const open = [];
  for (const mutant of mutants) {
    const result = byId.get(mutant.id);
    if (result !== undefined && result.key === mutant.key && !again(result)) held.set(mutant.id, result);
    else open.push(mutant);
  }
  return { held, open };
}

/**
 * Puts new results in place of the earlier ones of the same mutants, with what their files say now. Drops mutants that
 * no longer exist.
 * @param {readonly Result[]} earlier
 * @param {readonly Result[]} fresh
 * @param {readonly Pick<Result, 'id' | 'area' | 'file' | 'breaks' | 'note'>[]} known all mutants, in the order of the file
 * @returns {Result[]}
 */
export function mergeResults(earlier, fresh, known) {
  const byId = new Map([...earlier, ...fresh].map((result) => [result.id, result]));
  return known.flatMap(({ id, area, file, breaks, note }) => {
    const result = byId.get(id);
    return result === undefined ? [] : { ...result, area, file, breaks, note };
  });
}

/**
 * The survivors that an earlier file of results does not list.
 * @param {readonly Result[]} results
 * @param {readonly Result[]} listed
 */
export function newSurvivors(results, listed) {
  const known = new Set(listed.filter(survives).map(({ id }) => id));
  return results.filter((result) => survives(result) && !known.has(result.id));
}

/** @param {Result} result */
export function survives({ status }) {
  return status === 'survived' || status === 'inconclusive';
}
