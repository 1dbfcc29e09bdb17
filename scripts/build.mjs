// Builds dist/: the CLI and the library as one CommonJS program with an ES module for each, and the stand-ins as such
// programs with launchers under the names of what they stand in for. They are started hundreds of times in a run, so
// they carry what they need, load nothing else, and are compiled once, here.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './bytecode.cjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inDist = (...path) => join(root, 'dist', ...path);

const STAND_INS = {
  'standin/bin/ralph': 'src/standin/main.ts',
  'agent/bin/claude': 'src/backends/claude/main.ts',
  'agent/bin/kiro-cli': 'src/backends/kiro/main.ts',
  'agent/bin/opencode': 'src/backends/opencode/main.ts',
  'agent/bin/codex': 'src/backends/codex/main.ts',
  'agent/bin/gemini': 'src/backends/gemini/main.ts',
  'agent/bin/pi': 'src/backends/pi/main.ts',
};

// Reads the scripts that people write. Stand-ins load it only for those: its parsers would be most of their start-up.
const SCRIPT_READER = { out: 'agent/read-script.cjs', entry: 'src/agent/script/load.ts' };

// The plugins that conversations are tested with. One brings a server of ours, so that it works wherever it is installed.
const PLUGINS = {
  from: 'scenarios/support/plugins',
  server: 'plugins/visual-iteration/mcp-stub.cjs',
  entry: 'src/mcp-stub/main.ts',
};
// The first program inside a sandbox.
const WARDEN = { out: 'isolation/warden.cjs', entry: 'src/isolation/inside/warden.ts' };

const TYPICAL_CALLS = {
  cli: ['claude', '--mock', '--ralph', 'embedded', '--filter', 'claude-connect', '--skip-analysis'],
  ralph: ['run', '--no-tui', '-p', 'hello'],
  claude: ['--print', '--verbose', '--output-format', 'stream-json', '--dangerously-skip-permissions'],
};
const TYPICAL_FILES = {
  'ralph.yml': 'cli: { backend: custom, command: "true" }\nevent_loop: { max_iterations: 2 }\n',
  'script.json': JSON.stringify({
    version: 1,
    rules: [{ name: 'any', when: {}, respond: { steps: [{ do: 'say', text: 'hello' }] }, turns: [] }],
  }),
};

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
  // The V8 of Node 20 forgets for bytecode how modules are imported: what is loaded later is required.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

const esbuild = await import('esbuild').catch((error) => {
  // An install without dev dependencies (`--omit=dev`) has dist/ from the package and cannot rebuild it.
  if (process.argv.includes('--if-possible')) process.exit(0);
  throw error;
});

// Tests start programs: types, which take longer than all the rest, stay as they are then.
const withTypes = !process.argv.includes('--no-types');
// What dist/ was made of. Written last: a build that broke off is no build.
const STAMP = inDist('.inputs');
const inputs = hashInputs();
if (process.argv.includes('--if-changed') && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs)
  process.exit(0);
rmSync(STAMP, { force: true });
for (const name of existsSync(inDist()) ? readdirSync(inDist()) : [])
  if (withTypes || name !== 'types') rmSync(inDist(name), { recursive: true, force: true });
await Promise.all([
  buildProgram(),
  buildCommandLine(),
  ...Object.entries(STAND_INS).map(([out, entry]) => buildStandIn(out, entry)),
  ...[SCRIPT_READER, WARDEN].map(({ out, entry }) =>
    esbuild.build({ ...PROGRAM, entryPoints: [entry], outfile: join('dist', out) }),
  ),
  buildPlugins(),
]);
await Promise.all(
  Object.entries(listTypicalCalls()).map(([program, call]) => makeBytecode(program, ...call)),
);
if (withTypes) emitTypes();
writeFileSync(STAMP, inputs);

