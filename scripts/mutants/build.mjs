// Builds one Ralph with all mutants in it.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaSync } from 'execa';
import { findGuilty } from './compiler-errors.mjs';
import { drawOrder } from './draw.mjs';
import { DRAWN_FROM } from './modules.mjs';
import { applyEdits, collides, placeOwn } from './place.mjs';
import { copyCrates, fetchCrates, readCompilerVersion } from './sources.mjs';

/** @typedef {import('./own.mjs').OwnMutant} OwnMutant */
/** @typedef {import('./draw.mjs').Drawn} Drawn */
/** @typedef {{ folder: string, hash: string, drawn: Drawn[] }} Build */

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** Some candidates do not compile, so we draw more than we need. */
const SPARE = 1.4;
const ROUNDS = 25;
/** Lists and messages are large. */
const maxBuffer = 2 ** 30;

/**
 * Builds, or finds the build of an earlier call. Each mutant is an executable in a folder with its id.
 * @param {{ version: string, own: OwnMutant[], seed: number, count: number, cache: string, log: (line: string) => void }} options
 * @returns {Build}
 */
export function buildMutants({ version, own, seed, count, cache, log }) {
  const hash = hashInputs({ version, own, seed, count });
  const folder = join(cache, 'builds', hash);
  const list = join(folder, 'drawn.json');
  if (!existsSync(list)) {
    const unlock = lock(cache);
    try {
      const { drawn, binary } = compile({ version, own, seed, count, cache, log });
      lay(binary, ['baseline', ...own.map(({ id }) => id), ...drawn.map(({ id }) => id)], drawn, folder);
    } finally {
      unlock();
    }
  }
  return { folder, hash, drawn: JSON.parse(readFileSync(list, 'utf8')) };
}

/** @param {{ version: string, own: OwnMutant[], seed: number, count: number }} options */
function hashInputs(options) {
  const sources = [
    'switch.rs',
    'candidates/Cargo.toml',
    ...readdirSync(join(HERE, 'candidates/src')).map((name) => `candidates/src/${name}`),
  ];
  const scripts = ['modules.mjs', 'draw.mjs', 'place.mjs'];
  const hash = createHash('sha256').update(readCompilerVersion());
  for (const name of [...sources, ...scripts].sort()) hash.update(readFileSync(join(HERE, name)));
  const edits = options.own.map(({ edits }) => edits);
  hash.update(JSON.stringify([options.version, edits, options.seed, options.count]));
  return hash.digest('hex').slice(0, 16);
}

/** @param {{ version: string, own: OwnMutant[], seed: number, count: number, cache: string, log: (line: string) => void }} options */
function compile({ version, own, seed, count, cache, log }) {
  const crates = fetchCrates(version);
  const work = join(cache, `ralph-${version}`);
  copyCrates(crates, work);
  /** @param {string} file */
  const original = (file) => {
    const [name = '', ...rest] = file.split('/');
    return readFileSync(join(crates.get(name) ?? '', ...rest), 'latin1');
  };
  /** @type {Map<string, import('./place.mjs').OwnEdit[]>} */
  const edits = new Map();
  for (const edit of own.flatMap((mutant) => mutant.edits))
    edits.set(edit.file, [...(edits.get(edit.file) ?? []), edit]);
  const ranges = new Map([...edits].map(([file, all]) => [file, placeOwn(original(file), all)]));

  const order = drawOrder(listCandidates(crates, cache, log), seed).filter(
    (change) => !collides(change, ranges.get(change.file) ?? []),
  );
  let tried = order.slice(0, Math.ceil(count * SPARE));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const places = writeSources({ work, crates, original, ranges, tried });
    log(
      `building ralph ${version} with ${own.length} own and ${tried.length} drawn mutants (round ${round}) …`,
    );
    const result = cargoBuild(work, cache);
    if (result.ok) {
      if (tried.length < count)
        throw new Error(`Only ${tried.length} of ${count} drawn mutants compile: draw more spare ones.`);
      return { drawn: tried.slice(0, count), binary: join(cache, 'target', 'debug', 'ralph') };
    }
    const guilty = findGuilty(result.messages, places, new Set(own.map(({ id }) => id)));
    log(`  ${guilty.size} of the drawn mutants do not compile`);
    tried = tried.filter(({ id }) => !guilty.has(id));
  }
  throw new Error(`The build still fails after ${ROUNDS} rounds.`);
}

