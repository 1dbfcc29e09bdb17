// Builds dist/: the CLI and the library as ES modules that share chunks, and the stand-ins as single CommonJS
// files under the names of the programs they stand in for. They are started hundreds of times in a run, so
// they carry what they need and load nothing else.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inDist = (...path) => join(root, 'dist', ...path);

const STAND_INS = {
  'standin/bin/ralph': 'src/standin/main.ts',
  'agent/bin/claude': 'src/agent/cli/claude.ts',
  'agent/bin/kiro-cli': 'src/agent/cli/kiro.ts',
  'agent/bin/opencode': 'src/agent/cli/opencode.ts',
  'agent/bin/codex': 'src/agent/cli/codex.ts',
  'agent/bin/gemini': 'src/agent/cli/gemini.ts',
  'agent/bin/pi': 'src/agent/cli/pi.ts',
};

// Reads the scripts that people write. Stand-ins load it only for those: its parsers would be most of their start-up.
const SCRIPT_READER = { out: 'agent/read-script.cjs', entry: 'src/agent/format/load.ts' };

// The plugins that conversations are tested with. One brings a server of ours, so that it works wherever it is installed.
const PLUGINS = {
  from: 'scenarios/plugins',
  server: 'plugins/visual-iteration/mcp-stub.cjs',
  entry: 'src/mcp-stub/main.ts',
};
// The first program inside a sandbox.
const WARDEN = { out: 'isolation/warden.cjs', entry: 'src/isolation/inside/warden.ts' };

const MODULES = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
};

const PROGRAM = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
};

const esbuild = await import('esbuild').catch((error) => {
  // An install without dev dependencies (`--omit=dev`) has dist/ from the package and cannot rebuild it.
  if (process.argv.includes('--if-possible')) process.exit(0);
  throw error;
});

// Tests start programs: types, which take longer than all the rest, stay as they are then.
const withTypes = !process.argv.includes('--no-types');
for (const name of existsSync(inDist()) ? readdirSync(inDist()) : [])
  if (withTypes || name !== 'types') rmSync(inDist(name), { recursive: true, force: true });
await Promise.all([
  buildCommandLine(),
  buildLibrary(),
  ...Object.entries(STAND_INS).map(([out, entry]) => buildStandIn(out, entry)),
  ...[SCRIPT_READER, WARDEN].map(({ out, entry }) =>
    esbuild.build({ ...PROGRAM, entryPoints: [entry], outfile: join('dist', out) }),
  ),
  buildPlugins(),
]);
if (withTypes) emitTypes();

/** The command line carries its dependencies: resolving hundreds of small files would be most of its start-up. */
async function buildCommandLine() {
  await esbuild.build({
    ...MODULES,
    entryPoints: { cli: 'src/cli/main.ts' },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    // Dependencies that are CommonJS inside still call require for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  chmodSync(inDist('cli.js'), 0o755);
}

/** The library shares its dependencies with the program that imports it. */
async function buildLibrary() {
  await esbuild.build({ ...MODULES, entryPoints: { index: 'src/index.ts' }, packages: 'external' });
}

async function buildStandIn(out, entry) {
  await esbuild.build({
    ...PROGRAM,
    entryPoints: [entry],
    outfile: join('dist', out),
    banner: { js: '#!/usr/bin/env node' },
    plugins: [{ name: 'script-reader-apart', setup: keepScriptReaderApart }],
  });
  chmodSync(inDist(out), 0o755);
  // The package is ESM; a program without extension takes its module type from the nearest package.json.
  writeFileSync(join(dirname(inDist(out)), 'package.json'), '{"type":"commonjs"}\n');
}

async function buildPlugins() {
  cpSync(join(root, PLUGINS.from), inDist('plugins'), { recursive: true });
  await esbuild.build({
    ...PROGRAM,
    entryPoints: [PLUGINS.entry],
    outfile: join('dist', PLUGINS.server),
    minify: true,
  });
}

function keepScriptReaderApart(build) {
  build.onResolve({ filter: /\/format\/load\.js$/ }, ({ kind }) =>
    kind === 'dynamic-import' ? { path: '../read-script.cjs', external: true } : undefined,
  );
}

function emitTypes() {
  mkdirSync(inDist('types'), { recursive: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (existsSync(tsc))
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