/** Everything that a build reads, and the Node that makes the bytecode. */
function hashInputs() {
  const hash = createHash('sha256').update(process.version);
  const folders = ['src', 'scenarios', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const path of [...folders, ...files.map((name) => join(root, name))].sort())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/**
 * The program carries its dependencies: resolving hundreds of small files would be most of its start-up. The library is
 * part of it, so that scenarios which import it meet the CLI that runs them, and nothing is loaded twice.
 */
async function buildProgram() {
  const { runProgram, library } = { runProgram: 'src/cli/program.ts', library: 'src/index.ts' };
  await esbuild.build({
    ...PROGRAM,
    stdin: {
      contents: `export { runProgram } from './${runProgram}';\nexport * from './${library}';\n`,
      resolveDir: root,
    },
    outfile: 'dist/program.cjs',
    plugins: [{ name: 'english-only', setup: leaveTranslationsOut }],
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  escapeToAscii(inDist('program.cjs'));
  const names = (await listExports(library)).join(', ');
  const lines = [
    "import { createRequire } from 'node:module';",
    "import { fileURLToPath } from 'node:url';",
    'const require = createRequire(import.meta.url);',
    start,
    "const program = start(fileURLToPath(new URL('program.cjs', import.meta.url))).exports;",
    `export const { runProgram, ${names} } = program;`,
  ];
  writeFileSync(inDist('program.js'), `${lines.join('\n')}\n`);
  writeFileSync(inDist('index.js'), `export { ${names} } from './program.js';\n`);
}

async function listExports(entry) {
  const { metafile } = await esbuild.build({
    ...MODULES,
    entryPoints: [entry],
    packages: 'external',
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  return output.exports;
}

async function buildCommandLine() {
  await esbuild.build({
    ...MODULES,
    entryPoints: { cli: 'src/cli/main.ts' },
    plugins: [{ name: 'program-apart', setup: keepProgramApart }],
  });
  chmodSync(inDist('cli.js'), 0o755);
}

async function buildStandIn(out, entry) {
  const program = programOf(out);
  await esbuild.build({
    ...PROGRAM,
    entryPoints: [entry],
    outfile: join('dist', program),
    plugins: [{ name: 'script-reader-apart', setup: keepScriptReaderApart }],
  });
  escapeToAscii(inDist(program));
  const call = `start(require('node:path').join(__dirname, '../${basename(program)}'));`;
  mkdirSync(dirname(inDist(out)), { recursive: true });
  writeFileSync(inDist(out), `#!/usr/bin/env node\n${start}\n${call}\n`);
  chmodSync(inDist(out), 0o755);
  // The package is ESM; a program without extension takes its module type from the nearest package.json.
  writeFileSync(join(dirname(inDist(out)), 'package.json'), '{"type":"commonjs"}\n');
}

/** Where the program is that a launcher starts: outside of the folder that goes onto PATH. */
function programOf(out) {
  return join(dirname(dirname(out)), `${basename(out)}.cjs`);
}

/** For each program a call that runs through what most calls need: functions that it does not reach stay text. */
function listTypicalCalls() {
  const calls = Object.keys(STAND_INS).map((out) => [
    programOf(out),
    TYPICAL_CALLS[basename(out)] ?? ['--version'],
  ]);
  return { 'program.cjs': TYPICAL_CALLS.cli, ...Object.fromEntries(calls) };
}

/** Runs a program once and keeps what V8 made of it. How the call ends does not matter. */
function makeBytecode(program, ...argv) {
  const cwd = mkdtempSync(join(tmpdir(), 'ralph-e2e-build-'));
  for (const [name, content] of Object.entries(TYPICAL_FILES)) writeFileSync(join(cwd, name), content);
  const call = [join(root, 'scripts', 'bytecode.cjs'), inDist(program), ...argv];
  const env = { PATH: process.env.PATH, HOME: cwd, RALPH_E2E_AGENT_SCRIPT: join(cwd, 'script.json') };
  return new Promise((resolve) => {
    const done = () => resolve(rmSync(cwd, { recursive: true, force: true }));
    const { stdin } = execFile(process.execPath, call, { cwd, env, timeout: 120_000 }, done);
    // Who needs no input may be gone before it comes.
    stdin.on('error', () => {});
    stdin.end('hello');
  });
}

/** Launchers read a program as Latin-1, in a tenth of the time; only regular expressions and markup are not ASCII. */
function escapeToAscii(path) {
  const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\x00-\x7f]/g, escapeUnit));
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
    kind === 'dynamic-import' ? { path: './read-script.cjs', external: true } : undefined,
  );
}

function keepProgramApart(build) {
  build.onResolve({ filter: /^\.\/program\.js$/ }, ({ path }) => ({ path, external: true }));
}

/** zod's messages in all languages are a sixth of what a call would have to read; ours are English. */
function leaveTranslationsOut(build) {
  build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
    contents: "export { default as en } from './en.js';",
  }));
}

function emitTypes() {
  mkdirSync(inDist('types'), { recursive: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (existsSync(tsc))
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
