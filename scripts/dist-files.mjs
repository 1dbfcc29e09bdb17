// Makes the files of dist/, except bytecode and types: the CLI and the library as one CommonJS program with an ES module
// for each, and the stand-ins as programs with launchers that have the names of what they imitate. A run starts them
// hundreds of times, so they contain what they need and load nothing else.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readRegistry, standInPrograms, writeFolders } from './backends.mjs';
import { start } from './bytecode.cjs';
import { contractPage } from './contract.mjs';
import { openProgram } from './program.mjs';

/** The launchers of the stand-ins, with the entries of their programs. */
const listStandIns = (backends) => [
  ['standin/bin/ralph', 'src/standin/main.ts'],
  ...backends.map(({ id, command }) => [`agent/bin/${command}`, `stand-in:${id}`]),
];

const OTHER_PROGRAMS = {
  // Reads scripts that people write. Stand-ins load it only for those: its parsers would dominate their startup.
  'agent/read-script.cjs': 'src/agent/script/load.ts',
  // The first program inside a sandbox.
  'isolation/warden.cjs': 'src/isolation/inside/warden.ts',
};

/**
 * Large packages that few calls of a stand-in need: most of its text would be theirs. Each is a file of its own, which is
 * read when a stand-in first uses the package.
 */
const APART = ['picomatch', 'yaml', 'zod'];

/** The test projects, as they are written except for their names. */
const PROJECTS = 'scenarios/support/projects';

/** The plugins for tests of conversations. */
const PLUGINS = 'scenarios/support/plugins';

const COMMON = {
  bundle: true,
  write: false,
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  // Programs share their sources, so the caller reports each mistake once.
  logLevel: 'silent',
};

const PROGRAM = {
  ...COMMON,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // With bytecode, the V8 of Node 20 loses dynamic imports: what is loaded later is required instead.
  supported: { 'dynamic-import': false },
};

/** Returns the program that a launcher starts, which is outside the folder on PATH. */
const programOf = (launcher) => join(dirname(dirname(launcher)), `${basename(launcher)}.cjs`);

/** Opens the bundles of dist/. Each `make` rebuilds what has changed since. */
export function openBundles(esbuild, root) {
  const show = async (kind, messages) => {
    const unique = new Map(messages.map((one) => [JSON.stringify([one.text, one.location]), one]));
    const color = process.stderr.isTTY;
    return (await esbuild.formatMessages([...unique.values()], { kind, color })).join('');
  };
  let contexts = [];
  let openedFor;
  const dispose = () => Promise.all(contexts.map((context) => context.dispose()));
  const open = async (backends) => {
    if (openedFor === JSON.stringify(backends)) return;
    await dispose();
    contexts = await Promise.all([
      openProgram(esbuild, root, programOptions()),
      ...listBundles(root, listStandIns(backends)).map((options) =>
        esbuild.context({ absWorkingDir: root, ...options }),
      ),
    ]);
    openedFor = JSON.stringify(backends);
  };
  const bundle = async () => {
    const backends = await readRegistry(esbuild, root);
    writeFolders(root, backends);
    await open(backends);
    const results = await Promise.allSettled(contexts.map((context) => context.rebuild()));
    return { results, standIns: listStandIns(backends) };
  };
  return {
    /**
     * Returns the files by their path in dist/, as `{ contents, executable, started }`; those with `started` can have
     * bytecode. Prints esbuild's warnings.
     */
    async make() {
      // A mistake in the registry is reported like one in any other source.
      const { results, standIns } = await bundle().catch((reason) => ({
        results: [{ status: 'rejected', reason }],
        standIns: [],
      }));
      const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
      for (const failure of failures) if (failure.errors === undefined) throw failure;
      const built = results.flatMap(({ value }) => value ?? []);
      const found = [...failures, ...built];
      process.stderr.write(
        await show(
          'warning',
          found.flatMap(({ warnings }) => warnings),
        ),
      );
      if (failures.length > 0)
        throw new BrokenSources(
          await show(
            'error',
            failures.flatMap(({ errors }) => errors),
          ),
        );
      const bundles = built.flatMap(({ outputFiles }) =>
        outputFiles.map(({ path, text }) => [relative(join(root, 'dist'), path), text]),
      );
      return new Map([
        ...(await makeSchemas(esbuild, root)),
        ...readFolder(join(root, PLUGINS), 'plugins'),
        ...readFolder(join(root, PROJECTS), 'projects'),
        ...listProgramFiles(
          new Map(bundles),
          standIns.map(([launcher]) => launcher),
        ),
      ]);
    },
    dispose,
  };
}

