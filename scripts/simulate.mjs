// Simulates runs with known rates, and counts how often the statistics of --repeat, --threshold and compare are right.
// It uses the product's own functions. The same seed gives the same figures.
// usage: node scripts/simulate.mjs [--seed <n>] [--rounds <n>]     by default seed 1 and 4000 rounds
// Exits with 1 if a figure is not as promised in docs/repeats.md.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parseOptions } from './parse-options.mjs';

const { values } = parseOptions(import.meta.url, {
  options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: '4000' } },
});
const rounds = Number(values.rounds);
const random = createRandom(Number(values.seed));
const product = await loadProduct();

const THRESHOLD = 0.9;
const broken = [];
const percent = (share) => `${(100 * share).toFixed(1)} %`.padStart(7);
const promise = (text, holds) => {
  console.log(`${holds ? 'ok    ' : 'BROKEN'} ${text}\n`);
  if (!holds) broken.push(text);
};

console.log(
  `Seed ${values.seed}, ${rounds} rounds for each figure, a quarter of that for those of a whole catalog.\n`,
);
simulateIntervals();
simulateDecisions();
simulateComparisons();
if (broken.length > 0) process.exitCode = 1;

/** Counts how often an interval for a fixed number of trials contains the true rate, and how wide it is. */
function simulateIntervals() {
  const methods = { Jeffreys: 'fixedInterval', Wilson: 'wilsonInterval', 'Clopper-Pearson': 'exactInterval' };
  const ranges = { 'rates from 0 to 1': [0, 1], 'rates from 0.7 to 1': [0.7, 1] };
  console.log('Intervals at 95 % for a fixed number of repeats: how many contain the true rate (mean width)');
  const means = [];
  for (const [range, [from, to]] of Object.entries(ranges)) {
    for (const n of [5, 10, 20, 40, 100]) {
      const draws = Array.from({ length: rounds }, () => {
        const rate = from + (to - from) * random();
        return { rate, passed: countPasses(n, rate) };
      });
      const cells = Object.entries(methods).map(([name, method]) => {
        const known = new Map();
        const intervalOf = (passed) => {
          if (!known.has(passed)) known.set(passed, product[method]({ passed, failed: n - passed }));
          return known.get(passed);
        };
        const hits = draws.filter(({ rate, passed }) => contains(intervalOf(passed), rate)).length;
        const width = mean(draws.map(({ passed }) => intervalOf(passed).high - intervalOf(passed).low));
        if (name === 'Jeffreys') means.push(hits / rounds);
        return `${name} ${percent(hits / rounds)} (${width.toFixed(3)})`;
      });
      console.log(`  ${range.padEnd(20)} ${String(n).padStart(3)} repeats  ${cells.join('   ')}`);
    }
  }
  const coverage = mean(means);
  promise(
    `mean coverage of the interval that reports use: ${percent(coverage).trim()}, promised: at least 94 %`,
    coverage >= 0.94,
  );
}

/** Counts how often a threshold is decided right, wrong or not at all, and how many repeats that saves. */
function simulateDecisions() {
  const most = 100;
  console.log(`Decisions at --threshold ${THRESHOLD} with --repeat ${most}`);
  let worst = 1;
  let [ran, planned] = [0, 0];
  for (const rate of [0, 0.3, 0.5, 0.6, 0.7, 0.75, 0.85, 0.9, 0.95, 0.98, 0.99, 1]) {
    const counts = { above: 0, below: 0, undecided: 0 };
    let repeats = 0;
    let covered = 0;
    for (let round = 0; round < rounds; round += 1) {
      const outcomes = Array.from({ length: most }, () => random() < rate);
      const { decision, after } = decideFast(outcomes);
      counts[decision] += 1;
      repeats += after;
      const passed = outcomes.slice(0, after).filter(Boolean).length;
      if (contains(sequentialOf(passed, after - passed), rate)) covered += 1;
    }
    const truth = rate >= THRESHOLD ? 'above' : 'below';
    const decided = counts.above + counts.below;
    const right = decided === 0 ? 1 : counts[truth] / decided;
    const judged = rate <= 0.75 || rate >= 0.98;
    if (judged) {
      worst = Math.min(worst, right);
      ran += repeats;
      planned += most * rounds;
    }
    const saved = 1 - repeats / (most * rounds);
    console.log(
      `  true rate ${rate.toFixed(2)}  decided ${percent(decided / rounds)}  right ${percent(right)}  mean repeats ${(repeats / rounds).toFixed(1).padStart(5)}  saved ${percent(saved)}  interval contains it ${percent(covered / rounds)}${judged ? '' : '  (near the threshold: not judged)'}`,
    );
  }
  promise(
    `decisions at rates up to 0.75 and from 0.98 on: right in at least ${percent(worst).trim()} of those decided, promised: 97 %; saved ${percent(1 - ran / planned).trim()} of the repeats`,
    worst >= 0.97,
  );
}

