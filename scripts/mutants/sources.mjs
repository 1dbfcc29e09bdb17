// Gets Ralph's sources by cargo, and keeps a copy of the four crates in which mutants are placed.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';

/** The crates in which mutants are placed. The others stay as they are and depend on these. */
const CRATES = ['ralph-core', 'ralph-cli', 'ralph-adapters', 'ralph-proto'];

/**
 * Downloads the crates, if cargo does not have them, and returns the folder of each.
 * @param {string} version
 * @returns {Map<string, string>}
 */
export function fetchCrates(version) {
  return new Map(CRATES.map((name) => [name, findCrate(name, version) ?? download(name, version)]));
}

/**
 * @param {string} name
 * @param {string} version
 */
function download(name, version) {
  // `cargo info` downloads and unpacks one crate without its dependencies.
  execaSync('cargo', ['info', `${name}@${version}`, '--color', 'never'], { cwd: homedir() });
  const found = findCrate(name, version);
  if (found === null) throw new Error(`cargo did not download ${name} ${version}`);
  return found;
}

/**
 * @param {string} name
 * @param {string} version
 */
function findCrate(name, version) {
  const registries = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry', 'src');
  if (!existsSync(registries)) return null;
  const folders = readdirSync(registries).map((registry) => join(registries, registry, `${name}-${version}`));
  return folders.find((folder) => existsSync(join(folder, 'Cargo.toml'))) ?? null;
}

/**
 * Copies the crates next to each other, so that they depend on each other's copies.
 * @param {Map<string, string>} crates
 * @param {string} folder
 */
export function copyCrates(crates, folder) {
  if (existsSync(join(folder, '.complete'))) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, from] of crates) cpSync(from, join(folder, name), { recursive: true });
  const patched = CRATES.filter((name) => name !== 'ralph-cli');
  const manifest = join(folder, 'ralph-cli', 'Cargo.toml');
  const patch = patched.map((name) => `${name} = { path = "../${name}" }\n`).join('');
  writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}\n[patch.crates-io]\n${patch}`);
  const lock = join(folder, 'ralph-cli', 'Cargo.lock');
  writeFileSync(lock, unpin(readFileSync(lock, 'utf8'), patched));
  writeFileSync(join(folder, '.complete'), '');
}

/**
 * Removes where some packages come from, as cargo does for packages with a path.
 * @param {string} lock
 * @param {readonly string[]} names
 */
export function unpin(lock, names) {
  return lock
    .split('\n\n')
    .map((block) =>
      names.some((name) => block.includes(`\nname = "${name}"\n`))
        ? block.replace(/\n(?:source|checksum) = .*/g, '')
        : block,
    )
    .join('\n\n');
}

/** The version of cargo and its compiler, which decides which mutants compile. */
export function readCompilerVersion() {
  return execaSync('cargo', ['--version']).stdout;
}
