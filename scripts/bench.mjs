// Prints the cost of the harness as ratios within one run, because absolute times of different machines or moments are
// not comparable. Every figure is the median of ten rounds in which all candidates take turns. A benchmark is not a
// test: it says whether a goal is met, and always exits with 0.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { benchCatalogue } from './bench-catalogue.mjs';
import {
  aim,
  artifactsOf,
  cli,
  copyAsItBegan,
  dist,
  environment,
  measureProcessor,
  median,
  ms,
  ratio,
  readAttemptTime,
  run,
} from './bench-support.mjs';

const ROUNDS = 10;
const SCENARIO = 'claude-single-iter';

const standIn = join(dist, 'standin', 'bin', 'ralph');
const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-bench-'));

try {
  report(measure(candidates(recordBareRun())));
  console.log(benchCatalogue(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `\n${run({ command: [process.execPath, join(dirname(dist), 'scripts', 'bench-reports.mjs')], cwd: dist })}`,
);

/** Each candidate prepares itself, untimed, and returns the command to time. */
function candidates(bare) {
  return {
    node: () => ({ command: [process.execPath, '-e', '0'] }),
    version: () => ({ command: [process.execPath, cli, '--version'] }),
    list: () => ({ command: [process.execPath, cli, '--list'] }),
    standIn: () => ({ command: [standIn, '--version'] }),
    harness: (round) => ({ command: harnessCommand(join(folder, `harness-${round}`)) }),
    bare: (round) => prepareBareRun(bare, round),
    answer: (round) => prepareAnswer(bare, round),
  };
}

/** Sends one prompt to the stand-in for an agent CLI, as Ralph does. */
function prepareAnswer({ script }, round) {
  const cwd = join(folder, `answer-${round}`);
  mkdirSync(cwd, { recursive: true });
  const prompt = '## OBJECTIVE\n\n**Goal.**\n\n> one line: abc written in uppercase\n\nYou MUST keep';
  const env = { ...environment, HOME: cwd, RALPH_E2E_AGENT_SCRIPT: script };
  const command = [join(dist, 'agent', 'bin', 'opencode'), 'run', prompt];
  return { command, cwd, env };
}

function harnessCommand(output, ...more) {
  return [
    process.execPath,
    cli,
    'claude',
    '--mock',
    '--ralph',
    'embedded',
    '--skip-analysis',
    '--filter',
    SCENARIO,
    '--output',
    output,
    ...more,
  ];
}

/** Runs the harness once and keeps the workspace; the bare run repeats the same command there. */
function recordBareRun() {
  const output = join(folder, 'recorded');
  run({ command: harnessCommand(output, '--keep-workspace') });
  const artifacts = artifactsOf(output, `${SCENARIO}-claude`);
  const { command, cwd } = JSON.parse(readFileSync(join(artifacts, 'evidence.json'), 'utf8'));
  return { command, workspace: cwd, script: join(artifacts, 'agent-script.json') };
}

/** Restores the workspace to its first commit, with the environment of the sim lane. */
function prepareBareRun({ command, workspace, script }, round) {
  const { cwd, home } = copyAsItBegan(workspace, join(folder, `bare-${round}`));
  const env = {
    PATH: [join(dist, 'agent', 'bin'), process.env.PATH, dirname(process.execPath)].join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    // As root, Claude Code refuses Ralph's arguments without it, and so does its stand-in.
    IS_SANDBOX: '1',
    RALPH_DIAGNOSTICS: '1',
    RALPH_E2E_AGENT_SCRIPT: script,
    RALPH_E2E_AGENT_LOG: join(folder, `bare-${round}`, 'agent-calls.jsonl'),
  };
  return { command, cwd, env };
}

function measure(list) {
  const extra = ['attempt', 'nodeProcessor', 'bareProcessor'];
  const times = Object.fromEntries([...Object.keys(list), ...extra].map((name) => [name, []]));
  // The first round fills the caches and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, prepare] of Object.entries(list)) {
      const call = prepare(round);
      const started = performance.now();
      run(call);
      if (round > 0) times[name].push(performance.now() - started);
    }
    if (round === 0) continue;
    times.attempt.push(readAttemptTime(join(folder, `harness-${round}`)));
    times.nodeProcessor.push(measureProcessor(list.node(round)));
    times.bareProcessor.push(measureProcessor(list.bare(`${round}-processor`)));
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

function report(medians) {
  const { node, version, list, standIn: standInVersion, harness, attempt, bare, answer } = medians;
  const { nodeProcessor, bareProcessor } = medians;
  const met = harness / bare <= 1.05 || attempt - bare <= 150;
  console.log(`Medians of ${ROUNDS} interleaved rounds, Node ${process.version}, ${process.platform} ${process.arch}

ralph-e2e --version / node -e 0: ${ratio(version, node)} · ${aim('2 or less', version / node <= 2)}
ralph-e2e --list / node -e 0: ${ratio(list, node)} · ${aim('4 or less', list / node <= 4)}
stand-in ralph --version / node -e 0: ${ratio(standInVersion, node)}
CPU time of one iteration (stand-in ralph and agent, commit in git) / node -e 0: ${(bareProcessor / nodeProcessor).toFixed(2)} · ${aim('4 or less', bareProcessor / nodeProcessor <= 4)}
an answer of a CLI stand-in / node -e 0: ${ratio(answer, node)} · ${aim('2.5 or less', answer / node <= 2.5)}
one scenario through the harness / the bare ralph run: ${ratio(harness, bare)}
  the scenario itself takes ${ms(attempt - bare)} more than the bare run
  starting, asking the backend and writing reports take ${ms(harness - attempt)}, once a run
  ${aim('ratio 1.05 or less, or 150 ms a scenario', met)}`);
}
