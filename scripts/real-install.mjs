// Installs real programs into a cache outside the checkout: what real-setup.mjs and real-matrix.mjs share.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The programs that tests use, with the versions that they are pinned to. */
export const programs = JSON.parse(readFileSync(new URL('./real-programs.json', import.meta.url), 'utf8'));
const cache = findCache();

/** Installs a program unless it is there; says in words what came of it. */
export function setUp(name, program) {
  mkdirSync(cache, { recursive: true });
  const path = executableOf(name, program);
  if (works(path, program)) return { text: `already installed: ${path}` };
  if (program.from === 'cargo' && !isInstalled('cargo')) {
    return { text: 'skipped, because it is built from source and cargo is not on PATH (https://rustup.rs)' };
  }
  console.log(`${name} ${program.version}: installing ${program.package} from ${program.from} …`);
  const started = Date.now();
  try {
    install(name, program);
  } catch (error) {
    return { text: `failed: ${error.message}`, failed: true };
  }
  return { text: `installed in ${Math.round((Date.now() - started) / 1000)} s: ${path}` };
}

/** Installs into a folder next to the final one and renames it, so that an interrupted install never looks finished. */
function install(name, program) {
  const staging = mkdtempSync(join(cache, '.installing-'));
  try {
    if (program.from === 'cargo') installFromCargo(program, staging);
    else installFromNpm(program, staging);
    const staged = join(staging, program.executable);
    if (!works(staged, program)) throw new Error(`${staged} --version does not print ${program.version}`);
    // mkdtemp creates folders that only one user can read.
    chmodSync(staging, 0o755);
    rmSync(folderOf(name, program), { recursive: true, force: true });
    renameSync(staging, folderOf(name, program));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function installFromCargo(program, folder) {
  // An optimized build takes several times as long and tests nothing more.
  run('cargo', [
    'install',
    program.package,
    '--version',
    program.version,
    '--locked',
    '--debug',
    '--root',
    folder,
  ]);
}

function installFromNpm(program, folder) {
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--include=optional'];
  // The packages require a newer Node than ours, but only for their install script: the binary has its own runtime.
  flags.push('--engine-strict=false', '--ignore-scripts');
  run('npm', ['install', `${program.package}@${program.version}`, '--prefix', folder, ...flags]);
  // Without this script there is only a stub instead of the binary. Whether npm runs it depends on npm's version and
  // the user's settings, so we run it ourselves. Some packages have none, because they need none.
  if (program.postinstall === undefined) return;
  run(process.execPath, [join(folder, program.postinstall)], dirname(join(folder, program.postinstall)));
}

function run(command, args, cwd = cache) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw new Error(`${command} could not start (${error.code})`);
  if (status !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` exited with ${status}`);
}

/** Whether a program starts and has the wanted version. */
export function works(path, program) {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), DISABLE_AUTOUPDATER: '1' };
  const options = { encoding: 'utf8', env, timeout: 60_000 };
  const { status, stdout, stderr } = spawnSync(path, ['--version'], options);
  // pi prints its version on stderr.
  return status === 0 && `${stdout}${stderr}`.includes(program.version);
}

function isInstalled(command) {
  return spawnSync(command, ['--version']).status === 0;
}

/** Where a program is, or would be. */
export function executableOf(name, program) {
  return join(folderOf(name, program), program.executable);
}

function folderOf(name, program) {
  return join(cache, `${name}-${program.version}-${process.platform}-${process.arch}`);
}

function findCache() {
  const { RALPH_E2E_REAL_CACHE, XDG_CACHE_HOME } = process.env;
  return RALPH_E2E_REAL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'ralph-e2e', 'real');
}