/** Counts false alarms in a catalog without change, and how often a drop is found, alone and among others. */
function simulateComparisons() {
  const [tests, repeats] = [120, 40];
  console.log(`Comparison of two runs with ${repeats} repeats each`);
  const catalogs = {
    'every test at 0.95': () => 0.95,
    'every test at 0.7': () => 0.7,
    'most tests at 1, some at 0.9': (index) => (index % 6 === 0 ? 0.9 : 1),
  };
  const draw = (rate) => trials(repeats, rate);
  let alarms = 0;
  for (const [name, rateOf] of Object.entries(catalogs)) {
    const few = Math.ceil(rounds / 4);
    let [alarmed, foundAmong] = [0, 0];
    for (let round = 0; round < few; round += 1) {
      const family = Array.from({ length: tests }, (_, index) =>
        testOf(draw(rateOf(index)), draw(rateOf(index))),
      );
      if (product.decideFamily(family).found.size > 0) alarmed += 1;
      const drop = testOf(draw(0.95), draw(0.7));
      if (product.decideFamily([...family.slice(1), drop]).found.has(drop)) foundAmong += 1;
    }
    alarms = Math.max(alarms, alarmed / few);
    console.log(
      `  ${name.padEnd(29)} ${tests} tests: false alarms in ${percent(alarmed / few)} of the comparisons; a drop from 0.95 to 0.7 is found in ${percent(foundAmong / few)}`,
    );
  }
  const drops = Array.from({ length: rounds }, () => testOf(draw(0.95), draw(0.7)));
  const alone = drops.filter((drop) => product.decideFamily([drop]).found.size > 0).length / rounds;
  console.log(`  a drop from 0.95 to 0.7, compared alone: found in ${percent(alone)}`);
  const needed = product.trialsToShow({ passed: 95, failed: 5 }, { passed: 70, failed: 30 }, 0.05 / tests);
  console.log(
    `  among ${tests} tests that all vary, the same drop needs about ${needed} repeats in each run (4 of 5 cases)`,
  );
  promise(
    `false alarms over a whole catalog: at most ${percent(alarms).trim()}, promised: at most 5 %`,
    // The true share is at most 5 %; a simulated one may exceed it by chance.
    alarms <= 0.05 + 2 * Math.sqrt((0.05 * 0.95) / Math.ceil(rounds / 4)),
  );
  promise(
    `a drop from 0.95 to 0.7 alone: found in ${percent(alone).trim()}, promised: at least 80 %`,
    alone >= 0.8,
  );
}

/** The same as decideRate for all prefixes, but remembers what it knows about the same counts. */
function decideFast(outcomes) {
  decideFast.known ??= new Map();
  let passed = 0;
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome) passed += 1;
    const key = index * 1000 + passed;
    if (!decideFast.known.has(key)) {
      const trials = { passed, failed: index + 1 - passed };
      decideFast.known.set(key, product.decideNow(trials, THRESHOLD));
    }
    const decision = decideFast.known.get(key);
    if (decision !== 'undecided') return { decision, after: index + 1 };
  }
  return { decision: 'undecided', after: outcomes.length };
}

function sequentialOf(passed, failed) {
  sequentialOf.known ??= new Map();
  const key = passed * 1000 + failed;
  if (!sequentialOf.known.has(key))
    sequentialOf.known.set(key, product.sequentialInterval({ passed, failed }));
  return sequentialOf.known.get(key);
}

function testOf(before, after) {
  testOf.known ??= new Map();
  const key = before.passed * 1000 + after.passed;
  if (!testOf.known.has(key)) testOf.known.set(key, product.testRates(before, after));
  return { ...testOf.known.get(key) };
}

function trials(n, rate) {
  const passed = countPasses(n, rate);
  return { passed, failed: n - passed };
}

function countPasses(n, rate) {
  let passed = 0;
  for (let index = 0; index < n; index += 1) if (random() < rate) passed += 1;
  return passed;
}

function contains({ low, high }, rate) {
  return low <= rate && rate <= high;
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** A small seeded generator (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function loadProduct() {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const folder = './src/domain/statistics';
  const files = ['rate', 'sequence', 'compare-rates'].map((name) => `export * from '${folder}/${name}.js';`);
  const { outputFiles } = await build({
    stdin: { contents: files.join('\n'), resolveDir: root, loader: 'ts' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
