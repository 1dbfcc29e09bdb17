import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const toolSchema = z.object({ path: z.string() }).transform(({ path }) => path);

/** The programs that scripts/tools.mjs has built. */
export const TOOLS = z.object({ act: toolSchema, actionlint: toolSchema }).parse(
  JSON.parse(
    execFileSync(process.execPath, ['scripts/tools.mjs', 'workflows', '--paths'], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  ),
);
