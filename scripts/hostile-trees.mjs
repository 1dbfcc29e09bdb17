// Runs hostile process trees through the harness and counts what it leaves behind and what it does not see:
// npm run trees -- --seed 1 --count 500 [--means pid-namespace|subreaper|tracking] [--signal INT|TERM|HUP|KILL]
// With --signal the harness is signalled while trees run. Only processes with the token of this run are ever killed.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { cli, dist } from './bench-support.mjs';
import { parseOptions } from './parse-options.mjs';
import { CHAIN, growTree } from './trees/grow.mjs';

const { values } = parseOptions(import.meta.url, {
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    means: { type: 'string' },
    signal: { type: 'string' },
    jobs: { type: 'string', default: '4' },
  },
});
const [seed, count, jobs] = [values.seed, values.count, values.jobs].map(Number);
/** How long what is left after a signal may live. */
const LIMIT_MS = 2000;
const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-trees-'));
const runToken = `tree-${randomBytes(6).toString('hex')}`;
const tokenOf = (number) => `${runToken}-${number}.`;

try {
  const figures = values.signal === undefined ? await runAll() : await signalRounds(values.signal);
  console.table(figures);
  const bad = figures['trees left'] + figures.unseen + figures['false alarms'];
  if (bad > 0 && figures.means !== 'tracking') process.exitCode = 1;
} finally {
  killAll(findByToken(runToken));
  rmSync(folder, { recursive: true, force: true });
}

/** Runs every tree as the target of one test, and looks for its processes as soon as its test is reported. */
async function runAll() {
  const place = layOut(join(folder, 'all'), count, 'any');
  const harness = startHarness(place);
  const ended = once(harness, 'exit');
  const seen = new Map();
  const readNews = followJournal(place.output);
  let [survivors, means] = [0, 'unknown'];
  for (let over = false; !over; ) {
    over = (await Promise.race([ended, sleep(20)])) !== undefined;
    for (const { type, scenarioId, outcome, environment } of readNews()) {
      means = environment?.containment ?? means;
      if (type !== 'attempt-finished') continue;
      const number = Number(scenarioId.slice('tree-'.length));
      const left = findByToken(tokenOf(number));
      killAll(left);
      survivors += left.length;
      seen.set(number, { outcome, left: left.length, ...place.trees[number] });
    }
  }
  const trees = [...seen.values()];
  const of = (condition) => trees.filter(condition).length;
  const isUnseen = ({ leaves, hangs, outcome }) => leaves && !hangs && outcome === 'passed';
  for (const [number, tree] of seen)
    if (tree.left > 0 || isUnseen(tree)) console.log(`tree ${number}, ${tree.outcome}:\n${tree.script}`);
  return {
    ...{ means, seed, trees: trees.length },
    'trees left': of(({ left }) => left > 0),
    'processes left': survivors,
    unseen: of(isUnseen),
    'false alarms': of(({ leaves, outcome }) => !leaves && outcome !== 'passed'),
    lost: count - trees.length,
  };
}

/** Signals the harness while its trees run, round by round, and looks again after two seconds. */
async function signalRounds(signal) {
  let [trees, left, survivors, slowest, means] = [0, 0, 0, 0, 'unknown'];
  for (let round = 0; trees < count; round += 1) {
    const place = layOut(join(folder, `round-${round}`), jobs, 'hangs', trees);
    const harness = startHarness(place);
    const ended = once(harness, 'exit');
    const running = () =>
      place.trees.filter((_tree, index) => findByToken(tokenOf(trees + index)).length > 0);
    for (let look = 0; look < 600 && running().length < jobs; look += 1) await sleep(50);
    means = followJournal(place.output)()[0]?.environment.containment ?? means;
    harness.kill(`SIG${signal}`);
    await ended;
    const endedAt = performance.now();
    while (findByToken(runToken).length > 0 && performance.now() - endedAt < LIMIT_MS) await sleep(20);
    slowest = Math.max(slowest, performance.now() - endedAt);
    const rest = findByToken(runToken);
    survivors += rest.length;
    left += place.trees.filter((_tree, index) => findByToken(tokenOf(trees + index)).length > 0).length;
    killAll(rest);
    trees += jobs;
  }
  return {
    ...{ means, seed, signal, trees, 'trees left': left, 'processes left': survivors },
    ...{ unseen: 0, 'false alarms': 0, 'slowest end in ms': Math.round(slowest) },
  };
}

/** Writes the trees, a target that runs them, and a scenario for each. */
function layOut(place, number, mode, first = 0) {
  mkdirSync(place, { recursive: true });
  const chain = join(place, 'chain.sh');
  writeFileSync(chain, CHAIN);
  const trees = Array.from({ length: number }, (_none, index) =>
    growTree(seed * 100_000 + first + index, { token: tokenOf(first + index), chain, mode }),
  );
  for (const [index, { script }] of trees.entries()) writeFileSync(join(place, `${index}.sh`), script);
  const target = join(place, 'ralph');
  writeFileSync(
    target,
    `#!/bin/sh\n[ "$1" != --version ] || { echo 'ralph 2.10.1'; exit 0; }\nexec sh ${place}/"$(grep -o '[0-9][0-9]*' prompt.md)".sh\n`,
  );
  chmodSync(target, 0o755);
  const scenarios = join(place, 'trees.scenario.mjs');
  writeFileSync(
    scenarios,
    `import { fileContains, onAnyPrompt, scenario } from ${JSON.stringify(pathToFileURL(join(dist, 'index.js')).href)};
export default ${JSON.stringify(trees.map(({ hangs }) => hangs))}.map((hangs, number) => scenario({
  id: \`tree-\${number}\`, tier: 1, priority: 'must', phase: 'green', description: 'A hostile tree', covers: [],
  timeoutSeconds: hangs ? ${mode === 'hangs' ? 60 : 2} : 30,
  arrange: () => ({ config: {}, prompt: \`\${number}\` }),
  expect: () => ({ done: fileContains('done.txt', 'done') }),
  agent: [onAnyPrompt().says('nothing')],
}));
`,
  );
  return { trees, target, scenarios, output: join(place, 'output') };
}

function startHarness({ target, scenarios, output }) {
  const means = values.means === undefined ? {} : { RALPH_E2E_CONTAINMENT: values.means };
  return spawn(
    process.execPath,
    [
      ...[cli, 'claude', '--mock', '--ralph', target, '--scenarios', scenarios, '--output', output],
      ...['--skip-analysis', '--quiet', '-j', String(jobs)],
    ],
    { env: { ...process.env, ...means }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** Reads what is new in the journal of a run since the last call. */
function followJournal(output) {
  let file = null;
  let rest = '';
  const chunk = Buffer.alloc(1024 * 1024);
  return () => {
    if (!existsSync(join(output, 'runs'))) return [];
    const [run = ''] = readdirSync(join(output, 'runs'));
    const path = join(output, 'runs', run, 'journal.jsonl');
    if (file === null && existsSync(path)) file = openSync(path, 'r');
    if (file === null) return [];
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      rest += chunk.toString('latin1', 0, bytes);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    return lines.map((line) => JSON.parse(line));
  };
}

/** Finds running processes by their command line, however they got away. */
function findByToken(token) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(token);
    } catch {
      return false; // It has just ended.
    }
  });
}

function killAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}
