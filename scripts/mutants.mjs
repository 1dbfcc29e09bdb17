// Builds one Ralph with many regressions in it, and shows which of them the catalog notices.
//
//   node scripts/mutants.mjs [--only <id or glob>]… [--own | --mechanical] [--sample <n>] [--survivors]
//                            [--seed <n>] [--jobs <n>] [--list]
//
// Exit codes: 0 every survivor is listed in tests/mutants/results.json · 1 there is a new one · 2 no verdict
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { CLI, DIST } from './harness.mjs';
import { backendsFor } from './mutants/areas.mjs';
import { checkBaseline, traceBaseline } from './mutants/baseline.mjs';
import { buildMutants } from './mutants/build.mjs';
import { sample } from './mutants/draw.mjs';
import { readNotes, readOwnMutants } from './mutants/own.mjs';
import { count, describe } from './mutants/page.mjs';
import {
  mergeResults,
  newSurvivors,
  readResults,
  resume,
  survives,
  writeResults,
} from './mutants/results.mjs';
import { stopAll, tryMutant } from './mutants/run.mjs';
import { parseOptions } from './parse-options.mjs';
import { cacheFor, tools, versionOf } from './tools.mjs';

const FOLDER = join(import.meta.dirname, '..', 'tests', 'mutants');
const RESULTS = join(FOLDER, 'results.json');
/** How many mechanical mutants a seed draws, and the seed whose results are in results.json. */
const DRAWN = 80;
const SEED = 19;

const log = console.log;
const options = readOptions();
let interrupted = false;
process.on('SIGINT', () => interrupt());
process.on('SIGTERM', () => interrupt());
try {
  process.exitCode = await main();
} catch (error) {
  if (!interrupted) console.error(error.message);
  process.exitCode = interrupted ? 130 : 2;
}

async function main() {
  if (!existsSync(CLI)) throw new Error('There is no dist: build it with `npm run build`.');
  const version = versionOf(tools.ralph);
  const own = readOwnMutants(join(FOLDER, 'own'));
  console.log(`seed ${options.seed}`);
  const cache = cacheFor('mutants', process.env.RALPH_E2E_MUTANTS_CACHE);
  const build = buildMutants({ version, own, seed: options.seed, count: DRAWN, cache, log });
  const catalog = hashCatalog();
  const all = describeAll(own, build.drawn, version, catalog);
  // A sample and another seed leave the committed results alone.
  const committed = readResults(RESULTS)?.mutants ?? [];
  const isTrial = options.sample !== undefined || options.seed !== SEED;
  const path = isTrial ? join(build.folder, 'results.json') : RESULTS;
  const before = readResults(path)?.mutants ?? [];
  const lastTest = new Map(
    [...committed, ...before].flatMap(({ id, test }) => (test === null ? [] : [[id, test]])),
  );
  const chosen = choose(all, before, lastTest);
  if (options.list) return list(chosen);

  const backends = [...new Set(chosen.flatMap(backendsFor))];
  const baseline = { folder: build.folder, backends, jobs: options.jobs, log };
  let traces = null;
  const trace = () => (traces ??= traceBaseline({ ...baseline, catalog }));
  // In a sample, the tests that noticed the mutants the last time are mostly enough.
  const tests = chosen.map(({ id }) => lastTest.get(id));
  if (options.sample === undefined) forgetGone(lastTest, await trace());
  else await checkBaseline({ ...baseline, tests });
  const { held, open } = resume(chosen, before, { again: (result) => options.survivors && survives(result) });
  const run = (mutant) => runOne(mutant, build.folder, trace, lastTest.get(mutant.id));
  const { results, failed } = await runAll(open, held, run, (fresh) => {
    const mutants = mergeResults(before, fresh, all);
    writeResults(path, { ralph: version, seed: options.seed, total: all.length, mutants });
  });
  const code = report(results, committed);
  if (failed.length === 0) return code;
  console.log(`No verdict on ${failed.length} mutants: the next call tries them again.`);
  return 2;
}

/** Everything there is, in the order of the results. */
function describeAll(own, drawn, version, catalog) {
  const notes = readNotes(join(FOLDER, 'mechanical.yaml'));
  const all = [
    ...own.map((mutant) => ({ ...mutant, set: 'own', note: null })),
    ...drawn.map(({ line, function: name, what, ...mutant }) => ({
      ...{ ...mutant, set: 'mechanical', breaks: `${name} (line ${line}): ${what}.` },
      ...(notes.get(mutant.id) ?? { equivalent: null, note: null }),
    })),
  ];
  return all.map(({ id, set, area, file, breaks, equivalent, note, edits }) => {
    const key = hash(JSON.stringify([edits, equivalent !== null, version, catalog]));
    return { id, set, area, file, breaks, equivalent, note: equivalent ?? note, key };
  });
}

/**
 * Forgets tests that no longer exist.
 * @param {Map<string, string>} lastTest
 * @param {Awaited<ReturnType<typeof traceBaseline>>} traces
 */
