// Places the edits of mutants in a source file. Texts are byte strings here (see `bytes`), because Rust counts bytes.

/** @typedef {{ id: string, file: string, find: string, replace: string }} OwnEdit */
/** @typedef {{ role: 'open' | 'close' | 'token', start: number, end: number, text: string }} Piece */
/** @typedef {{ start: number, end: number, text: string, ids: string[] }} Range */
/** @typedef {{ id: string, kind: string, start: number, end: number, edits: Piece[] }} Change */
/** @typedef {{ ids: string[], start: number, end: number }} Region */

const PLACEHOLDER = 'mutant!()';

/**
 * One character for each byte of the UTF-8 text.
 * @param {string} text
 */
export function bytes(text) {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * The ranges of the original text that own mutants replace. Mutants whose texts overlap share one range: the longest
 * text is replaced first, and the others in what is there then.
 * @param {string} text
 * @param {readonly OwnEdit[]} edits
 * @returns {Range[]}
 */
export function placeOwn(text, edits) {
  const found = edits
    .map((edit) => ({ edit, ...findOnce(text, edit) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  /** @type {(typeof found)[]} */
  const groups = [];
  for (const place of found) {
    const last = groups.at(-1);
    if (last !== undefined && place.start < Math.max(...last.map(({ end }) => end))) last.push(place);
    else groups.push([place]);
  }
  return groups.map((group) => {
    const start = Math.min(...group.map((place) => place.start));
    const end = Math.max(...group.map((place) => place.end));
    return {
      start,
      end,
      text: replaceAll(text.slice(start, end), group),
      ids: group.map(({ edit }) => edit.id),
    };
  });
}

/**
 * @param {string} text
 * @param {{ edit: OwnEdit, start: number, end: number }[]} group
 */
function replaceAll(text, group) {
  const longestFirst = [...group].sort((a, b) => b.end - b.start - (a.end - a.start));
  return longestFirst.reduce((now, { edit }, index) => {
    const find = bytes(edit.find);
    if (!now.includes(find)) {
      const others = longestFirst.slice(0, index).map((place) => place.edit.id);
      throw new Error(
        `${edit.id}: the text to find in ${edit.file} overlaps with ${others.join(', ')}. Choose a text that the others keep as it is.`,
      );
    }
    return now.replaceAll(find, () => switched(bytes(edit.replace), edit.id));
  }, text);
}

/**
 * @param {string} text
 * @param {OwnEdit} edit
 */
function findOnce(text, { id, file, find }) {
  const wanted = bytes(find);
  const start = text.indexOf(wanted);
  const hint = 'Copy a text that occurs exactly once in the file.';
  if (start === -1) throw new Error(`${id}: the text to find is not in ${file}. ${hint}`);
  const times = text.split(wanted).length - 1;
  if (times > 1) throw new Error(`${id}: the text to find occurs ${times} times in ${file}. ${hint}`);
  return { start, end: start + wanted.length };
}

/**
 * Whether a drawn change would edit text that an own mutant replaces.
 * @param {Change} change
 * @param {readonly Range[]} ranges
 */
export function collides(change, ranges) {
  return change.edits.some((piece) =>
    ranges.some(({ start, end }) => piece.start < end && Math.max(piece.end, piece.start + 1) > start),
  );
}

/**
 * Makes all edits at once, and returns where each mutant is in the new text.
 * @param {string} text
 * @param {readonly Range[]} ranges
 * @param {readonly Change[]} changes
 * @returns {{ text: string, regions: Region[] }}
 */
export function applyEdits(text, ranges, changes) {
  const pieces = [
    ...ranges.map(({ ids, ...range }) => ({ ...range, ids, role: 'token', width: 0, id: '' })),
    ...changes.flatMap(({ id, kind, start, end, edits }) =>
      edits.map((piece) => ({
        ...piece,
        text: switched(piece.text, id),
        ids: [id],
        id,
        // The first statement of a function comes before everything else that begins there.
        width: kind === 'body' ? Number.POSITIVE_INFINITY : end - start,
      })),
    ),
  ].sort((a, b) => a.start - b.start || rank(a.role) - rank(b.role) || orderByWidth(a, b));
  /** @type {Map<string, Region>} */
  const regions = new Map();
  let made = '';
  let done = 0;
  for (const piece of pieces) {
    if (piece.start < done) throw new Error(`${piece.ids.join(', ')}: its edits overlap with another mutant`);
    made += text.slice(done, piece.start);
    const start = made.length;
    made += piece.text;
    done = piece.end;
    const key = piece.ids.join(' ');
    const before = regions.get(key);
    regions.set(key, { ids: piece.ids, start: before?.start ?? start, end: made.length });
  }
  return { text: made + text.slice(done), regions: [...regions.values()] };
}

/** @param {string} role */
function rank(role) {
  return role === 'close' ? 0 : role === 'open' ? 1 : 2;
}

/**
 * What is wider opens first and closes last.
 * @param {{ role: string, width: number }} a
 * @param {{ role: string, width: number }} b
 */
function orderByWidth(a, b) {
  if (a.width === b.width) return 0;
  const wider = a.width > b.width ? -1 : 1;
  return a.role === 'close' ? -wider : wider;
}

/**
 * @param {string} text
 * @param {string} id
 */
function switched(text, id) {
  return text.replaceAll(PLACEHOLDER, () => `crate::mutant_switch::on("${id}")`);
}
