// What people found out about mechanical mutants: tests/mutants/mechanical.yaml.
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

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
