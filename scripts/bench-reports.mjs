// Prints the cost of rendering large runs: a journal of 1,000 and one of 10,000 results into each format of the command
// line, each in its own process. The results are copies of a real one, with long texts cut and varied (names repeat
// from result to result, outputs do not); one in ten of them failed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listChoices } from './harness.mjs';

const SIZES = [1_000, 10_000];
const TEXT = 200;
const NAME = 80;
const AIM = { seconds: 10, megabytes: 300 };

const cli = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'cli.js');
const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-bench-'));
const PRINT_USAGE = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('usage=' + JSON.stringify(process.resourceUsage())))",
)}`;

try {
  const runs = makeRuns();
  const [{ bytes = 0 } = {}] = runs.slice(-1);
  console.log(
    `A journal of ${SIZES[1]} results (${Math.round(bytes / 1e6)} MB) into a report, each in its own process (CPU time, peak memory):`,
  );
  for (const format of listChoices('show', '--format')) {
    const [small, large] = runs.map(({ id }) => measure(id, format));
    const met = large.seconds <= AIM.seconds && large.megabytes <= AIM.megabytes;
    const growth = (large.seconds / small.seconds).toFixed(1);
    console.log(
      `  ${format}: ${large.seconds.toFixed(1)} s, ${Math.round(large.megabytes)} MB, ${growth} times the time of ${SIZES[0]} · aim ${AIM.seconds} s and ${AIM.megabytes} MB: ${met ? 'met' : 'NOT met'}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Makes a real run, and large ones from its records. */
function makeRuns() {
  const { status, stderr } = start([
    'claude',
    '--mock',
    '--ralph',
    'embedded',
    '--filter',
    'claude-connect',
    '--output',
    folder,
  ]);
  if (status !== 0) throw new Error(`the run to copy from exited with ${status}:\n${stderr}`);
  const [real] = readdirSync(join(folder, 'runs'));
  const lines = readFileSync(join(folder, 'runs', real, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const events = lines.map((line) =>
    JSON.parse(line, (_, value) => (typeof value === 'string' ? value.slice(0, TEXT) : value)),
  );
  return SIZES.map((size, index) => {
    const id = `20200101-00000${index}-000000`;
    const target = join(folder, 'runs', id);
    cpSync(join(folder, 'runs', real), target, { recursive: true });
    const journal = join(target, 'journal.jsonl');
    const file = openSync(journal, 'w');
    const seal = createSealer();
    for (const { seal: _, ...event } of enlarge(events, size))
      writeSync(file, `${seal(JSON.stringify(event))}\n`);
    closeSync(file);
    return { id, bytes: statSync(journal).size };
  });
}

/** Seals lines as a journal does: the hash of the seal before and of the line. */
function createSealer() {
  let last = '';
  return (json) => {
    last = createHash('sha256').update(`${last}\n${json}`).digest('hex').slice(0, 32);
    return `${json.slice(0, -1)},"seal":"${last}"}`;
  };
}

function* enlarge(events, size) {
  for (const event of events) {
    const copies = Array.from({ length: size }, (_, index) => `scenario-${index}`);
    if (event.type === 'run-started') {
      const [planned] = event.planned;
      yield { ...event, planned: copies.map((scenarioId) => ({ ...planned, scenarioId })) };
    } else if (event.type === 'attempt-finished') {
      for (const [index, scenarioId] of copies.entries())
        yield { ...setApart(event, index), scenarioId, ...judge(event, index) };
    } else if (event.type !== 'attempt-started') yield event;
  }
}

function setApart(event, index) {
  return JSON.parse(JSON.stringify(event), (_, value) =>
    typeof value === 'string' && value.length > NAME ? `${index} ${value}` : value,
  );
}

function judge({ checks }, index) {
  if (index % 10 > 0) return {};
  return { outcome: 'failed', checks: checks.map((check) => ({ ...check, passed: false })) };
}

/** Measures CPU time, which a busy machine does not distort, and peak memory. */
function measure(id, format) {
  const { status, stderr } = start(
    ['show', id, '--format', format, '--output', folder],
    ['--import', PRINT_USAGE],
  );
  const usage = /usage=(.*)/.exec(stderr)?.[1];
  if (status !== 0 || !usage) throw new Error(`show --format ${format} exited with ${status}:\n${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(usage);
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}

function start(args, options = []) {
  const sink = openSync('/dev/null', 'w');
  const result = spawnSync(process.execPath, [...options, cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', sink, 'pipe'],
    maxBuffer: 1e8,
  });
  closeSync(sink);
  return result;
}