/**
 * @param {Map<string, string>} crates
 * @param {string} cache
 * @param {(line: string) => void} log
 */
function listCandidates(crates, cache, log) {
  const target = join(cache, 'candidates');
  log('building the program that lists candidates …');
  execaSync('cargo', ['build', '--quiet'], {
    cwd: join(HERE, 'candidates'),
    env: { CARGO_TARGET_DIR: target },
  });
  // The program wants the crates next to each other, under their plain names.
  const pristine = join(cache, 'candidates', 'sources');
  rmSync(pristine, { recursive: true, force: true });
  for (const file of DRAWN_FROM) {
    const [name = '', ...rest] = file.split('/');
    mkdirSync(join(pristine, name, ...rest.slice(0, -1)), { recursive: true });
    copyFileSync(join(crates.get(name) ?? '', ...rest), join(pristine, file));
  }
  const { stdout } = execaSync(join(target, 'debug', 'candidates'), [pristine, ...DRAWN_FROM], { maxBuffer });
  return JSON.parse(stdout);
}

/**
 * Writes the sources with the mutants, and returns where they are. Unchanged files keep their time, for cargo.
 * @param {{ work: string, crates: Map<string, string>, original: (file: string) => string, ranges: Map<string, import('./place.mjs').Range[]>, tried: Drawn[] }} options
 */
function writeSources({ work, crates, original, ranges, tried }) {
  /** @type {Map<string, import('./place.mjs').Region[]>} */
  const places = new Map();
  for (const [name, from] of crates) {
    const files = readdirSync(join(from, 'src'), { recursive: true, encoding: 'utf8' });
    for (const path of files.filter((file) => file.endsWith('.rs'))) {
      const file = `${name}/src/${path}`;
      const changes = tried.filter((change) => change.file === file);
      const { text, regions } = applyEdits(original(file), ranges.get(file) ?? [], changes);
      const isRoot = path === 'lib.rs' || path === 'main.rs';
      writeIfChanged(join(work, file), isRoot ? `${text}\nmod mutant_switch;\n` : text);
      places.set(file, regions);
    }
    const text = readFileSync(join(HERE, 'switch.rs'), 'latin1');
    writeIfChanged(join(work, name, 'src', 'mutant_switch.rs'), text);
  }
  return places;
}

/**
 * @param {string} path
 * @param {string} text
 */
function writeIfChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'latin1') !== text) writeFileSync(path, text, 'latin1');
}

/**
 * @param {string} work
 * @param {string} cache
 */
function cargoBuild(work, cache) {
  const args = ['build', '--locked', '--bin', 'ralph', '--message-format', 'json', '--quiet'];
  const { exitCode, stdout, message } = execaSync('cargo', args, {
    cwd: join(work, 'ralph-cli'),
    maxBuffer,
    // Debug symbols double the time to link.
    env: { CARGO_TARGET_DIR: join(cache, 'target'), CARGO_PROFILE_DEV_DEBUG: '0' },
    reject: false,
  });
  const messages = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const failed = messages.some(
    ({ reason, message }) => reason === 'compiler-message' && message.level === 'error',
  );
  if (exitCode !== 0 && !failed) throw new Error(message);
  return { ok: exitCode === 0, messages };
}

/**
 * Links the executable into a folder for each mutant.
 * @param {string} binary
 * @param {string[]} ids
 * @param {Drawn[]} drawn
 * @param {string} folder
 */
function lay(binary, ids, drawn, folder) {
  const staging = `${folder}.new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  copyFileSync(binary, join(staging, 'ralph'));
  for (const id of ids) {
    mkdirSync(join(staging, id));
    linkSync(join(staging, 'ralph'), join(staging, id, 'ralph'));
  }
  writeFileSync(join(staging, 'drawn.json'), JSON.stringify(drawn));
  rmSync(folder, { recursive: true, force: true });
  renameSync(staging, folder);
}

/**
 * Two builds would change the same files.
 * @param {string} cache
 */
function lock(cache) {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, 'building');
  if (existsSync(path) && isRunning(Number(readFileSync(path, 'utf8'))))
    throw new Error(`Another call is building (process ${readFileSync(path, 'utf8')}). Wait for its end.`);
  writeFileSync(path, String(process.pid));
  return () => rmSync(path, { force: true });
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
