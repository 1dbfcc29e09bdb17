import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const SETUP = fileURLToPath(new URL('../../scripts/real-setup.mjs', import.meta.url));

const program = z.object({ version: z.string(), path: z.string().nullable() });
const programsSchema = z.object({
  ralph: program,
  claude: program,
  opencode: program,
  codex: program,
  gemini: program,
  pi: program,
});
export type RealPrograms = z.infer<typeof programsSchema>;

let found: RealPrograms | undefined;

/** The pinned real programs: version, and path where it is installed. */
export function realPrograms(): RealPrograms {
  found ??= programsSchema.parse(
    JSON.parse(execFileSync(process.execPath, [SETUP, '--paths'], { encoding: 'utf8' })),
  );
  return found;
}

/** The path of a real program; throws with what to do when it is not installed. */
export function requireProgram(name: keyof RealPrograms): string {
  const { path, version } = realPrograms()[name];
  if (path !== null) return path;
  throw new Error(
    `expected the real ${name} ${version} in the cache, found none: run \`npm run real:setup\``,
  );
}
