// Times every pattern that is applied to text of agents on its worst 4 MB, and the redaction of the worst texts for it.
// usage: node scripts/bench-patterns.mjs     a benchmark is not a test: it always exits with 0
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SIZE = 4 * 1024 * 1024;
const LIMIT_MS = 200;
const SAMPLE = 240;

const cache = join(ROOT, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'patterns-'));
try {
  const { written, EXCUSED, listAttacks, countSteps, parsePattern, SHAPES, redactText } = await load();
  const patterns = [
    ...written
      .filter(({ file }) => EXCUSED[file] === undefined)
      .map(({ file, line, pattern }) => ({ name: `${file}:${line}`, pattern })),
    ...SHAPES.map(({ kind, pattern }) => ({ name: `family ${kind}`, pattern })),
  ];
  const rows = patterns.flatMap(({ name, pattern }) => {
    const tree = parsePattern(pattern);
    const attacks = listAttacks(tree)
      .map((attack) => ({ attack, steps: countSteps(tree, pattern.flags, attack(SAMPLE), 1e5) }))
      .sort((a, b) => b.steps - a.steps)
      .slice(0, 2);
    const times = attacks.map(({ attack }) => measure(() => matchAll(pattern, attack(SIZE))));
    return times.length === 0 ? [] : [{ name, ms: Math.max(...times) }];
  });
  const redaction = SHAPES.flatMap(({ kind, starts, pattern }) => {
    const texts = [
      ...starts,
      ...listAttacks(parsePattern(pattern))
        .slice(0, 2)
        .map((attack) => attack(60)),
    ];
    const times = texts.map((text) => measure(() => redactText(text.repeat(SIZE / text.length), [])));
    return [{ name: `redaction of beginnings of ${kind}`, ms: Math.max(...times) }];
  });
  report('patterns', rows);
  report('redaction, all families at once', redaction);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Loads the parts of the sources and of the test that this needs. */
async function load() {
  const outfile = join(folder, 'patterns.mjs');
  await build({
    stdin: {
      contents: `
        export * from './tests/support/patterns/scope.ts';
        export { listAttacks } from './tests/support/patterns/attacks.ts';
        export { countSteps } from './tests/support/patterns/count-steps.ts';
        export { parsePattern } from './tests/support/patterns/parse-pattern.ts';
        export { SHAPES } from './src/exec/redact/shapes.ts';
        export { redactText } from './src/exec/redact.ts';`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error', outfile },
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, 'tests/support/patterns/scope.ts')).href),
    },
  });
  return import(pathToFileURL(outfile).href);
}

function matchAll(pattern, text) {
  const search = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  search.lastIndex = 0;
  // Only what the code does: the first match, or all of them.
  if (!pattern.flags.includes('g')) return search.test(text);
  let count = 0;
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    count += 1;
    if (found[0] === '') search.lastIndex += 1;
  }
  return count;
}

/** Processor time, because the machine may be busy. */
function measure(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function report(title, rows) {
  const sorted = rows.toSorted((a, b) => b.ms - a.ms);
  const over = sorted.filter(({ ms }) => ms > LIMIT_MS);
  console.log(`${title}: ${rows.length} measured on 4 MB, ${over.length} above ${LIMIT_MS} ms; the slowest:`);
  for (const { name, ms } of sorted.slice(0, 12)) console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${name}`);
}
