// Reads the attempts. Each family is a YAML file in tests/isolation/escapes.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/**
 * @typedef {object} EscapeAttempt
 * @property {string} id family/name
 * @property {string} run the shell script that the agent runs
 * @property {readonly string[]} out how to see outside that it got through: the names of judge.mjs
 * @property {readonly string[]} leaves files outside that exist if it got through
 * @property {boolean} alone whether it needs a workspace of its own
 * @property {boolean} host whether it may run without isolation
 * @property {boolean} docker whether docker stops it, too
 * @property {boolean} shared whether it is about what tests in one container share
 */

const FOLDER = fileURLToPath(new URL('../../tests/isolation/escapes/', import.meta.url));

/** @returns {EscapeAttempt[]} */
export function readCorpus() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => readFamily(name.replace('.yaml', '')));
}

/** @param {string} family @returns {EscapeAttempt[]} */
function readFamily(family) {
  const { attempts, prelude = '', files, ...common } = readFile(family);
  const planted = listWords(files).map((path) => [path, `cat "$USER_HOME/${path}" > "$LOOT"`]);
  return [...planted, ...Object.entries(attempts)].map(([name, given]) => {
    const own = typeof given === 'string' ? { run: given } : given;
    return {
      ...{ leaves: [], alone: false, host: true, docker: true, shared: false },
      ...common,
      ...(own.leaves === undefined ? {} : { out: ['leaves'] }),
      ...own,
      run: `${prelude}${own.run}`,
      id: `${family}/${name}`,
    };
  });
}

/** Lists the credentials to plant in the home. */
export function listPlanted() {
  return listWords(readFile('credentials').files);
}

/** @param {string} family */
function readFile(family) {
  return parse(readFileSync(`${FOLDER}${family}.yaml`, 'utf8'));
}

/** @param {string | undefined} text @returns {string[]} */
function listWords(text = '') {
  return text.match(/\S+/g) ?? [];
}
