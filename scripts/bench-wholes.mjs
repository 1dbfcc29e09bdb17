import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { aim, cli, run } from './bench-support.mjs';

/** Compares the whole catalog and the whole proof, once each, with just starting all their processes. */
export function benchWholes(folder, node) {
  const cores = availableParallelism();
  const output = join(folder, 'whole');
  const json = { accept: [0, 1], cwd: folder };
  const line = (name, seconds, processes) => {
    const bare = (processes * node) / cores / 1000;
    return `${name}: ${(seconds / bare).toFixed(2)} (${Math.round(seconds)} s for ${processes} processes on ${cores} cores)`;
  };
  const catalogue = JSON.parse(
    run({
      command: [
        process.execPath,
        cli,
        '--mock',
        '--ralph',
        'embedded',
        '--skip-analysis',
        '--json',
        '--output',
        output,
      ],
      ...json,
    }),
  );
  const started = readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('evidence.json'))
    .map((path) => countProcesses(JSON.parse(readFileSync(join(output, path), 'utf8'))))
    .reduce((sum, count) => sum + count, 0);
  const { totals } = JSON.parse(
    run({ command: [process.execPath, cli, 'prove', '--quiet', '--json', '--output', output], ...json }),
  );
  const { seconds, processes_started: processes } = totals;
  const met = seconds / ((processes * node) / cores / 1000) <= 1.5;
  return [
    line('the whole catalog / (processes x bare node start / cores)', catalogue.duration_seconds, started),
    `${line('the whole proof / (processes x bare node start / cores)', seconds, processes)} · ${aim('1.5 or less', met)}`,
  ].join('\n');
}

/** Counts processes as the proof does: Ralph, agent CLIs, errands, and Ralph called by an agent. */
function countProcesses({ invocations, errands, iterations }) {
  const calls = iterations
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ input }) => input.includes('ralph '));
  return 1 + Math.max(invocations.length, iterations.length) + errands.length + calls.length;
}
