import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { aim, cli, findPrograms, measureProcessor } from './bench-support.mjs';

/**
 * What an execution cost before: processor time in starts of bare Node, over the scenarios of that time. The catalog has
 * grown since, mostly by longer scenarios.
 */
const BEFORE = 0;

/** Runs the scenarios of Ralph on the real one, once, in the sim lane. `node`: processor seconds of a start of bare Node. */
export function benchCatalogue(folder, node) {
  const { ralph } = findPrograms(folder);
  if (ralph === null) return 'the catalog on the real ralph: not measured, `npm run real:setup` installs it';
  const output = join(folder, 'catalogue');
  const command = [process.execPath, cli, 'claude', 'kiro', 'opencode', '--mock', '--suite', 'ralph'];
  const seconds = measureProcessor({
    command: [...command, '--ralph', ralph, '--skip-analysis', '--output', output],
    cwd: folder,
  });
  const { results, duration_seconds: wall } = JSON.parse(readFileSync(join(output, 'report.json'), 'utf8'));
  const each = seconds / results.length;
  const starts = each / node;
  return [
    `the catalog on the real ralph: ${results.length} executions in ${wall.toFixed(1)} s on ${availableParallelism()} cores`,
    `  ${(wall / results.length).toFixed(2)} s an execution · ${aim('0.2 s or less', wall / results.length <= 0.2)}`,
    `  ${each.toFixed(2)} s of processor time an execution, ${starts.toFixed(1)} starts of bare Node · ${aim(`${(BEFORE * 0.75).toFixed(1)} or less`, starts <= BEFORE * 0.75)}`,
  ].join('\n');
}
