// Reads what people wrote: the own mutants (tests/mutants/own/<area>.yaml), and what they found out about mechanical ones
// (tests/mutants/mechanical.yaml).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const FILE = z.string().regex(/^ralph-(?:core|cli|adapters|proto)\/src\/[\w/]+\.rs$/, {
  error: 'expected a source file such as ralph-core/src/config.rs',
});
const ID = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
  error: 'expected lowercase words and hyphens',
});

const MUTANT = z
  .strictObject({
    id: ID,
    area: ID,
    file: FILE,
    breaks: z.string().min(1),
    find: z.string().min(1).optional(),
    replace: z.string().optional(),
    edits: z
      .array(z.strictObject({ file: FILE.optional(), find: z.string().min(1), replace: z.string() }))
      .min(1)
      .optional(),
    equivalent: z.string().min(1).optional(),
  })
  .refine(
    ({ find, replace, edits }) => (edits === undefined) === (find !== undefined && replace !== undefined),
    {
      error: 'expected either find and replace, or edits',
    },
  );

/** @typedef {{ id: string, area: string, file: string, breaks: string, equivalent: string | null, edits: import('./place.mjs').OwnEdit[] }} OwnMutant */

/**
 * Reads all own mutants, in the order of their files.
 * @param {string} folder
 * @returns {OwnMutant[]}
 */
export function readOwnMutants(folder) {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => parseOwnMutants(readFileSync(join(folder, name), 'utf8'), name));
  const seen = new Set();
  for (const { id } of all) {
    if (seen.has(id) || id === 'baseline')
      throw new Error(`${id}: expected an id of its own for each mutant`);
    seen.add(id);
  }
  return all;
}

/**
 * Reads the mutants of one file.
 * @param {string} text
 * @param {string} name
 * @returns {OwnMutant[]}
 */
export function parseOwnMutants(text, name) {
  const result = z.array(MUTANT).safeParse(parse(text));
  if (!result.success) throw new Error(`tests/mutants/own/${name}:\n${z.prettifyError(result.error)}`);
  return result.data.map(({ id, area, file, breaks, equivalent = null, find, replace, edits }) => {
    const all = (edits ?? [{ find: find ?? '', replace: replace ?? '' }]).map((edit) => ({
      id,
      file,
      ...edit,
    }));
    if (!all.some((edit) => edit.replace.includes('mutant!()')))
      throw new Error(
        `${id}: expected mutant!() in what replaces the text: without it, the change is always on`,
      );
    return { id, area, file, breaks, equivalent, edits: all };
  });
}

const NOTES = z.array(
  z.union([
    z.strictObject({ id: z.string(), equivalent: z.string().min(1) }),
    z.strictObject({ id: z.string(), breaks: z.string().min(1) }),
  ]),
);

/** @typedef {{ equivalent: string | null, note: string | null }} Note */

/**
 * Why a mutant is equivalent, or which promise it breaks, by id.
 * @param {string} path
 * @returns {Map<string, Note>}
 */
export function readNotes(path) {
  if (!existsSync(path)) return new Map();
  const parsed = NOTES.safeParse(parse(readFileSync(path, 'utf8')) ?? []);
  if (!parsed.success) throw new Error(`${path}:\n${z.prettifyError(parsed.error)}`);
  return new Map(
    parsed.data.map((note) => [
      note.id,
      'equivalent' in note
        ? { equivalent: note.equivalent, note: null }
        : { equivalent: null, note: note.breaks },
    ]),
  );
}
