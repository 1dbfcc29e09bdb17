// Runs hostile process trees through the harness, and counts what it leaves behind and what it does not see.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, findProcesses, hasEnded, killAll } from '../harness.mjs';
import { CHAIN, growTree } from './grow.mjs';
import { readRecords, SILENCE_MS, startIn, waitFor } from './process.mjs';

const JOBS = 4;
const runToken = `tree-${randomBytes(6).toString('hex')}`;
const tokenOf = (number) => `${runToken}-${number}.`;
const findByToken = (token) => findProcesses('cmdline', token);

/** Runs every tree as the target of one test, and looks for its processes as soon as its test is reported. */
export async function runTrees(options) {
  const { seed, count } = options;
  const place = layOut({ ...options, place: join(options.folder, 'all'), number: count, mode: 'any' });
  const { child } = startHarness(place, options);
  const seen = new Map();
  const look = () => {
    for (const { type, scenarioId, outcome } of readRecords(place.output)) {
      if (type !== 'attempt-finished' || seen.has(scenarioId)) continue;
      const number = Number(scenarioId.slice('tree-'.length));
      const left = findByToken(tokenOf(number));
      killAll(left);
      seen.set(scenarioId, { outcome, left: left.length, ...place.trees[number] });
    }
    return hasEnded(child);
  };
  await waitFor(look);
  look();
  killAll(findByToken(runToken));
  const means = meansOf(place.output);
  const trees = [...seen.values()];
  const of = (condition) => trees.filter(condition).length;
  const isUnseen = ({ leaves, hangs, outcome }) => leaves && !hangs && outcome === 'passed';
  for (const [id, tree] of seen)
    if (tree.left > 0 || isUnseen(tree)) console.log(`${id}, ${tree.outcome}:\n${tree.script}`);
  const figures = {
    ...{ means, seed, trees: trees.length },
    'trees left': of(({ left }) => left > 0),
    'processes left': trees.reduce((sum, { left }) => sum + left, 0),
    unseen: of(isUnseen),
    'false alarms': of(({ leaves, outcome }) => !leaves && outcome !== 'passed'),
    lost: count - trees.length,
  };
  const bad = figures['trees left'] + figures.unseen + figures['false alarms'] + figures.lost;
  return { figures, sound: bad === 0 || means === 'tracking' };
}

/** Signals the harness while its trees run, round by round, and looks again after two seconds. */
export async function signalTrees(options) {
  const { seed, count, signal } = options;
  let [trees, left, survivors, slowest, means] = [0, 0, 0, 0, 'unknown'];
  for (; trees < count; trees += JOBS) {
    const folder = join(options.folder, `round-${trees}`);
    const place = layOut({ ...options, place: folder, number: JOBS, mode: 'hangs', first: trees });
    const harness = startHarness(place, options);
    const running = () => place.trees.filter(({ token }) => findByToken(token).length > 0).length;
    await waitFor(() => running() === JOBS, 30_000);
    means = meansOf(place.output);
    harness.child.kill(`SIG${signal}`);
    await harness.done;
    const took = await waitFor(() => findByToken(runToken).length === 0, SILENCE_MS);
    slowest = Math.max(slowest, took ?? SILENCE_MS);
    left += running();
    const rest = findByToken(runToken);
    survivors += rest.length;
    killAll(rest);
  }
  const figures = {
    ...{ means, seed, signal, trees, 'trees left': left, 'processes left': survivors },
    'slowest end in ms': slowest,
  };
  return { figures, sound: left === 0 || means === 'tracking' };
}

/** Writes the trees, a target that runs them, and a scenario for each. */
function layOut({ place, number, mode, seed, first = 0 }) {
  mkdirSync(place, { recursive: true });
  const chain = join(place, 'chain.sh');
  writeFileSync(chain, CHAIN);
  const trees = Array.from({ length: number }, (_none, index) => {
    const token = tokenOf(first + index);
    return { token, ...growTree(seed * 100_000 + first + index, { token, chain, mode }) };
  });
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
    `import { fileContains, onAnyPrompt, scenario } from ${JSON.stringify(pathToFileURL(join(DIST, 'index.js')).href)};
export default ${JSON.stringify(trees.map(({ hangs }) => hangs))}.map((hangs, number) => scenario({
  id: \`tree-\${number}\`, tier: 1, priority: 'must', phase: 'green', description: 'A hostile tree', covers: [],
  timeoutSeconds: hangs ? ${mode === 'hangs' ? 60 : 2} : 30,
  arrange: () => ({ config: {}, prompt: \`\${number}\` }),
  expect: () => ({ done: fileContains('done.txt', 'done') }),
  agent: [onAnyPrompt().says('nothing')],
}));
`,
  );
  return { trees, target, scenarios, output: join(place, 'output'), cwd: place };
}

function startHarness({ target, scenarios, output, cwd }, { means }) {
  const args = [
    ...['claude', '--mock', '--ralph', target, '--scenarios', scenarios, '--output', output],
    ...['--skip-analysis', '--quiet', '-j', String(JOBS)],
  ];
  return startIn(cwd, args, means === undefined ? {} : { RALPH_E2E_CONTAINMENT: means });
}

function meansOf(output) {
  return readRecords(output)[0]?.environment.containment ?? 'unknown';
}
