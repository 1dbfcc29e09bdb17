import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { isKnownError, KnownError } from '../domain/known-error.js';
import type { Scenario } from '../domain/scenario.js';
import { backendIdSchema, phaseSchema, prioritySchema, tierSchema } from '../domain/vocabulary.js';
import { importModule } from './import-module.js';

/** The catalogue of a call: ours, or with `--scenarios` what the user's own files export. */
export async function loadCatalogue(files: readonly string[] | undefined): Promise<readonly Scenario[]> {
  if (files !== undefined) return (await Promise.all(files.map(loadScenarios))).flat();
  const { catalogue } = await import('../../scenarios/index.js');
  return catalogue;
}

/** How what `scenario()` and `conversation()` return is told from other exports. */
const kindSchema = z.looseObject({ kind: z.enum(['ralph', 'conversation']), arrange: z.function() });

/** What JavaScript may leave out or mistake. Their types promise the rest. */
const scenarioSchema = z.looseObject({
  id: z.string(),
  description: z.string(),
  tier: tierSchema,
  priority: prioritySchema,
  phase: phaseSchema,
  covers: z.array(z.string()),
  backends: z.array(backendIdSchema).min(1),
  expect: z.function(),
  agent: z.object({ rules: z.array(z.unknown()) }),
});

async function loadScenarios(file: string): Promise<Scenario[]> {
  const path = resolve(file);
  if (!existsSync(path)) throw new KnownError(`--scenarios ${file}: no such file.`);
  const module = await importFile(path, file);
  const exported = Object.values(module).flat();
  const found = exported.filter((value): value is Scenario => kindSchema.safeParse(value).success);
  for (const scenario of found) requireComplete(scenario, file);
  if (found.length > 0) return found;
  throw new KnownError(`--scenarios ${file}: it exports no scenario.`, {
    hint: 'Export what `conversation({…})` or `scenario({…})` of "ralph-e2e" returns, one by one or in an array.',
  });
}

function requireComplete(scenario: Scenario, file: string): void {
  const { error } = scenarioSchema.safeParse(scenario);
  if (error === undefined) return;
  const what = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new KnownError(`--scenarios ${file}: the scenario "${scenario.id}" is not complete. ${what}.`);
}

async function importFile(path: string, file: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(pathToFileURL(path).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isKnownError(error)) throw new KnownError(`--scenarios ${file}: ${reason}`);
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