/** The options of every bundle besides the program. */
function listBundles(root, standIns) {
  const programs = standIns.map(([launcher, entry]) => [programOf(launcher), entry]);
  return [
    {
      ...COMMON,
      format: 'esm',
      entryPoints: { cli: 'src/cli/main.ts' },
      plugins: [{ name: 'program-apart', setup: keepProgramApart }],
    },
    {
      ...PROGRAM,
      entryPoints: entriesOf(programs.filter(([path]) => isAgent(path))),
      plugins: [
        standInPrograms(root),
        { name: 'script-reader-apart', setup: keepScriptReaderApart },
        { name: 'packages-apart', setup: keepPackagesApart },
      ],
    },
    {
      ...PROGRAM,
      entryPoints: entriesOf([
        ...programs.filter(([path]) => !isAgent(path)),
        ...Object.entries(OTHER_PROGRAMS),
        ...APART.map((name) => [`agent/${name}.cjs`, name]),
      ]),
      plugins: [{ name: 'english-only', setup: leaveTranslationsOut }],
    },
    { ...PROGRAM, entryPoints: entriesOf([['mcp-stub.cjs', 'src/mcp-stub/main.ts']]), minify: true },
  ];
}

const isAgent = (program) => program.startsWith('agent/');

/** Writes files into a folder. */
export function writeFiles(folder, files) {
  for (const [path, { contents, executable }] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents, { mode: executable ? 0o755 : 0o644 });
  }
}

/** Mistakes in the sources, formatted for their author. */
export class BrokenSources extends Error {}

/**
 * The program contains its dependencies: resolving hundreds of small files would dominate its startup. The library is
 * part of it, so that scenarios that import it share the code of the CLI that runs them, and nothing is loaded twice.
 */
function programOptions() {
  return {
    ...PROGRAM,
    plugins: [contractPage(), { name: 'english-only', setup: leaveTranslationsOut }],
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
  };
}

/** esbuild adds the extension itself. */
function entriesOf(programs) {
  return Object.fromEntries(programs.map(([out, entry]) => [out.replace(/\.cjs$/, ''), entry]));
}

/** The files of the program. */
const PARTS = ['program.cjs', 'rest.cjs'];

/** Lists the bundles as they are started, with their launchers. */
function* listProgramFiles(bundles, launchers) {
  const standIns = launchers.map(programOf);
  for (const [path, text] of bundles) {
    const started = [...PARTS, ...standIns].includes(path);
    const ready = standIns.includes(path) ? loadOnUse(text) : text;
    const contents = started ? nameText(escapeToAscii(ready)) : text;
    yield [path, { contents, executable: path === 'cli.js', started }];
  }
  const names = listExports(bundles.get('rest.cjs'));
  yield ['program.js', { contents: PROGRAM_MODULE }];
  yield ['index.js', { contents: libraryModule(names) }];
  for (const launcher of launchers) {
    // Node opens its debugger on this signal.
    const program = `require('node:path').join(__dirname, '../${basename(programOf(launcher))}')`;
    const call = `process.on('SIGUSR1', () => {});\nstart(${program}, ${KINDS[basename(launcher)] ?? "'usual'"});`;
    yield [launcher, { contents: `${LAUNCH}\n${start}\n${call}\n`, executable: true }];
    // The package is ESM; a program without an extension takes its module type from the nearest package.json.
    yield [join(dirname(launcher), 'package.json'), { contents: '{"type":"commonjs"}\n' }];
  }
}

/**
 * Starts Node without new random seeds for V8's hash tables, which are a fifth of its start; no stand-in reads enough for
 * anybody to make its keys collide. A shell in between would change the environment that a stand-in passes on. V8
 * rejects bytecode of other flags, Node's own included, so the flag is taken back before anything is loaded; without
 * `process.binding` that only costs time. The module has what node:module would have to be loaded for.
 */
const LAUNCH = `#!/usr/bin/env -S node --no-deprecation --no-rehash-snapshot
if (process.execArgv.includes('--no-rehash-snapshot'))
  try { process.binding('v8').setFlagsFromString('--rehash-snapshot'); } catch {}
const { createRequire } = module.constructor;`;

/** The kinds of calls, for launchers with more than one: agents call ralph much more often than we run it. */
const KINDS = { ralph: "process.argv[2] === 'run' ? 'usual' : 'short'" };

