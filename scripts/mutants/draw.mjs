// Draws mechanical mutants by a seed.
import { createHash } from 'node:crypto';
import { areaOf } from './modules.mjs';

/** @typedef {import('./place.mjs').Change & { file: string, function: string, line: number, nth: number, what: string }} Candidate */
/** @typedef {Candidate & { area: string }} Drawn */

const PER_FUNCTION = 2;

/**
 * The id of a candidate. It has no line number, so that it stays the same when a file changes elsewhere.
 * @param {{ file: string, function: string, kind: string, nth: number }} candidate
 */
export function idOf({ file, function: name, kind, nth }) {
  const module = file
    .replace(/^ralph-(\w+)\/src\//, '$1.')
    .replace(/(?:\/mod)?\.rs$/, '')
    .replaceAll('/', '.');
  return `${module}.${name.replaceAll('::', '.')}.${kind}-${nth}`;
}

/**
 * Puts the candidates in the order of the seed. Each one's place depends only on the seed and its id. Leaves out what no
 * promise depends on, a second change at the same place, and more than two in a function.
 * @param {readonly Omit<Candidate, 'id'>[]} candidates
 * @param {number} seed
 * @returns {Drawn[]}
 */
export function drawOrder(candidates, seed) {
  /** @type {Map<string, number>} */
  const functions = new Map();
  const places = new Set();
  return candidates
    .flatMap((candidate) => {
      const area = areaOf(candidate.file, candidate.function, candidate.what);
      return area === null ? [] : [{ ...candidate, id: idOf(candidate), area }];
    })
    .map((candidate) => ({ candidate, rank: rankOf(seed, candidate.id) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ candidate }) => candidate)
    .filter(({ file, function: name, start, end }) => {
      const of = `${file} ${name}`;
      const place = `${file} ${start} ${end}`;
      const count = functions.get(of) ?? 0;
      if (count >= PER_FUNCTION || places.has(place)) return false;
      functions.set(of, count + 1);
      places.add(place);
      return true;
    });
}

/**
 * Takes some by a seed, whatever their order is.
 * @template {{ id: string }} T
 * @param {readonly T[]} all
 * @param {number} count
 * @param {number} seed
 * @returns {T[]}
 */
export function sample(all, count, seed) {
  return [...all].sort((a, b) => (rankOf(seed, a.id) < rankOf(seed, b.id) ? -1 : 1)).slice(0, count);
}

/**
 * @param {number} seed
 * @param {string} id
 */
function rankOf(seed, id) {
  return createHash('sha256').update(`${seed} ${id}`).digest('hex');
}
