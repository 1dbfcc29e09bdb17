// Kills runs with SIGKILL at random moments, resumes them, and compares the reports with that of an undisturbed run.
//   npm run kills -- [--count 100] [--seed 1] [--keep]
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { comparable, findDifferences } from './kills/compare.mjs';
import { newestRun, readJournalText, startCli, waitForMoment, waitForSilence } from './kills/process.mjs';
import { parseOptions } from './parse-options.mjs';

const { values } = parseOptions(import.meta.url, {
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const random = createRandom(Number(values.seed));

const TESTS = [
  ...['claude-connect', 'kiro-connect', 'opencode-connect', 'custom-connect'],
  ...['claude-single-iter', 'kiro-single-iter', 'opencode-single-iter', 'custom-single-iter'],
  ...['claude-completion', 'persistent', 'continue-nothing', 'issue-290-kiro-text-completion'],
  ...['left-behind-iterations', 'left-behind-stopped', 'left-behind-cancelled', 'left-behind-completed'],
  ...['tasks-block-completion', 'kills-failing', 'kills-throwing'],
];
const OWN = fileURLToPath(new URL('kills/scenarios.mjs', import.meta.url));
const CALL = ['--mock', '--ralph', 'embedded', '--add-scenarios', OWN, '--retries', '1'].concat(
  TESTS.flatMap((id) => ['--test', id]),
);
/** How long processes may outlive a killed harness. */
const SILENCE_MS = 2_000;
/** One resumed run in four is killed, too. */
const KILLED_AGAIN = 0.25;

/** One row of the table. */
const row = (...cells) =>
  cells
    .map((cell, index) => String(cell).padEnd(WIDTHS[index]))
    .join(' ')
    .trimEnd();
const WIDTHS = [4, 20, 8, 8, 8, 10, 8, 5];

const base = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-e2e-kills-')));
try {
  process.exitCode = await main();
} finally {
  if (values.keep) console.log(`Everything is in ${base}.`);
  else rmSync(base, { recursive: true, force: true });
}

async function main() {
  const expected = await runUndisturbed('undisturbed');
  const again = await runUndisturbed('undisturbed-again');
  const unsteady = findDifferences(expected.report, again.report);
  if (unsteady.length > 0) {
    console.error(
      `Two undisturbed runs differ, so nothing can be compared:\n${unsteady.slice(0, 10).join('\n')}`,
    );
    return 2;
  }
  console.log(
    `Undisturbed: ${expected.tests} tests, ${expected.records} records, exit code ${expected.code}`,
  );
  console.log(row('#', 'killed', 'records', 'journal', 'reports', 'silent', 'resumed', 'equal'));
  const results = [];
  for (let attempt = 0; results.filter(({ killed }) => killed).length < count; attempt += 1) {
    if (attempt >= 2 * count) break;
    const result = await killOnce(attempt, expected);
    results.push(result);
    const { moment, records, journal, reports, silentMs, resumed, differences } = result;
    const silent = silentMs === null ? `> ${SILENCE_MS} ms` : `${silentMs} ms`;
    const equal = differences.length === 0 ? 'yes' : 'NO';
    console.log(row(attempt + 1, moment, records, journal ? 'yes' : 'NO', reports, silent, resumed, equal));
    for (const line of differences.slice(0, 5)) console.log(`     ${line}`);
  }
  return sumUp(results);
}

function sumUp(results) {
  const killed = results.filter((result) => result.killed);
  const equal = killed.filter(({ differences }) => differences.length === 0);
  const readable = killed.filter(({ journal }) => journal);
  const whole = killed.filter(({ reports }) => reports !== 'HALF');
  const silent = killed.filter(({ silentMs }) => silentMs !== null);
  console.log(
    [
      `${killed.length} killed, ${equal.length} equal`,
      `${readable.length} journals readable, ${whole.length} with reports whole or absent`,
      `${silent.length} with nothing running after ${SILENCE_MS / 1000} s`,
      `${killed.filter(({ resumed }) => resumed === 'anew').length} before the first record: started anew`,
      `${results.length - killed.length} had ended before their moment came`,
    ].join('\n'),
  );
  const sound = [equal, readable, whole].every(({ length }) => length === killed.length);
  return sound && killed.length === count ? 0 : 1;
}

/** Runs everything without a kill. */
async function runUndisturbed(name) {
  const cwd = join(base, name);
  const output = join(cwd, '.e2e-tests');
  const { code, output: said } = await startCli([...CALL, '-q'], makeFolder(cwd)).done;
  if (!existsSync(join(output, 'report.json')))
    throw new Error(`The undisturbed run has no report:\n${said()}`);
  const report = readReport(output);
  const text = readJournalText(output);
  return {
    code,
    report: comparable(report),
    tests: report.results.length,
    records: text.split('\n').length - 1,
    bytes: Buffer.byteLength(text),
  };
}

/** Kills one run at a random moment, perhaps its continuation as well, and resumes it to its end. */
async function killOnce(number, expected) {
  const cwd = makeFolder(join(base, String(number)));
  const output = join(cwd, '.e2e-tests');
  const moment = drawMoment(expected);
  let run = startCli([...CALL, '-q'], cwd);
  await waitForMoment(output, moment, run.state);
  const killed = run.child.kill('SIGKILL') && (await run.done).signal === 'SIGKILL';
  let silentMs = await waitForSilence(output, SILENCE_MS);
  const records = readJournalText(output).split('\n').length - 1;
  const journal = await isReadable(cwd, output);
  let reports = judgeReports(output);
  let resumed = 'once';
  if (killed && random() < KILLED_AGAIN && records > 0) {
    resumed = 'twice';
    const before = records;
    run = startCli(['resume', '-q'], cwd);
    const more = Math.floor(random() * Math.max(1, expected.records - before));
    const later = { reached: (text) => countRecords(text) >= before + more, delayMs: random() * 300 };
    await waitForMoment(output, later, run.state);
    run.child.kill('SIGKILL');
    await run.done;
    silentMs = silentMs === null ? null : await waitForSilence(output, SILENCE_MS);
    reports = judgeReports(output) === 'HALF' ? 'HALF' : reports;
  }
  let last = await startCli(['resume', '-q'], cwd).done;
  if (last.code === 2 && records === 0 && /recorded nothing|no runs|found none/.test(last.output())) {
    resumed = 'anew';
    last = await startCli([...CALL, '-q'], cwd).done;
  }
  const finished = last.code === 2 && /is finished|found none/.test(last.output());
  const differences = [
    ...(last.code === expected.code || finished
      ? []
      : [`exit code ${last.code}: ${last.output().slice(0, 300)}`]),
    ...findDifferences(expected.report, comparable(readReport(output))),
  ];
  if (!values.keep && differences.length === 0) rmSync(cwd, { recursive: true, force: true });
  return { killed, moment: moment.name, records, journal, reports, silentMs, resumed, differences };
}

/** Draws a moment: after so many records or bytes of the journal, and a little later. */
function drawMoment({ records, bytes }) {
  const sort = random();
  if (sort < 0.2) {
    const delayMs = random() * 800;
    return {
      name: `end +${Math.round(delayMs)} ms`,
      delayMs,
      reached: (text) => text.includes('"run-finished"'),
    };
  }
  if (sort < 0.6) {
    const least = Math.floor(random() * records);
    const delayMs = random() * 400;
    const name = `record ${least} +${Math.round(delayMs)} ms`;
    return { name, delayMs, reached: (text) => countRecords(text) >= least };
  }
  const least = Math.floor(random() * bytes);
  const delayMs = random() * 30;
  const name = `byte ${least} +${Math.round(delayMs)} ms`;
  return { name, delayMs, reached: (text) => Buffer.byteLength(text) >= least };
}

function makeFolder(path) {
  mkdirSync(path);
  return path;
}

function countRecords(text) {
  return text.split('\n').length - 1;
}

/** Whether `show` can make a report from what the killed run left. */
async function isReadable(cwd, output) {
  if (newestRun(output) === null || readJournalText(output) === '') return true;
  return (await startCli(['show', '--format', 'json'], cwd).done).code === 0;
}

/** Reports are whole or absent, at the top and in the folder of the run. */
function judgeReports(output) {
  const folders = [output, newestRun(output)].filter((folder) => folder !== null);
  const found = folders.flatMap((folder) => {
    const [json, markdown] = ['report.json', 'report.md'].map((name) => join(folder, name));
    return [
      ...(existsSync(json) ? [isJson(json)] : []),
      ...(existsSync(markdown)
        ? [/^# E2E Test Report\n[\s\S]*\n$/.test(readFileSync(markdown, 'utf8'))]
        : []),
    ];
  });
  if (found.includes(false)) return 'HALF';
  return found.length === 0 ? 'absent' : `${found.length} whole`;
}

function isJson(path) {
  try {
    JSON.parse(readFileSync(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}

function readReport(output) {
  const path = join(output, 'report.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { missing: 'report.json' };
}

/** A small generator with a seed, so that the moments can be drawn again (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value = (value + Math.imul(value ^ (value >>> 7), value | 61)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
