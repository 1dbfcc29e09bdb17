import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../support/cli.js';

const PLANNED_BUILD = fileURLToPath(new URL('fixtures/planned-build', import.meta.url));

/** What drafts are called: Node runs TypeScript from 22.18 on. */
export const DRAFT_EXTENSION = Reflect.get(process.features, 'typescript') ? 'ts' : 'mjs';

/** What the real ralph 2.10.1 left of a run with two hats. */
export function copyPlannedBuild(): string {
  const folder = join(tempFolder(), 'planned-build');
  cpSync(PLANNED_BUILD, folder, { recursive: true });
  return folder;
}

/** A folder with these files. */
export function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The events of a run as Ralph 2.10.1 writes them: what agents emitted in each iteration, and how it ended. */
export function writeEvents(
  iterations: readonly (readonly Record<string, unknown>[])[],
  ending?: { readonly reason: string; readonly exitCode: number },
  second = '2026-11-16T10:00:0',
): string {
  const own = (at: number, iteration: number, topic: string, payload: string) => ({
    ts: `${second}${at}.000000000+00:00`,
    iteration,
    hat: 'loop',
    topic,
    payload,
  });
  const rows = [
    own(0, 0, 'task.start', 'Do it.'),
    ...iterations.flatMap((emitted, index) => [
      ...emitted,
      own(index + 1, index + 1, 'iteration.summary', '{"duration_ms":1000}'),
    ]),
    ...(ending === undefined
      ? []
      : [
          own(
            iterations.length,
            iterations.length,
            'loop.terminate',
            `## Reason\n${ending.reason}\n\n## Status\nDone.\n\n## Summary\n- Iterations: ${iterations.length}\n- Duration: 3s\n- Exit code: ${ending.exitCode}`,
          ),
        ]),
  ];
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
