// Builds the programs that `npm run test:workflows` needs into a cache outside the checkout. Go is their only source.
//
//   node scripts/workflow-tools.mjs           builds what is missing; exits with 2 if there is no Go
//   node scripts/workflow-tools.mjs --paths   builds nothing; prints the paths as JSON
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const manifestSources = join(dirname(fileURLToPath(import.meta.url)), 'check-manifest');
const programs = {
  // Runs GitHub workflows on this machine.
  act: { version: 'v0.2.89', build: install('github.com/nektos/act') },
  // Finds mistakes in GitHub workflows.
  actionlint: { version: 'v1.7.12', build: install('github.com/rhysd/actionlint/cmd/actionlint') },
  // Decodes Kubernetes manifests into the types of the API.
  'check-manifest': {
    version: hashOf(manifestSources),
    build: (_version, folder) => go(['build', '-o', join(folder, 'check-manifest'), '.'], manifestSources),
  },
};

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ralph-e2e', 'workflows');
const pathOf = (name) =>
  join(cache, `${name}-${programs[name].version}-${process.platform}-${process.arch}`, name);

if (process.argv.includes('--paths')) {
  console.log(JSON.stringify(Object.fromEntries(Object.keys(programs).map((name) => [name, pathOf(name)]))));
} else {
  const missing = Object.keys(programs).filter((name) => !existsSync(pathOf(name)));
  if (missing.length > 0 && spawnSync('go', ['version']).status !== 0) {
    console.error(
      `Expected Go on PATH, to build ${missing.join(', ')}; found none. Install it: https://go.dev/dl`,
    );
    process.exit(2);
  }
  for (const name of missing) build(name);
}

/** Builds into a folder next to the final one and renames it, so that an interrupted build never looks finished. */
function build(name) {
  console.log(`${name} ${programs[name].version}: building, once for this machine …`);
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(join(cache, '.building-'));
  try {
    programs[name].build(programs[name].version, staging);
    rmSync(dirname(pathOf(name)), { recursive: true, force: true });
    renameSync(staging, dirname(pathOf(name)));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function install(source) {
  return (version, folder) => go(['install', `${source}@${version}`], folder, { GOBIN: folder });
}

function go(args, cwd, env = {}) {
  const { status, error } = spawnSync('go', args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  if (status === 0) return;
  console.error(`\`go ${args.join(' ')}\` exited with ${status}`);
  process.exit(2);
}

function hashOf(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
