// Attacks the harness from below and from outside, and counts what survives: processes, records, reports.
//
//   npm run survive -- trees [--count 100] [--means subreaper]   hostile process trees as targets: what outlives its test,
//                                                                and what was not seen?
//   npm run survive -- trees --signal KILL                       the same while the harness is signaled
//   npm run survive -- kills [--count 100]                       kills runs at random moments and resumes them: are the
//                                                                reports those of an undisturbed run?
//
// --seed draws other trees and moments. Only processes with the token of this call are ever killed.
import { inTempFolder } from './harness.mjs';
import { parseOptions } from './parse-options.mjs';
import { killRuns } from './survive/kills.mjs';
import { runTrees, signalTrees } from './survive/trees.mjs';

const { values, positionals } = parseOptions(import.meta.url, {
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    means: { type: 'string' },
    signal: { type: 'string' },
  },
});
const PARTS = { trees: values.signal === undefined ? runTrees : signalTrees, kills: killRuns };

const part = PARTS[positionals[0]];
if (part === undefined || positionals.length !== 1) {
  console.error(
    `Expected one of ${Object.keys(PARTS).join(', ')}; found: ${positionals.join(' ') || 'none'}.`,
  );
  process.exit(2);
}
const { figures, sound } = await inTempFolder('ralph-e2e-survive-', (folder) =>
  part({
    ...{ folder, count: Number(values.count), seed: Number(values.seed) },
    ...{ means: values.means, signal: values.signal },
  }),
);
console.table(figures);
process.exitCode = sound ? 0 : 1;
