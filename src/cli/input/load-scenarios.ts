import { existsSync, realpathSync, statSync } from 'node:fs';
import Module, { createRequire, register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { RunCall } from '../../domain/run-call.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { requireScenario } from '../../domain/scenario/schema.js';
import { requireBuiltins } from '../../exec/builtins.js';
import { importModule, runTypeScript } from './import-module.js';

/** The choices of a call that say which scenarios there are. */
type Named = Partial<Pick<RunCall, 'scenarios' | 'addScenarios' | 'knownIssues'>>;

/**
 * Loads our catalog, or with `--scenarios` the scenarios that the user's files export instead. Those of
 * `--add-scenarios` come in addition, and the known issues of `--known-issues` replace their own.
 */
export async function loadNamed({
  scenarios: files = null,
  addScenarios: added = [],
  knownIssues = null,
}: Named): Promise<readonly Scenario[]> {
  if (files !== null || added.length > 0) {
    importOwnPackageByName();
    runTypeScript();
  }
  const load = (flag: string, names: readonly string[]) =>
    Promise.all(names.map(async (from) => ({ from, scenarios: await loadScenarios(from, flag) })));
  const chosen =
    files === null ? [{ from: null, scenarios: await loadOurs() }] : await load('--scenarios', files);
  const sources = [...chosen, ...(await load('--add-scenarios', added))];
  refuseTwins(sources);
  const all = sources.flatMap(({ scenarios }) => scenarios);
  return knownIssues === null ? all : (await import('./known-issues.js')).addKnownIssues(all, knownIssues);
}

/** Refuses two scenarios with the same id, and says where both are. */
function refuseTwins(
  sources: readonly { readonly from: string | null; readonly scenarios: readonly Scenario[] }[],
): void {
  const places = new Map<string, string | null>();
  for (const { from, scenarios } of sources)
    for (const { id } of scenarios) {
      const first = places.get(id);
      if (first !== undefined) throw twins(id, [first, from]);
      places.set(id, from);
    }
}

function twins(id: string, [first, second]: readonly [string | null, string | null]): KnownError {
  const where =
    first === second
      ? `both in ${second ?? 'the built-in scenarios'}`
      : `one ${first === null ? 'is built in' : `in ${first}`}, one in ${second}`;
  return new KnownError(`Two scenarios have the id "${id}": ${where}.`, {
    hint: `Change the id of the one in ${second ?? first ?? 'your file'}${first === null ? ', or use --scenarios to run your file alone' : ''}.`,
  });
}

async function loadOurs(): Promise<readonly Scenario[]> {
  const { catalogue } = await import('../../../scenarios/index.js');
  return catalogue;
}

const isScenario = (value: unknown): value is Scenario =>
  z.looseObject({ kind: z.enum(['ralph', 'conversation']) }).safeParse(value).success;

/** Requires every export to be a scenario or a list of scenarios: anything skipped silently would never run. */
async function loadScenarios(file: string, flag: string): Promise<Scenario[]> {
  const path = resolve(file);
  const given = `${flag} ${file}`;
  if (!existsSync(path))
    throw new KnownError(`${given}: expected a module that exports scenarios, but this file does not exist.`);
  if (statSync(path).isDirectory())
    throw new KnownError(`${given}: expected a module that exports scenarios, found a folder.`, {
      hint: 'Name a file. Cases of `claude plugin eval` run with `claude plugin eval`.',
    });
  const module = await importFile(path, given);
  requireBuiltins(given);
  const exported = Object.entries(exportsOf(module, path)).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => ({ name: `${name}[${index}]`, value: item }))
      : [{ name, value }],
  );
  // A scenario that is exported both by name and in a list counts once.
  const found = new Set(exported.map(({ name, value }) => requireExport(value, `${given}: ${name}`)));
  if (found.size > 0) return [...found];
  throw new KnownError(`${given}: expected a module that exports scenarios, but it exports nothing.`, {
    hint: WHAT_TO_EXPORT,
  });
}

const WHAT_TO_EXPORT =
  'Export only what `conversation({…})` or `scenario({…})` from "ralph-e2e" returns, one by one or in an array.';

/** Returns the exports of a module. Those of a CommonJS file are all in `default`; the named ones are Node's guess. */
function exportsOf(module: Record<string, unknown>, path: string): Record<string, unknown> {
  const { default: whole } = module;
  const required = createRequire(path).cache[realpathSync(path)];
  // An ES module that was required is in that cache too, with its namespace. A .cts file may not be there.
  const isCommonJs = required === undefined ? path.endsWith('.cts') : required.exports === whole;
  if (!isCommonJs) return module;
  const isPlain = z.record(z.string(), z.unknown()).safeParse(whole);
  return isPlain.success && !isScenario(whole) && !Array.isArray(whole) ? isPlain.data : { default: whole };
}

function requireExport(value: unknown, name: string): Scenario {
  if (!isScenario(value)) {
    throw new KnownError(`${name}: expected a scenario, found ${describeValue(value)}.`, {
      hint: WHAT_TO_EXPORT,
    });
  }
  try {
    requireScenario(value);
  } catch (error) {
    throw isKnownError(error) ? new KnownError(`${name}: ${error.message}`, { cause: error }) : error;
  }
  return value;
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list inside a list';
  if (typeof value === 'object') {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    return kind === 'Object'
      ? `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'nothing'}`
      : `a ${kind}`;
  }
  return `a ${typeof value}`;
}

async function importFile(path: string, given: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(pathToFileURL(path).href);
  } catch (error) {
    const reason = messageOf(error);
    if (isKnownError(error))
      throw new KnownError(`${given}: ${reason}`, { cause: error, ...(error.hint && { hint: error.hint }) });
    throw new KnownError(`${given}: cannot load the module: ${reason}`, {
      hint: hintFor(path, reason),
    });
  }
}

function hintFor(path: string, reason: string): string {
  if (/strip-only mode/.test(reason))
    return 'Node runs TypeScript without its types. Leave out what is more than types, such as enum and namespace.';
  if (/Cannot find package 'ralph-e2e'/.test(reason))
    return 'Install it next to the file: npm install ralph-e2e';
  if (path.includes('\\'))
    return 'Node loads no module from a path with a backslash: rename the folder or the file.';
  return `To see the full error, run: node ${path}`;
}

const NAME = 'ralph-e2e';
let done = false;

/**
 * Lets the user's files import `ralph-e2e` from anywhere. They get the program that runs them, even if there is another
 * copy in their node_modules. So scenario and harness have the same version, and nothing is loaded twice.
 */
function importOwnPackageByName(): void {
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
const initialize = (data) => { own = data; };
const resolve = (specifier, context, next) =>
  specifier === own.name ? { url: own.url, shortCircuit: true } : next(specifier, context);
export { initialize, resolve };
`;
