// Installs the official SDKs of real-sdks.json into the cache of real-setup.mjs, for `npm run test:real`.
//
//   node scripts/sdk-setup.mjs           installs what is missing and prints where everything is
//   node scripts/sdk-setup.mjs --paths   installs nothing; prints the installed SDKs as JSON
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const sdks = JSON.parse(readFileSync(new URL('./real-sdks.json', import.meta.url), 'utf8'));
const cache = findCache();
const python = findPython();

if (process.argv.includes('--paths')) printPaths();
else installAll();

function installAll() {
  mkdirSync(cache, { recursive: true });
  for (const kind of ['python', 'npm']) {
    const names = Object.entries(sdks[kind]).map(([name, version]) => `${name} ${version}`);
    const { text, failed } = setUp(kind);
    console.log(`SDKs for ${kind} (${names.join(', ')}): ${text}`);
    if (failed) process.exitCode = 1;
  }
}

function setUp(kind) {
  if (kind === 'python' && python === null) {
    return { text: 'skipped, because python3 (3.10 or newer) with pip is not on PATH' };
  }
  const folder = folderOf(kind);
  if (existsSync(folder)) return { text: `already installed: ${folder}` };
  const staging = mkdtempSync(join(cache, '.installing-'));
  try {
    if (kind === 'python') installFromPip(staging);
    else installFromNpm(staging);
    // mkdtemp creates folders that only one user can read.
    chmodSync(staging, 0o755);
    moveTo(folder, staging);
    return { text: `installed: ${folder}` };
  } catch (error) {
    return { text: `failed: ${error.message}`, failed: true };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Another process may have installed the same at the same time. */
function moveTo(folder, staging) {
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function installFromPip(folder) {
  const packages = Object.entries(sdks.python).map(([name, version]) => `${name}==${version}`);
  run('python3', [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-warn-conflicts',
    '--root-user-action=ignore',
    '--target',
    folder,
    ...packages,
  ]);
}

function installFromNpm(folder) {
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  const packages = Object.entries(sdks.npm).map(([name, version]) => `${name}@${version}`);
  run('npm', ['install', ...packages, '--prefix', folder, ...flags]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: cache, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw new Error(`${command} could not start (${error.code})`);
  if (status !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` exited with ${status}`);
}

function printPaths() {
  const path = (kind) =>
    (kind === 'python' && python === null) || !existsSync(folderOf(kind)) ? null : folderOf(kind);
  console.log(JSON.stringify({ python: path('python'), npm: path('npm') }));
}

/** Compiled parts of Python packages fit one version of Python, so that the folder names it. */
function folderOf(kind) {
  const versions = createHash('sha256').update(JSON.stringify(sdks[kind])).digest('hex').slice(0, 8);
  const runtime = kind === 'python' ? `python${python}` : 'npm';
  return join(cache, `sdks-${runtime}-${versions}-${process.platform}-${process.arch}`);
}

/** Returns the version of python3, such as 3.11, or null if it cannot install the SDKs. */
function findPython() {
  const program =
    'import pip, sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))';
  const { status, stdout } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function findCache() {
  const { RALPH_E2E_REAL_CACHE, XDG_CACHE_HOME } = process.env;
  return RALPH_E2E_REAL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'ralph-e2e', 'real');
}
