import { inject } from 'vitest';
import * as z from 'zod';

/** Those below `pi` are packages: their path is a folder. */
const names = z.enum([
  'ralph',
  'claude',
  'opencode',
  'codex',
  'gemini',
  'pi',
  'client-mcp',
  'client-fastmcp',
  'client-inspector',
  'client-conformance',
  'sdks-python',
  'sdks-npm',
]);
export const programsSchema = z.record(names, z.object({ version: z.string(), path: z.string().nullable() }));
export type RealPrograms = z.infer<typeof programsSchema>;

/** The pinned real programs: version, and path where it is installed. */
export function realPrograms(): RealPrograms {
  return inject('realPrograms');
}

/** The path of a real program; throws with what to do when it is not installed. */
export function requireProgram(name: keyof RealPrograms): string {
  const { path, version } = realPrograms()[name];
  if (path !== null) return path;
  throw new Error(`expected ${name} ${version} in the cache, found none: run \`npm run real:setup\``);
}
