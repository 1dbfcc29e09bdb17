// Measures what containment costs an attempt: opening the pen, running a program that does nothing, and closing the pen,
// compared with tracking, which starts the program as it is. An attempt with errands enters its pen once for each.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { aim, dist, median } from './bench-support.mjs';

const ROUNDS = 40;
const KINDS = ['tracking', 'pid-namespace', 'subreaper'];
const LIMIT_MS = 20;

/** Measures all means alternately and returns lines for the report. */
export async function benchContainment(folder) {
  const { chooseContainment, openPen, runProcess } = await loadSources(folder);
  const choices = await Promise.all(
    KINDS.map((kind) =>
      chooseContainment({ env: { ...process.env, RALPH_E2E_CONTAINMENT: kind }, asUser: false }).then(
        ({ containment }) => containment,
        () => null,
      ),
    ),
  );
  const usable = choices.filter((containment) => containment !== null);
  const times = new Map(usable.map(({ kind }) => [kind, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const containment of usable) {
      const startedAt = performance.now();
      const pen = await openPen(containment);
      await runProcess({
        ...{ command: '/bin/true', args: [], cwd: folder, env: {}, timeoutMs: 60_000, secrets: [], pen },
        ...{ stdoutPath: join(folder, 'stdout'), stderrPath: join(folder, 'stderr') },
        marker: { name: 'RALPH_E2E_BENCH', value: `${containment.kind}-${round}` },
      });
      await pen.close();
      times.get(containment.kind).push(performance.now() - startedAt);
    }
  }
  const [fastest, usual] = [(list) => Math.min(...list), median].map((of) => (kind) => of(times.get(kind)));
  const lines = usable
    .filter(({ kind }) => kind !== 'tracking')
    .map(({ kind }) => {
      // The fastest round waits least for other programs; several short processes in a row wait often.
      const cost = fastest(kind) - fastest('tracking');
      const median = usual(kind) - usual('tracking');
      return `  ${kind}: ${cost.toFixed(1)} ms more (median ${median.toFixed(1)} ms) · ${aim(`${LIMIT_MS} ms or less`, cost <= LIMIT_MS)}`;
    });
  return [
    `containment of a program that does nothing (fastest of ${ROUNDS} rounds), tracking: ${fastest('tracking').toFixed(1)} ms`,
    ...lines,
  ].join('\n');
}

async function loadSources(folder) {
  const outfile = join(folder, 'containment.mjs');
  await build({
    stdin: {
      contents: `
        export { chooseContainment } from './src/exec/process/containment/choose.js';
        export { openPen } from './src/exec/process/containment/open-pen.js';
        export { runProcess } from './src/exec/process/run-process.js';`,
      resolveDir: join(dist, '..'),
    },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' },
  });
  return import(pathToFileURL(outfile).href);
}
