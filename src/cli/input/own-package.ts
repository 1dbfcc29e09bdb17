import Module, { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const NAME = 'ralph-e2e';
let done = false;

/**
 * Lets the user's files import `ralph-e2e` from anywhere. They get the program that runs them, even if there is another
 * copy in their node_modules. So scenario and harness have the same version, and nothing is loaded twice.
 */
export function importOwnPackageByName(): void {
  if (done) return;
  done = true;
  const path = createRequire(import.meta.url).resolve(NAME);
  const url = pathToFileURL(path).href;
  const registerHooks: unknown = Reflect.get(Module, 'registerHooks');
  if (typeof registerHooks === 'function') {
    const resolve = (specifier: string, context: unknown, next: (...args: unknown[]) => unknown) =>
      specifier === NAME ? { url, shortCircuit: true } : next(specifier, context);
    registerHooks({ resolve });
    return;
  }
  // Before 22.15, Node has hooks for `import` only, and runs them in a separate thread.
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: { name: NAME, url } });
  const resolveFilename: unknown = Reflect.get(Module, '_resolveFilename');
  if (typeof resolveFilename !== 'function') return;
  Reflect.set(Module, '_resolveFilename', (request: unknown, ...rest: unknown[]) =>
    request === NAME ? path : Reflect.apply(resolveFilename, Module, [request, ...rest]),
  );
}

const HOOKS = `
let own;
export const initialize = (data) => { own = data; };
export const resolve = (specifier, context, next) =>
  specifier === own.name ? { url: own.url, shortCircuit: true } : next(specifier, context);
`;
