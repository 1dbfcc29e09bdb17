import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tempFolder } from '../../support/cli.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const STOP_AT = fileURLToPath(new URL('stop-at.mjs', import.meta.url));

/** What the build bundles, as small as it can be: every program says a word. */
const SOURCES: Readonly<Record<string, string>> = {
  'src/word.ts': "export const word = 'one';\n",
  'src/index.ts': "export { word } from './word.js';\n",
  'src/checked-library.ts': "export * as checkedLibrary from './index.js';\n",
  'src/cli/main.ts': "const { runProgram } = await import('./program.js');\nrunProgram();\n",
  'src/cli/program.ts':
    "import { word } from '../word.js';\nexport const runProgram = () => process.stdout.write(word);\n",
  ...Object.fromEntries(
    ['standin/main', 'agent/script/load', 'isolation/inside/warden', 'mcp-stub/main'].map((name) => [
      `src/${name}.ts`,
      `process.stdout.write('${name}');\nexport {};\n`,
    ]),
  ),
  'src/report/json-schema.ts': 'export const reportJsonSchema = () => ({});\n',
  'src/agent/script/json-schema.ts': 'export const scriptJsonSchema = () => ({});\n',
  'src/agent/stand-in/run-stand-in.ts': 'export const runAsProgram = (said) => process.stdout.write(said);\n',
  ...backendSources('claude', 'kiro'),
  'scenarios/support/projects/page/design.md': 'A design.\n',
  'scenarios/support/plugins/visual-iteration/README.md': 'A plugin.\n',
  'docs/ralph-contract.md': '# What Ralph promises\n',
  'package-lock.json': '{}\n',
};

/** The registry, and the stand-in of each backend in it. */
function backendSources(...ids: readonly string[]): Record<string, string> {
  const lines = ids.map((id) => `  ${id}: { command: '${id}-cli' },\n`);
  const standIns = ids.map((id) => [
    `src/backends/${id}/stand-in/stand-in.ts`,
    `export const ${id}StandIn = '${id}';\n`,
  ]);
  return {
    'src/domain/backends.ts': `export const BACKEND_FACTS = {\n${lines.join('')}};\n`,
    ...Object.fromEntries(standIns),
  };
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project that has our build and hardly anything to build. */
export interface TinyProject {
  readonly folder: string;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  /** Changes the word that its command line says. */
  readonly say: (word: string) => void;
  /** What the command line in dist/ says. */
  readonly hear: () => Promise<string>;
  /** What the stand-in in dist/ says that is started by this name. */
  readonly launch: (name: string) => string;
  /** Runs a script of ours. */
  readonly run: (script: readonly string[]) => Promise<Ended>;
  readonly start: (script: readonly string[]) => ChildProcessByStdio<null, Readable, Readable>;
  /** Runs a script, and kills it just before the change to the disk that a pattern matches. */
  readonly runUntil: (change: RegExp, script: readonly string[]) => Promise<Ended>;
  /** Runs a script, and another one from beginning to end just before that change. */
  readonly runAround: (change: RegExp, script: readonly string[], other: readonly string[]) => Promise<Ended>;
  /** What builds left beside dist/: `old`, `new`, `done`. */
  readonly beside: () => string[];
}

/** Makes one, gone when the test ends. */
export function createTinyProject(): TinyProject {
  const folder = tempFolder();
  // In one step: whoever watches never sees half of a file.
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, 'part'), text);
    renameSync(join(folder, 'part'), join(folder, path));
  };
  for (const [path, text] of Object.entries(SOURCES)) write(path, text);
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json', '.e2e-tests.gitignore'])
    cpSync(join(ROOT, name), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runNode(args, { cwd: folder, env: { ...process.env, ...env } });
  const stopping = ['--import', pathToFileURL(STOP_AT).href];
  return {
    folder,
    write,
    say: (word) => write('src/word.ts', `export const word = '${word}';\n`),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    launch: (name) => execFileSync(join(folder, 'dist/agent/bin', name), { encoding: 'utf8' }),
    hear: async () => (await node(['dist/cli.js'])).stdout,
    run: (script) => node(script),
    start: (script) => spawn(process.execPath, script, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }),
    runUntil: ({ source }, script) => node([...stopping, ...script], { STOP_AT: source }),
    runAround: ({ source }, script, other) =>
      node([...stopping, ...script], { STOP_AT: source, RUN_THEN: JSON.stringify(other) }),
    beside: () => readdirSync(join(folder, '.dist')).map((name) => name.replace(/-.*/, '')),
  };
}

function runNode(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      const { exitCode: code, signalCode: signal } = child;
      resolve({ code, signal, stdout, stderr });
    });
  });
}
