// What is planted where. Every text has a label, so that a leak tells its place and kind.
import { FORMS, KNOWN, SHAPED } from './kinds.mjs';

/** @typedef {{ kind: string, text: string, needles: readonly string[] }} Plant */

export const PLACES = [
  'stdout',
  'split',
  'stderr',
  'tool',
  'file',
  'name',
  'event',
  'notes',
  'prompt',
  'config',
];

/**
 * Everything that is planted, and the texts that must not be found afterwards.
 * @type {readonly Plant[]}
 */
export const PLANTS = [
  ...SHAPED.map(({ kind, text, secret }) => ({ kind, text, needles: [secret] })),
  ...Object.entries(KNOWN).flatMap(([source, value]) =>
    Object.entries(FORMS).map(([form, spell]) => ({
      kind: `${source} ${form}`,
      text: spell(value),
      needles: [middleOf(spell(value), form)],
    })),
  ),
];

/** Around a value in base64, some characters belong to its neighbors: only the middle must be gone.
 * @param {string} text @param {string} form */
function middleOf(text, form) {
  return form.startsWith('in base64') ? text.replaceAll('\n', '').slice(-40, -8) : text;
}

/** @param {string} place @param {number} index */
export function labelOf(place, index) {
  return `${place}#${index}#`;
}

/** Returns all plants for a place, one paragraph each. @param {string} place */
export function textFor(place) {
  return PLANTS.map((_, index) => plantFor(place, index)).join('\n');
}

/** Returns one plant for a place. @param {string} place @param {number} index */
export function plantFor(place, index) {
  return `${labelOf(place, index)} ${PLANTS[index]?.text}\n`;
}
