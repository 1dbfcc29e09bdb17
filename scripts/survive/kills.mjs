// Kills runs with SIGKILL at random moments, resumes them, and compares the reports with that of an undisturbed run.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProcesses, hasEnded } from '../harness.mjs';
import { comparable, findDifferences } from './compare.mjs';
import { randomFrom } from './grow.mjs';
import { newestRun, readJournalText, SILENCE_MS, startIn, waitFor } from './process.mjs';

const TESTS = [
  ...['claude-connect', 'kiro-connect', 'opencode-connect', 'custom-connect'],
  ...['claude-single-iter', 'kiro-single-iter', 'opencode-single-iter', 'custom-single-iter'],
  ...['claude-completion', 'persistent', 'continue-nothing', 'issue-290-kiro-text-completion'],
  ...['left-behind-iterations', 'left-behind-stopped', 'left-behind-cancelled', 'left-behind-completed'],
  ...['tasks-block-completion', 'kills-failing', 'kills-throwing'],
];
const OWN = fileURLToPath(new URL('scenarios.mjs', import.meta.url));
const CALL = ['--mock', '--ralph', 'embedded', '--add-scenarios', OWN, '--retries', '1', '-q'].concat(
  TESTS.flatMap((id) => ['--test', id]),
);
/** One resumed run in four is killed, too. */
const KILLED_AGAIN = 0.25;

export async function killRuns({ folder, count, seed }) {
  const random = randomFrom(seed).next;
  const expected = await runUndisturbed(join(folder, 'undisturbed'));
  const again = await runUndisturbed(join(folder, 'undisturbed-again'));
  const unsteady = findDifferences(expected.report, again.report);
  if (unsteady.length > 0)
    throw new Error(`Two undisturbed runs differ, so nothing can be compared:\n${unsteady.join('\n')}`);
  const results = [];
  for (let number = 0; number < 2 * count && results.length < count; number += 1) {
    const result = await killOnce(join(folder, String(number)), expected, random);
    if (result === null) continue;
    results.push(result);
    for (const line of result.differences.slice(0, 5)) console.log(`${result.moment}: ${line}`);
  }
  const of = (condition) => results.filter(condition).length;
  const figures = {
    ...{ seed, killed: results.length },
    'reports equal after resuming': of(({ differences }) => differences.length === 0),
    'journals readable': of(({ journal }) => journal),
    'reports whole or absent': of(({ whole }) => whole),
    'silent after 2 s': of(({ silent }) => silent),
    'before the first record: started anew': of(({ anew }) => anew),
  };
  const sound = results.every(
    ({ differences, journal, whole }) => differences.length === 0 && journal && whole,
  );
  return { figures, sound: sound && results.length === count };
}

/** Runs everything without a kill. */
async function runUndisturbed(cwd) {
  mkdirSync(cwd);
  const output = join(cwd, '.e2e-tests');
  const { code, output: said } = await startIn(cwd, CALL).done;
  if (!existsSync(join(output, 'report.json')))
    throw new Error(`The undisturbed run has no report:\n${said()}`);
  return { code, report: comparable(readReport(output)), bytes: readJournalText(output).length };
}

/** Kills one run at a random moment, perhaps its continuation as well, and resumes it to its end. Null if it ended before. */
async function killOnce(cwd, expected, random) {
  mkdirSync(cwd);
  const output = join(cwd, '.e2e-tests');
  const moment = drawMoment(random, 0, expected.bytes);
  if ((await killAt(startIn(cwd, CALL), output, moment)) !== 'SIGKILL') return null;
  let silent = await isSilent(output);
  const before = readJournalText(output);
  const journal = await isReadable(cwd, before);
  let whole = areReportsWhole(output);
  if (random() < KILLED_AGAIN && before !== '') {
    await killAt(startIn(cwd, ['resume', '-q']), output, drawMoment(random, before.length, expected.bytes));
    silent &&= await isSilent(output);
    whole &&= areReportsWhole(output);
  }
  let last = await startIn(cwd, ['resume', '-q']).done;
  const anew = last.code === 2 && before === '' && /recorded nothing|no runs|found none/.test(last.output());
  if (anew) last = await startIn(cwd, CALL).done;
  const finished = last.code === 2 && /is finished|found none/.test(last.output());
  const wrongCode =
    last.code === expected.code || finished ? [] : [`exit code ${last.code}: ${last.output()}`];
  const differences = [...wrongCode, ...findDifferences(expected.report, comparable(readReport(output)))];
  return { moment: `byte ${moment.byte} +${moment.delayMs} ms`, differences, journal, whole, silent, anew };
}

/** Draws a moment: after so many bytes of the journal and a little later. One in five comes while reports are written. */
function drawMoment(random, from, to) {
  const atEnd = random() < 0.2;
  const byte = atEnd ? to : Math.floor(from + random() * Math.max(1, to - from));
  return { byte, atEnd, delayMs: Math.round(random() * (atEnd ? 800 : 200)) };
}

async function killAt({ child, done }, output, { byte, atEnd, delayMs }) {
  const isReached = (text) => (atEnd ? text.includes('"run-finished"') : text.length >= byte);
  await waitFor(() => hasEnded(child) || isReached(readJournalText(output)));
  if (!hasEnded(child)) await sleep(delayMs);
  child.kill('SIGKILL');
  return (await done).signal;
}

async function isSilent(output) {
  const left = () => findProcesses('environ', `RALPH_E2E_FOLDER=${output}\0`);
  return (await waitFor(() => left().length === 0, SILENCE_MS)) !== null;
}

/** Whether `show` can make a report from what the killed run left. */
async function isReadable(cwd, journal) {
  return journal === '' || (await startIn(cwd, ['show', '--format', 'json']).done).code === 0;
}

/** Reports are whole or absent, at the top and in the folder of the run. */
function areReportsWhole(output) {
  const folders = [output, newestRun(output)].filter((folder) => folder !== null);
  const read = (name) =>
    folders
      .map((folder) => join(folder, name))
      .filter((path) => existsSync(path))
      .map((path) => readFileSync(path, 'utf8'));
  return (
    read('report.json').every((text) => text.trimEnd().endsWith('}')) &&
    read('report.md').every((text) => /^# E2E Test Report\n[\s\S]*\n$/.test(text))
  );
}

function readReport(output) {
  const path = join(output, 'report.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { missing: 'report.json' };
}