const PROGRAM_MODULE = `
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
const require = createRequire(import.meta.url);
${start}
const path = fileURLToPath(new URL('program.cjs', import.meta.url));
const kind = process.argv.some((word) => ['--list', '--help', '-h'].includes(word)) ? 'list' : 'usual';
export const { runProgram, loadLibrary } = start(path, kind).exports;
`.trimStart();

/** The library is evaluated when somebody imports it, at once: scenario files in CommonJS require it. */
function libraryModule(names) {
  return `import { loadLibrary } from './program.js';\nexport const { ${names.join(', ')} } = loadLibrary();\n`;
}

/** Finds the library's exports where esbuild defines the namespace of src/index.ts. */
function listExports(text) {
  const [, names] = /^\/\/ src\/index\.ts\nvar \w+ = \{\};\n__export\(\w+, \{([^}]+)\}\);$/m.exec(text) ?? [];
  // What it passed on from the other file would be missing from the list.
  if (names === undefined || /^__reExport\(index_exports,/m.test(text))
    throw new Error('expected all exports of src/index.ts in rest.cjs, found none or not all');
  return [...names.matchAll(/^ *([\w$]+): \(\) =>/gm)].map(([, name]) => name);
}

/**
 * Makes a stand-in load Node's own modules, and packages that are apart or in CommonJS, when it first uses them: loading
 * half of them takes as long as its own code, and most calls use few. What is passed on as a whole is loaded where it was.
 */
function loadOnUse(text) {
  const imports =
    /^(?: *|var )(import_\w+) = ((?:__toESM\()?require(?:\("(?:node:[\w/]+|\.\/[\w-]+\.cjs)"\)|_\w+\(\))(?:(?:, 1)?\))?);\n/gm;
  const uses = text.replace(imports, '').replace(/^var [\w$, ]+;$/gm, '');
  const passedOn = new Set([...uses.matchAll(/\b(import_\w+)(?![\w.])/g)].map(([, name]) => name));
  const found = new Map(
    [...text.matchAll(imports)].map(([, name, load]) => [name, load]).filter(([name]) => !passedOn.has(name)),
  );
  const loaders = [...found].map(
    ([name, load]) => `var ${name}_;\nfunction ${name}_load() { return ${name}_ ??= ${load}; }\n`,
  );
  const body = text
    .replace(imports, (line, name) => (found.has(name) ? '' : line))
    .replace(/\b(import_\w+)(?=\.)/g, (name) => (found.has(name) ? `(${name}_load())` : name));
  return `${body}${loaders.join('')}`;
}

/** Launchers read a program as Latin-1, which is ten times as fast; only regular expressions and markup are not ASCII. */
function escapeToAscii(text) {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Puts a name into the first line of a program; its bytecode is found by that name. */
function nameText(text) {
  return `//${createHash('sha256').update(text).digest('hex').slice(0, 16)}\n${text}`;
}

/** Makes the JSON Schemas from the zod schemas that read these files. */
async function makeSchemas(esbuild, root) {
  const { outputFiles } = await esbuild.build({
    ...COMMON,
    format: 'esm',
    stdin: {
      contents: [
        "export { reportJsonSchema } from './src/report/json-schema.ts';",
        "export { scriptJsonSchema } from './src/agent/script/json-schema.ts';",
      ].join('\n'),
      resolveDir: root,
    },
    plugins: [{ name: 'english-only', setup: leaveTranslationsOut }],
  });
  const { reportJsonSchema, scriptJsonSchema } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
  );
  const schemas = { report: reportJsonSchema(), 'agent-script': scriptJsonSchema() };
  return Object.entries(schemas).map(([name, schema]) => [
    `${name}.schema.json`,
    { contents: `${JSON.stringify(schema, null, 2)}\n` },
  ]);
}

function readFolder(folder, into) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [join(into, relative(folder, path)), { contents: readFileSync(path, 'utf8') }]);
}

function keepScriptReaderApart(build) {
  build.onResolve({ filter: /\/script\/load\.js$/ }, ({ kind }) =>
    kind === 'dynamic-import' ? { path: './read-script.cjs', external: true } : undefined,
  );
}

function keepPackagesApart(build) {
  build.onResolve({ filter: new RegExp(`^(?:${APART.join('|')})$`) }, ({ path }) => ({
    path: `./${path}.cjs`,
    external: true,
  }));
}

function keepProgramApart(build) {
  build.onResolve({ filter: /^\.\/program\.js$/ }, ({ path }) => ({ path, external: true }));
}

/** Leaves out zod's translations, which would be a sixth of what a call has to read. */
function leaveTranslationsOut(build) {
  build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
    contents: "export { default as en } from './en.js';",
  }));
}
