// Prints the cost of the harness as ratios within one run, because absolute times of different machines or moments are
// not comparable: starts are medians of ten rounds in which all candidates take turns. A benchmark is not a test: it
// says whether a goal is met, and always exits with 0.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { benchCatalogue } from './bench-catalogue.mjs';
import { aim, cli, dist, run } from './bench-support.mjs';

const ROUNDS = 10;

/** The programs whose start is compared. */
const STARTS = {
  node: [process.execPath, '-e', '0'],
  version: [process.execPath, cli, '--version'],
  list: [process.execPath, cli, '--list'],
  standIn: [join(dist, 'standin', 'bin', 'ralph'), '--version'],
};

reportStarts();
const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-bench-'));
try {
  console.log(benchCatalogue(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `\n${run({ command: [process.execPath, join(dirname(dist), 'scripts', 'bench-reports.mjs')], cwd: dist })}`,
);

function reportStarts() {
  const { node, version, list, standIn } = measureStarts();
  console.log(`Medians of ${ROUNDS} interleaved rounds, Node ${process.version}, ${process.platform} ${process.arch}

ralph-e2e --version / node -e 0: ${ratio(version, node)} · ${aim('2 or less', version / node <= 2)}
ralph-e2e --list / node -e 0: ${ratio(list, node)} · ${aim('4 or less', list / node <= 4)}
stand-in ralph --version / node -e 0: ${ratio(standIn, node)}`);
}

function measureStarts() {
  const times = Object.fromEntries(Object.keys(STARTS).map((name) => [name, []]));
  // The first round fills the caches and does not count.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, command] of Object.entries(STARTS)) {
      const started = performance.now();
      run({ command });
      if (round > 0) times[name].push(performance.now() - started);
    }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

function ratio(a, b) {
  return `${(a / b).toFixed(2)} (${Math.round(a)} ms / ${Math.round(b)} ms)`;
}
