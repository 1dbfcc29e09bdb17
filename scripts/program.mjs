// Bundles the command line and the library as one program in two files: program.cjs has what every call and every list
// needs, rest.cjs what is behind a dynamic import, and the library. To read and compile all of it would be most of the
// cost of a list. Each module is in one of the two files. The other file takes it from there, by its path.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractPage } from './contract.mjs';

/** What a list needs, though it is imported dynamically. */
const FOR_LISTS = ['src/cli/commands/run.ts', 'src/cli/input/listed-catalogue.ts'];
const LIBRARY = 'src/checked-library.ts';

/** Opens the bundles of the program, which are rebuilt like one. */
export async function openProgram(esbuild, root, { plugins, ...options }) {
  const state = { front: new Set(), behind: new Set(), taken: new Set() };
  let index = null;
  const indexOnce = catalogueIndex((path) => (index ??= makeCatalogueIndex(esbuild, root, path)));
  const open = (name, entry, ...own) =>
    esbuild.context({
      ...{ ...options, absWorkingDir: root, entryPoints: { [name]: 'entry:' }, external: ['part:*'] },
      ...{ metafile: true, plugins: [entryOf(root, entry), ...own, indexOnce, ...plugins] },
    });
  const front = await open(
    'program',
    () => [
      "export { runProgram } from './src/cli/program.ts';",
      `export const loadLibrary = () => ${takeFrom('rest', LIBRARY)}.checkedLibrary;`,
      loaders(state.taken),
    ],
    takeOthers(root, 'rest', (name, kind) => {
      const isBehind = kind === 'dynamic-import' && !FOR_LISTS.includes(name) && !state.front.has(name);
      if (isBehind) state.behind.add(name);
      return isBehind;
    }),
  );
  const rest = await open(
    'rest',
    () => [loaders([LIBRARY, ...state.behind])],
    takeOthers(root, 'program', (name) => state.front.has(name) && state.taken.add(name)),
  );
  return {
    async rebuild() {
      index = null;
      for (const noted of Object.values(state)) noted.clear();
      const { metafile } = await front.rebuild();
      for (const path of Object.keys(metafile.inputs)) state.front.add(path);
      const results = [await rest.rebuild(), await front.rebuild()];
      const files = results.flatMap(({ outputFiles }) => outputFiles);
      return {
        outputFiles: files.map(({ path, text }) => ({ path, text: keepNamespaces(text) })),
        warnings: results.flatMap(({ warnings }) => warnings),
      };
    },
    dispose: () => Promise.all([front.dispose(), rest.dispose()]),
  };
}

/**
 * Makes esbuild's helper keep what it made of a module of the other file. Otherwise each of a hundred modules that import
 * all of zod would copy its namespace, which is a tenth of a short call.
 */
function keepNamespaces(text) {
  return text.replace(
    /^var __toESM = /m,
    `var __namespaces = new WeakMap();
function __toESM(mod, isNodeMode) {
  if (!isNodeMode || !mod?.__esModule) return __makeESM(mod, isNodeMode);
  if (!__namespaces.has(mod)) __namespaces.set(mod, __makeESM(mod, isNodeMode));
  return __namespaces.get(mod);
}
var __makeESM = `,
  );
}

/** The functions that load modules for the other file. */
function loaders(paths) {
  const entries = [...paths].map(
    (path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`,
  );
  return `export const load = {\n${entries.join(',\n')}\n};`;
}

const takeFrom = (part, path) => `require('part:${part}.cjs').load[${JSON.stringify(path)}]()`;

function entryOf(root, lines) {
  return {
    name: 'entry',
    setup(build) {
      build.onResolve({ filter: /^entry:$/ }, () => ({ path: 'entry', namespace: 'entry' }));
      build.onLoad({ filter: /./, namespace: 'entry' }, () => ({
        contents: lines().join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** Makes the plugin that takes modules from the other file of the program. */
function takeOthers(root, part, isThere) {
  return {
    name: 'take-others',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...where }) => {
        if (pluginData === 'found' || kind === 'entry-point') return;
        const found = await build.resolve(path, { ...where, kind, pluginData: 'found' });
        const name = relative(root, found.path);
        if (found.errors.length > 0 || found.external || !isThere(name, kind)) return;
        return { path: name, namespace: part };
      });
      build.onLoad({ filter: /./, namespace: part }, ({ path }) => ({
        contents: `module.exports = ${takeFrom(part, path)};`,
      }));
    },
  };
}

/** Makes the plugin with which esbuild puts the index of the catalogue in place of the code that computes it. */
export function catalogueIndex(makeIndex) {
  return {
    name: 'catalogue-index',
    setup(build) {
      build.onLoad({ filter: /\/src\/cli\/input\/listed-catalogue\.ts$/ }, ({ path }) =>
        makeIndex(path).then(
          (index) => ({
            contents: `export const LISTED = JSON.parse(${JSON.stringify(index)});\n`,
            loader: 'js',
          }),
          ({ errors, message }) => ({ errors: errors ?? [{ text: message }] }),
        ),
      );
    },
  };
}

/** Computes the index from the sources, in a folder that looks like the package: there may be no dist/, or an old one. */
export async function makeCatalogueIndex(esbuild, root, path) {
  const like = mkdtempSync(join(tmpdir(), 'ralph-e2e-index-'));
  try {
    copyFileSync(join(root, 'package.json'), join(like, 'package.json'));
    mkdirSync(join(like, 'dist'));
    for (const name of ['plugins', 'projects'])
      symlinkSync(join(root, 'scenarios', 'support', name), join(like, 'dist', name));
    const { outputFiles } = await esbuild.build({
      ...{ absWorkingDir: root, entryPoints: [path], bundle: true, write: false },
      ...{ platform: 'node', format: 'cjs', target: 'node20.19', logLevel: 'silent' },
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(like, 'dist', 'index.cjs')).href) },
      plugins: [contractPage()],
    });
    const module = { exports: {} };
    const run = Function('require', 'module', 'exports', outputFiles[0].text);
    run(createRequire(path), module, module.exports);
    return JSON.stringify(module.exports.LISTED);
  } finally {
    rmSync(like, { recursive: true, force: true });
  }
}
