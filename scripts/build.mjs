// Builds all of dist/: its files (dist-files.mjs), the bytecode of the programs, and the types of the library.
//   --no-types     keep the existing types: they take longer than everything else, and tests do not need them
//   --if-changed   do nothing if dist/ was built from the same sources, with the types of the library if they are wanted
//   --if-possible  do nothing if dev dependencies are missing
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegistry, writeFolders } from './backends.mjs';
import { BrokenSources, openBundles, writeFiles } from './dist-files.mjs';
import { beginDist } from './dist-folder.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const has = (flag) => process.argv.includes(flag);

const RUN = ['claude', '--mock', '--ralph', 'embedded', '--filter', 'claude-connect', '--skip-analysis'];
/** For each file and kind of call of its program, arguments that reach what most such calls need. */
const TYPICAL_CALLS = {
  program: { usual: RUN, list: ['--list'] },
  rest: { usual: RUN },
  ralph: { usual: ['run', '--no-tui', '-p', 'hello'], short: ['emit', 'hello', 'hello'] },
  claude: {
    usual: ['--print', '--verbose', '--output-format', 'stream-json', '--dangerously-skip-permissions'],
  },
  'kiro-cli': { usual: ['chat', '--no-interactive', '--trust-all-tools', 'hello'] },
  gemini: { usual: ['--yolo', '-p', 'hello'] },
  codex: { usual: ['exec', '--yolo', 'hello'] },
  opencode: { usual: ['run', 'hello'] },
  pi: { usual: ['-p', '--mode', 'json', '--no-session', 'hello'] },
};
const TYPICAL_FILES = {
  'ralph.yml': 'cli: { backend: custom, command: "echo LOOP_COMPLETE" }\nevent_loop: { max_iterations: 3 }\n',
  'script.json': JSON.stringify({
    format: 1,
    rules: [
      {
        name: 'any',
        when: { prompt: [{ contains: 'hello' }] },
        respond: {
          steps: [
            { do: 'write', path: 'hello.txt', text: 'hello' },
            { do: 'run', command: 'true' },
            { do: 'say', text: 'hello' },
          ],
        },
        turns: [],
      },
    ],
  }),
};

const esbuild = await import('esbuild').catch((error) => {
  // An install without dev dependencies (`--omit=dev`) has dist/ from the package and cannot rebuild it.
  if (has('--if-possible')) process.exit(0);
  throw error;
});

/** The file that records the sources of dist/. */
const STAMP = '.inputs';
await refreshFolders();
const inputs = hashInputs();
/** What the stamp of a build says that also made the types. */
const withTypes = `${inputs} with types`;
if (has('--if-changed') && isFresh()) process.exit(0);

const next = beginDist(root);
const stopped = new AbortController();
// Each program listens.
setMaxListeners(Infinity, stopped.signal);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    stopped.abort();
    next.discard();
    process.kill(process.pid, signal);
  });
}
try {
  await Promise.all([buildPrograms(), has('--no-types') ? keepTypes() : emitTypes()]);
  // Written last: only a complete build has it.
  const hasTypes = !has('--no-types') && existsSync(join(next.path, 'types'));
  writeFileSync(join(next.path, STAMP), hasTypes ? withTypes : inputs);
  next.finish();
} catch (error) {
  stopped.abort();
  next.discard();
  if (!(error instanceof BrokenSources)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 1;
}

/** Updates the generated source before sources are hashed and types are built. */
async function refreshFolders() {
  try {
    writeFolders(root, await readRegistry(esbuild, root));
  } catch (error) {
    // A mistake in a source: the build reports it.
    if (error.errors === undefined) throw error;
  }
}

/** Hashes everything that a build reads, and the Node version that makes the bytecode. */
function hashInputs() {
  const hash = createHash('sha256').update(process.version);
  const folders = ['src', 'scenarios', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = [
    'docs/ralph-contract.md',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  for (const path of [...folders, ...files.map((name) => join(root, name))].sort())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Whether dist/ was built from these sources, with types if they are wanted, and still has them. */
function isFresh() {
  const stamp = readStamp();
  if (has('--no-types')) return stamp === inputs || stamp === withTypes;
  return stamp === withTypes && existsSync(join(root, 'dist', 'types'));
}

function readStamp() {
  const path = join(root, 'dist', STAMP);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

async function buildPrograms() {
  const bundles = openBundles(esbuild, root);
  const files = await bundles.make().finally(bundles.dispose);
  writeFiles(next.path, files);
  const programs = [...files].filter(([, { started }]) => started).map(([path]) => path);
  await Promise.all(programs.flatMap(makeAllBytecode));
}

function makeAllBytecode(program) {
  const calls = TYPICAL_CALLS[basename(program, '.cjs')] ?? { usual: ['--version'] };
  return Object.entries(calls).map(([kind, argv]) => makeBytecode(program, kind, argv));
}

/** Runs the program of a file once and keeps V8's bytecode; functions that this call does not reach stay source. */
async function makeBytecode(file, kind, argv) {
  const cwd = mkdtempSync(join(tmpdir(), 'ralph-e2e-build-'));
  for (const [name, content] of Object.entries(TYPICAL_FILES)) writeFileSync(join(cwd, name), content);
  const program = join(next.path, file === 'rest.cjs' ? 'program.cjs' : file);
  const call = [join(root, 'scripts', 'bytecode.cjs'), program, kind, basename(file), ...argv];
  const env = {
    ...{ PATH: process.env.PATH, HOME: cwd, RALPH_E2E_AGENT_SCRIPT: join(cwd, 'script.json') },
    // As root, the stand-in for Claude Code refuses its arguments otherwise, as Claude Code does.
    IS_SANDBOX: '1',
  };
  // How the call ends does not matter.
  await run(call, { cwd, env, timeout: 120_000 }, 'hello').catch(() => {});
  rmSync(cwd, { recursive: true, force: true });
}

async function emitTypes() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(tsc)) return;
  const outDir = ['--outDir', join(next.path, 'types')];
  await run([tsc, '-p', 'tsconfig.build.json', ...outDir], { cwd: root }).catch(({ stdout, message }) => {
    throw new BrokenSources(stdout || `${message}\n`);
  });
}

function keepTypes() {
  const types = join(root, 'dist', 'types');
  if (existsSync(types)) cpSync(types, join(next.path, 'types'), { recursive: true });
}

/** Runs Node until it ends, or until the build does. */
function run(args, options, input = '') {
  return new Promise((resolve, reject) => {
    const done = (error, stdout) => (error === null ? resolve() : reject(Object.assign(error, { stdout })));
    const { stdin } = execFile(process.execPath, args, { ...options, signal: stopped.signal }, done);
    // A program that needs no input may exit before it arrives.
    stdin.on('error', () => {});
    stdin.end(input);
  });
}
