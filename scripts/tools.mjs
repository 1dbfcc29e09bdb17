// Installs the programs of tools.json, which only some tests need, into a cache outside the checkout.
//
//   node scripts/tools.mjs real              installs what `npm run test:real` needs and is missing
//   node scripts/tools.mjs workflows         the same for `npm run test:workflows`
//   node scripts/tools.mjs real --paths      installs nothing; prints versions and paths as JSON, null for what is missing
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The programs and packages that tests use, with the versions that they are pinned to. */
export const tools = JSON.parse(readFileSync(new URL('./tools.json', import.meta.url), 'utf8'));
const cache = cacheFor('real', process.env.RALPH_E2E_REAL_CACHE);

const NPM_FLAGS = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--include=optional'];
// The packages require a newer Node than ours, but only for their install script: the binary has its own runtime.
NPM_FLAGS.push('--engine-strict=false', '--ignore-scripts');
const PIP_FLAGS = [
  '--quiet',
  '--disable-pip-version-check',
  '--no-warn-conflicts',
  '--root-user-action=ignore',
];

/** How each source installs packages into a folder, and what it needs on this machine. */
const SOURCES = {
  cargo: {
    needs: 'cargo (https://rustup.rs)',
    isThere: () => answers('cargo', ['--version']),
    // An optimized build takes several times as long and tests nothing more.
    install: ([[name, version]], folder) =>
      run('cargo', ['install', name, '--version', version, '--locked', '--debug', '--root', folder]),
  },
  npm: {
    needs: 'npm',
    isThere: () => true,
    install: (packages, folder) =>
      run('npm', ['install', ...packages.map((each) => each.join('@')), '--prefix', folder, ...NPM_FLAGS]),
  },
  pip: {
    needs: 'python3 (3.10 or newer) with pip',
    isThere: () => pythonVersion() !== null,
    install: (packages, folder) =>
      run('python3', [
        ...['-m', 'pip', 'install', ...PIP_FLAGS, '--target', folder],
        ...packages.map((each) => each.join('==')),
      ]),
  },
  go: {
    needs: 'Go (https://go.dev/dl)',
    isThere: () => answers('go', ['version']),
    install: ([each], folder) => run('go', ['install', each.join('@')], folder, { GOBIN: folder }),
  },
};

if (process.argv[1] === import.meta.filename) {
  const wanted = Object.entries(tools).filter(([, tool]) => process.argv.includes(tool.for));
  if (process.argv.includes('--paths')) printPaths(wanted);
  else for (const [name, tool] of wanted) report(name, tool);
}

function printPaths(wanted) {
  const entries = wanted.map(([name, tool]) => [name, { version: versionOf(tool), path: findTool(name) }]);
  console.log(JSON.stringify(Object.fromEntries(entries)));
}

function report(name, tool) {
  const { text, failed } = setUp(name, tool);
  console.log(`${name} ${versionOf(tool)}: ${text}`);
  if (failed) process.exitCode = 1;
}

/** Where something is kept between calls, unless a variable says where. */
export function cacheFor(name, wanted) {
  return wanted || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ralph-e2e', name);
}

/** Installs a tool unless it is there; says in words what came of it. */
export function setUp(name, tool) {
  mkdirSync(cache, { recursive: true });
  const source = SOURCES[tool.from];
  const path = pathOf(name, tool);
  if (works(path, tool)) return { text: `already installed: ${path}` };
  if (!source.isThere()) return { text: `skipped, because ${source.needs} is not on PATH` };
  console.log(`${name} ${versionOf(tool)}: installing from ${tool.from} …`);
  const started = Date.now();
  try {
    install(name, tool, source);
  } catch (error) {
    return { text: `failed: ${error.message}`, failed: true };
  }
  return { text: `installed in ${Math.round((Date.now() - started) / 1000)} s: ${path}` };
}

/** Installs into a folder next to the final one and renames it, so that an interrupted install never looks finished. */
function install(name, tool, source) {
  const staging = mkdtempSync(join(cache, '.installing-'));
  try {
    source.install(Object.entries(tool.packages), staging);
    // Without this script there is only a stub instead of the binary. Whether npm runs it depends on npm's version and
    // the user's settings, so we run it ourselves. Some packages have none, because they need none.
    const script = tool.postinstall && join(staging, tool.postinstall);
    if (script) run(process.execPath, [script], dirname(script));
    const staged = join(staging, tool.executable ?? '');
    if (!works(staged, tool)) throw new Error(`${staged} --version does not print ${versionOf(tool)}`);
    // mkdtemp creates folders that only one user can read.
    chmodSync(staging, 0o755);
    rmSync(folderOf(name, tool), { recursive: true, force: true });
    renameSync(staging, folderOf(name, tool));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function run(command, args, cwd = cache, env = {}) {
  const options = { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  const { status, error } = spawnSync(command, args, options);
  if (error) throw new Error(`${command} could not start (${error.code})`);
  if (status !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` exited with ${status}`);
}

/** Where an installed tool is; null if it is not there. */
export function findTool(name) {
  const path = pathOf(name, tools[name]);
  return works(path, tools[name]) ? path : null;
}

/** Whether a tool is there; an executable must start and have the wanted version. */
export function works(path, tool) {
  if (tool.executable === undefined) return existsSync(path);
  const env = { PATH: process.env.PATH, HOME: tmpdir(), DISABLE_AUTOUPDATER: '1' };
  const { status, stdout, stderr } = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    env,
    timeout: 60_000,
  });
  // pi prints its version on stderr. Go's programs print theirs without the `v`.
  return status === 0 && `${stdout}${stderr}`.includes(versionOf(tool).replace(/^v/, ''));
}

function answers(command, args) {
  return spawnSync(command, args).status === 0;
}

/** The executable of a tool, or the folder of one that has none: where it is, or would be. */
export function pathOf(name, tool) {
  return join(folderOf(name, tool), tool.executable ?? '');
}

/** Compiled parts of Python packages fit one version of Python, so that the folder names it. */
function folderOf(name, tool) {
  const runtime = tool.from === 'pip' ? `-python${pythonVersion()}` : '';
  return join(cache, `${name}-${versionOf(tool)}${runtime}-${process.platform}-${process.arch}`);
}

/** The version of the only package, or a hash of several. */
export function versionOf({ packages }) {
  const versions = Object.values(packages);
  if (versions.length === 1) return versions[0];
  return createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 8);
}

/** The version of python3, such as 3.11, or null if it cannot install packages. */
function pythonVersion() {
  const program =
    'import pip, sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))';
  const { status, stdout } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
