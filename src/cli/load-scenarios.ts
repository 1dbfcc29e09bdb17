import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import * as z from 'zod';
import { KnownError } from '../domain/known-error.js';
import type { Scenario } from '../domain/scenario.js';

/** The catalogue of a call: ours, or with `--scenarios` what the user's own files export. */
export async function loadCatalogue(files: readonly string[] | undefined): Promise<readonly Scenario[]> {
  if (files !== undefined) return (await Promise.all(files.map(loadScenarios))).flat();
  const { catalogue } = await import('../../scenarios/index.js');
  return catalogue;
}

/** What `scenario()` and `conversation()` return. Their types promise the rest. */
const scenarioSchema = z.custom<Scenario>(
  (value) =>
    z
      .looseObject({
        id: z.string(),
        kind: z.enum(['ralph', 'conversation']),
        arrange: z.function(),
        expect: z.function(),
        agent: z.object({ rules: z.array(z.unknown()) }),
      })
      .safeParse(value).success,
);

async function loadScenarios(file: string): Promise<Scenario[]> {
  const path = resolve(file);
  if (!existsSync(path)) throw new KnownError(`--scenarios ${file}: no such file.`);
  const module = await importFile(path, file);
  const exported = Object.values(module).flat();
  const found = exported.flatMap((value) => {
    const parsed = scenarioSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  if (found.length > 0) return found;
  throw new KnownError(`--scenarios ${file}: it exports no scenario.`, {
    hint: 'Export what `conversation({…})` or `scenario({…})` of "ralph-e2e" returns, one by one or in an array.',
  });
}

/** In a script of its own: what the build compiled beforehand cannot import (scripts/bytecode.cjs). */
function importModule(url: string): Promise<Record<string, unknown>> {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script('(url) => import(url)', { importModuleDynamically }).runInThisContext()(url);
}

async function importFile(path: string, file: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(pathToFileURL(path).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof KnownError) throw new KnownError(`--scenarios ${file}: ${reason}`);
    throw new KnownError(`--scenarios ${file} cannot be loaded: ${reason}`, { hint: hintFor(path, reason) });
  }
}

function hintFor(path: string, reason: string): string {
  if (/\.[cm]?ts$/.test(path) && /Unknown file extension/.test(reason)) {
    return `Node ${process.versions.node} does not run TypeScript: use Node 22.18 or newer, or JavaScript.`;
  }
  if (/Cannot find package 'ralph-e2e'/.test(reason))
    return 'Install it beside the file: npm install ralph-e2e';
  return `Try it alone: node ${path}`;
}
