// Reads docs/ralph-contract.md, which is data: what Ralph promises, and which checks hold it to that.
import { readFileSync } from 'node:fs';

const PAGE = /\/ralph-contract\.md$/;
const HEADER = '| id | promise | held by | source | about |';
const OUTSIDE_TITLE = '## Not part of it';
const CLASSES_TITLE = '## Classes of regressions';
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+$/;
const OUTSIDE_HEADER = '| part of Ralph | why |';
const CLASS_HEADER = '| promise | covered by |';
const HOLDER = /`([^`]+)`(?: except ([\w-]+(?:, [\w-]+)*))? \(([\w.-]+(?:, [\w.-]+)*)\)(?:, (?!$)|$)/y;

/**
 * @typedef {{ scenario: string, except: string[], checks: string[] }} Holder
 * `<backend>` in the id of a scenario stands for every backend, except these.
 * @typedef {{
 *   id: string, area: string, promise: string, source: string, about?: string[], holders: Holder[], nobody?: string,
 * }} ContractRow
 * @typedef {{ promise: string, holders: Holder[], nobody?: string }} Cover
 * `promise` is `<area>/<id>`.
 * @typedef {{ title: string, covers: Cover[] }} RegressionClass
 * @typedef {{ line: number, lineText: string, text: string }} Mistake
 */

/**
 * Reads the page. A mistake has the number of its line.
 * @param {string} text
 */
export function readContract(text) {
  /** @type {{ promises: ContractRow[], outside: Record<string, string>, classes: RegressionClass[], mistakes: Mistake[] }} */
  const page = { promises: [], outside: {}, classes: [], mistakes: [] };
  const ids = new Set();
  let title = '';
  let area = '';
  let header = '';
  for (const [at, lineText] of text.split(/\r?\n/).entries()) {
    /** @param {string} mistake */
    const refuse = (mistake) => {
      page.mistakes.push({ line: at + 1, lineText, text: mistake });
      return null;
    };
    if (lineText.startsWith('### ') && title === CLASSES_TITLE) {
      header = '';
      const number = page.classes.push({ title: lineText.slice(7), covers: [] });
      if (!lineText.startsWith(`### ${number}: `)) refuse(`expected "### ${number}: " and a title`);
    } else if (lineText.startsWith('#')) {
      header = '';
      title = lineText;
      area = /^## ([a-z]+(?:-[a-z]+)*)(?:: \S.*)?$/.exec(lineText)?.[1] ?? '';
      if (area === '' && ![OUTSIDE_TITLE, CLASSES_TITLE].includes(lineText) && at > 0)
        refuse(
          `expected "## ", the name of an area and perhaps ": " and a title, "${OUTSIDE_TITLE}" or "${CLASSES_TITLE}"`,
        );
    } else if (lineText.trim() === '') {
      header = '';
    } else if (!lineText.startsWith('|')) {
      // Below a header, a page shows each line as a row, whatever it begins with. Elsewhere they are words for people.
      if (header !== '' || /^\s+\|/.test(lineText))
        refuse('expected a row that begins with "|", or an empty line after the table');
    } else if (DIVIDER.test(lineText)) {
      // The line below the header of a table.
    } else if (header === '') {
      header = title === CLASSES_TITLE ? CLASS_HEADER : area === '' ? OUTSIDE_HEADER : HEADER;
      if (lineText !== header) refuse(`expected the header "${header}"`);
    } else {
      const cells = lineText
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|'));
      const columns = header.split('|').length - 2;
      if (cells.length !== columns || !lineText.endsWith('|')) {
        refuse(`expected ${columns} cells between pipes, found ${cells.length}; a pipe in a cell is "\\|"`);
      } else if (header === CLASS_HEADER) {
        const [promise = '', cover = ''] = cells;
        const covers = page.classes.at(-1)?.covers ?? [];
        if (!ids.has(promise)) refuse(`expected a promise such as "tasks/priority", found "${promise}"`);
        if (covers.some((one) => one.promise === promise))
          refuse(`expected each promise once in a class, found "${promise}" again`);
        const row = readCover(cover, refuse);
        if (row !== null) covers.push({ promise, ...row });
      } else if (area === '') {
        const [part = '', why = ''] = cells;
        if (part === '' || why === '')
          refuse('expected a part of Ralph and why it is not part of the contract');
        if (Object.hasOwn(page.outside, part)) refuse(`expected a part that is new, found "${part}" again`);
        page.outside[part] = why;
      } else {
        const [id = ''] = cells;
        if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
          refuse(`expected an id such as "exit-code", found "${id}"`);
        if (ids.has(`${area}/${id}`)) refuse(`expected an id that is new in ${area}, found "${id}" again`);
        ids.add(`${area}/${id}`);
        const row = readRow(area, cells, refuse);
        if (row !== null) page.promises.push(row);
      }
    }
  }
  return page;
}

