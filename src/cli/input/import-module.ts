import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

type Importer = (url: string) => Promise<Record<string, unknown>>;

let importer: Importer = (url) => import(url);

/** Imports a module of the user. */
export function importModule(url: string): ReturnType<Importer> {
  return importer(url);
}

/** Sets the function that imports. The program compiled to bytecode cannot import; the script that starts it can. */
export function importThrough(other: Importer): void {
  importer = other;
}

let done = false;

/**
 * Lets Node run the user's TypeScript. Node 22.18 and newer do so by themselves. Older ones get the library that those
 * have built in: it replaces types by spaces, so lines and columns stay what they are in the file.
 */
export function runTypeScript(): void {
  if (done || Reflect.get(process.features, 'typescript')) return;
  done = true;
  const stripper = pathToFileURL(createRequire(import.meta.url).resolve('@swc/wasm-typescript')).href;
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: { stripper } });
}

/** They run in a separate thread. The library is loaded for the first file that needs it. */
const HOOKS = `
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let stripper;
const initialize = (data) => { stripper = data.stripper; };

const load = async (url, context, next) => {
  const [, ending] = /^file:[^?#]*\\.([cm]?)ts(?:[?#]|$)/.exec(url) ?? [];
  if (ending === undefined || url.includes('/node_modules/')) return next(url, context);
  const { default: swc } = await import(stripper);
  const path = fileURLToPath(url);
  const text = await readFile(path, 'utf8');
  let source;
  try {
    source = swc.transformSync(text, { mode: 'strip-only', filename: path }).code;
  } catch (error) {
    throw new SyntaxError(path + ':' + error.startLine + ': ' + error.message + '\\n' + error.snippet);
  }
  return { format: await formatOf(ending, url, source), source, shortCircuit: true };
};

async function formatOf(ending, url, source) {
  if (ending !== '') return ending === 'c' ? 'commonjs' : 'module';
  const type = await nearestType(new URL('.', url));
  if (type !== undefined) return type;
  return /^[ \\t]*(?:import|export)\\b/m.test(source) ? 'module' : 'commonjs';
}

async function nearestType(folder) {
  const found = await readFile(new URL('package.json', folder), 'utf8').then(JSON.parse).catch(() => null);
  if (found !== null) return found.type;
  const above = new URL('..', folder);
  return above.href === folder.href ? undefined : nearestType(above);
}

export { initialize, load };
`;
