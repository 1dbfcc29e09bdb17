import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The programs that scripts/workflow-tools.mjs has built. */
export const TOOLS = z
  .object({ act: z.string(), actionlint: z.string(), 'check-manifest': z.string() })
  .parse(
    JSON.parse(
      execFileSync(process.execPath, ['scripts/workflow-tools.mjs', '--paths'], {
        cwd: ROOT,
        encoding: 'utf8',
      }),
    ),
  );