function forgetGone(lastTest, traces) {
  const names = new Set(traces.map(({ scenario, backend }) => `${scenario} [${backend}]`));
  for (const [id, test] of lastTest) if (!names.has(test)) lastTest.delete(id);
}

function choose(all, before, lastTest) {
  const wanted = picomatch(options.only);
  const settled = new Set(before.filter((result) => !survives(result)).map(({ id }) => id));
  const chosen = all.filter(
    ({ id, set }) =>
      (options.only.length === 0 || wanted(id)) &&
      (set === 'own' ? !options.mechanical : !options.own) &&
      (options.sample === undefined || set === 'own') &&
      (!options.survivors || !settled.has(id)),
  );
  if (chosen.length === 0) throw new Error('No mutant matches. See --list.');
  if (options.sample === undefined) return chosen;
  const noticed = chosen.filter(({ id, equivalent }) => equivalent === null && lastTest.has(id));
  if (noticed.length < options.sample)
    throw new Error(
      `Only ${noticed.length} mutants were noticed before: run \`npm run mutants\` without --sample first.`,
    );
  return sample(noticed, options.sample, options.seed);
}

/** Runs several mutants at a time, and reports each result as it comes. One without a verdict does not stop the others. */
async function runAll(open, held, run, save) {
  const fresh = [];
  const failed = [];
  const waiting = [...open];
  if (held.size > 0) log(`${held.size} results of earlier calls still hold`);
  const work = async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const started = Date.now();
      const result = await run(mutant).catch((error) => error);
      if (interrupted) return;
      if (result instanceof Error) failed.push(result.message);
      else {
        fresh.push(result);
        save(fresh);
      }
      const seconds = Math.round((Date.now() - started) / 1000);
      const text = result instanceof Error ? `no verdict: ${result.message}` : describeResult(result);
      log(`${fresh.length + failed.length}/${open.length} ${text} (${seconds} s)`);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return { results: [...held.values(), ...fresh], failed };
}

async function runOne({ equivalent, ...mutant }, folder, trace, last) {
  if (equivalent !== null && options.only.length === 0)
    return { ...mutant, status: 'equivalent', test: null, check: null, tried: 0, diagnosis: null };
  const reached = async (backend) =>
    (await trace())
      .filter((test) => test.backend === backend && test.ids.includes(mutant.id))
      .map(({ scenario }) => scenario);
  const ralph = join(folder, mutant.id, 'ralph');
  const verdict = await tryMutant(mutant, { ralph, jobs: 1, reached, last });
  return { ...mutant, ...verdict };
}

function report(results, listed) {
  const areas = [...new Set(results.map(({ area }) => area))].sort();
  const width = Math.max(...areas.map((area) => area.length));
  console.log('');
  for (const area of areas) {
    const { noticed, survived, equivalent } = count(results.filter((result) => result.area === area));
    console.log(`${area.padEnd(width)}  ${noticed} noticed, ${survived} survived, ${equivalent} equivalent`);
  }
  for (const set of ['own', 'mechanical']) {
    const some = results.filter((result) => result.set === set);
    if (some.length > 0) console.log(`${set}: ${describe(some)}`);
  }
  const survivors = newSurvivors(results, listed);
  if (survivors.length === 0) return 0;
  console.log(`New survivors:`);
  for (const { id, breaks } of survivors) console.log(`  ${id}: ${breaks}`);
  return 1;
}

function describeResult({ id, area, status, test, check, tried, diagnosis }) {
  if (status === 'noticed')
    return `noticed ${id} (${area}) by ${test}: ${check}; diagnosis: ${diagnosis.judgment} (${diagnosis.rule})`;
  return `${status} ${id} (${area})${status === 'survived' ? `: ${tried} tests run its code` : ''}`;
}

function list(chosen) {
  for (const { id, area, file, breaks, equivalent } of chosen)
    console.log(
      `${id} (${area}, ${file}): ${breaks}${equivalent === null ? '' : ` Equivalent: ${equivalent}`}`,
    );
  console.log(`${chosen.length} mutants`);
  return 0;
}

/** The harness and the catalog as they are built. */
function hashCatalog() {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:js|cjs)$/.test(name) && !name.startsWith('types'))
    .sort();
  return hash(files.map((name) => `${name}\n${readFileSync(join(DIST, name), 'utf8')}`).join('\n'));
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function readOptions() {
  const { values } = parseOptions(import.meta.url, {
    options: {
      only: { type: 'string', multiple: true, default: [] },
      own: { type: 'boolean', default: false },
      mechanical: { type: 'boolean', default: false },
      survivors: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      sample: { type: 'string' },
      seed: { type: 'string', default: String(SEED) },
      jobs: { type: 'string', default: '2' },
    },
  });
  return {
    ...values,
    sample: values.sample === undefined ? undefined : readNumber('--sample', values.sample),
    seed: readNumber('--seed', values.seed),
    jobs: readNumber('--jobs', values.jobs),
  };
}

function readNumber(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(`${name}: expected a number from 1, found "${text}".`);
  process.exit(2);
}

async function interrupt() {
  interrupted = true;
  await stopAll();
  process.exit(130);
}
