import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { aim, cli, measureProcessor } from './bench-support.mjs';
import { pathOf, tools, works } from './tools.mjs';

/**
 * What an execution cost when this goal was set, in starts of bare Node: 90 s of processor time for 265 executions, at
 * 37 ms a start. The catalog has grown since, mostly by longer scenarios.
 */
const BEFORE = 90 / 265 / 0.037;
const STARTS = 20;

/** Runs the scenarios of Ralph on the real one, once, in the sim lane. */
export function benchCatalogue(folder) {
  const ralph = pathOf('ralph', tools.ralph);
  if (!works(ralph, tools.ralph))
    return 'the catalog on the real ralph: not measured, `npm run real:setup` installs it';
  const output = join(folder, 'catalogue');
  const command = [process.execPath, cli, 'claude', 'kiro', 'opencode', '--mock', '--suite', 'ralph'];
  const seconds = measureProcessor({
    command: [...command, '--ralph', ralph, '--skip-analysis', '--output', output],
    cwd: folder,
  });
  const { results, duration_seconds: wall } = JSON.parse(readFileSync(join(output, 'report.json'), 'utf8'));
  const each = seconds / results.length;
  // Many starts at once: the shell counts hundredths of a second.
  const loop = `for i in $(seq ${STARTS}); do "$@"; done`;
  const bare = measureProcessor({
    command: ['sh', '-c', loop, 'sh', process.execPath, '-e', '0'],
    cwd: folder,
  });
  const starts = each / (bare / STARTS);
  return [
    `the catalog on the real ralph: ${results.length} executions in ${wall.toFixed(1)} s on ${availableParallelism()} cores`,
    `  ${(wall / results.length).toFixed(2)} s an execution · ${aim('0.2 s or less', wall / results.length <= 0.2)}`,
    `  ${each.toFixed(2)} s of processor time an execution, ${starts.toFixed(1)} starts of bare Node · ${aim(`${(BEFORE * 0.75).toFixed(1)} or less`, starts <= BEFORE * 0.75)}`,
  ].join('\n');
}