/**
 * @param {string} area
 * @param {readonly string[]} cells
 * @param {(mistake: string) => null} refuse
 * @returns {ContractRow | null}
 */
function readRow(area, [id = '', promise = '', heldBy = '', source = '', about = ''], refuse) {
  if (promise === '' || source === '') return refuse('expected a promise and a source');
  const parts = about === '' ? [] : about.split(', ').map((part) => /^`([^`]+)`$/.exec(part)?.[1]);
  const named = parts.filter((part) => part !== undefined);
  if (named.length < parts.length) return refuse('expected in "about": `kind name`, `kind name`, …');
  const row = { id, area, promise, source, ...(named.length === 0 ? {} : { about: named }) };
  const cover = readCover(heldBy, refuse);
  return cover === null ? null : { ...row, ...cover };
}

/**
 * @param {string} cell
 * @param {(mistake: string) => null} refuse
 * @returns {{ holders: Holder[], nobody?: string } | null}
 */
function readCover(cell, refuse) {
  const [, nobody] = /^nobody: (.+)$/.exec(cell) ?? [];
  if (nobody !== undefined) return { holders: [], nobody };
  const holders = readHolders(cell);
  const checks = (holders ?? []).flatMap(({ scenario, checks: names }) =>
    names.map((name) => `${scenario}: ${name}`),
  );
  const again = checks.find((check, place) => checks.indexOf(check) < place);
  if (again !== undefined) return refuse(`expected each check once, found "${again}" again`);
  if (holders !== null) return { holders };
  return refuse(
    'expected in "held by" or "covered by": `scenario` (check, check), `<backend>-x` except claude (check), …, or "nobody: why"',
  );
}

/**
 * @param {string} cell
 * @returns {Holder[] | null}
 */
function readHolders(cell) {
  const holders = [];
  HOLDER.lastIndex = 0;
  for (let end = 0; end < cell.length; end = HOLDER.lastIndex) {
    const [, scenario = '', except, checks] = HOLDER.exec(cell) ?? [];
    if (checks === undefined) return null;
    holders.push({ scenario, except: except?.split(', ') ?? [], checks: checks.split(', ') });
  }
  return holders.length === 0 ? null : holders;
}

/** What the sources import of the page: the promises that a scenario holds. */
function moduleOf(/** @type {readonly ContractRow[]} */ promises) {
  return `export const PROMISES = ${JSON.stringify(promises.filter(({ holders }) => holders.length > 0))};\n`;
}

/**
 * Makes the plugin with which esbuild reads the page.
 * @returns {import('esbuild').Plugin}
 */
export function contractPage() {
  return {
    name: 'contract-page',
    setup({ onLoad }) {
      onLoad({ filter: PAGE }, ({ path }) => {
        const { promises, mistakes } = readContract(readFileSync(path, 'utf8'));
        const errors = mistakes.map(({ text, line, lineText }) => ({
          text,
          location: { file: path, line, lineText, column: 0, length: lineText.length },
        }));
        return { contents: moduleOf(promises), loader: 'js', errors, watchFiles: [path] };
      });
    },
  };
}

/**
 * Makes the plugin with which Vitest reads the page.
 * @returns {import('vite').Plugin}
 */
export function contractPageInTests() {
  return {
    name: 'contract-page',
    load(path) {
      if (!PAGE.test(path)) return null;
      const { promises, mistakes } = readContract(readFileSync(path, 'utf8'));
      const [first] = mistakes;
      if (first !== undefined) throw new Error(`${path}:${first.line}: ${first.text}`);
      return moduleOf(promises);
    },
  };
}
