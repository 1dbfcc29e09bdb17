// Measures a loop of three iterations with hats: the real Ralph and the real Claude Code with a scripted model, through
// the harness and by hand.
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  aim,
  artifactsOf,
  copyAsItBegan,
  findPrograms,
  median,
  ms,
  ratio,
  readAttemptTime,
  run,
  time,
  withServer,
} from './bench-support.mjs';

const ROUNDS = 3;
const NAME = 'bench-hat-loop';

// As a program, this file is what is timed: one run of the harness.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await runThroughHarness(process.argv[2], process.argv[3]);

/** Measures both ways alternately and returns lines for the report. */
export async function benchHatLoop(folder) {
  const { ralph, claude } = findPrograms(folder);
  if (ralph === null || claude === null)
    return 'a hat loop through the harness: skipped, because the real ralph or Claude Code is not installed (npm run real:setup)';
  const env = { ...process.env, PATH: [dirname(claude), process.env.PATH].join(delimiter) };
  const through = (output) => ({
    command: [process.execPath, fileURLToPath(import.meta.url), output, ralph],
    cwd: folder,
    env,
  });
  const recorded = join(folder, 'hat-loop-recorded');
  // The first run fills the caches and does not count. It leaves what the run by hand repeats.
  run(through(recorded));
  const artifacts = artifactsOf(recorded, `${NAME}-claude`);
  const times = { harness: [], attempt: [], byHand: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const output = join(folder, `hat-loop-${round}`);
    times.harness.push(time(() => run(through(output))));
    times.attempt.push(readAttemptTime(output));
    times.byHand.push(await runByHand({ artifacts, env, place: join(folder, `by-hand-${round}`) }));
  }
  const [harness, attempt, byHand] = [times.harness, times.attempt, times.byHand].map(median);
  return `a hat loop of three iterations (real ralph, real Claude Code, scripted model; ${ROUNDS} rounds) through the harness / by hand: ${ratio(harness, byHand)} · ${aim('1.2 or less', harness / byHand <= 1.2)}
  the scenario itself: ${ratio(attempt, byHand)}; starting, asking the backend and writing reports take ${ms(harness - attempt)}, once a run`;
}

async function runThroughHarness(output, ralph) {
  const { completed, iterationCount, loop, onEvent, onHat, runScenarios, scenario } = await import(
    new URL('../dist/index.js', import.meta.url)
  );
  const base = loop({ maxIterations: 5 });
  const hat = (name, triggers, publishes) => ({
    ...{ name, description: `The ${name}`, triggers, publishes },
    instructions: `Do your part, then run: ralph emit ${publishes[0]}`,
  });
  const hatLoop = scenario({
    id: NAME,
    backends: ['claude'],
    ...{
      tier: 5,
      priority: 'should',
      phase: 'green',
      covers: [],
      description: 'Two hats and the coordinator',
    },
    arrange: () => ({
      prompt: 'Let each hat do its part.',
      config: {
        ...base,
        event_loop: { ...base.event_loop, starting_event: 'build.task' },
        hats: {
          builder: hat('Builder', ['build.task'], ['build.finished']),
          reviewer: hat('Reviewer', ['build.finished'], ['review.finished']),
        },
      },
    }),
    expect: () => [completed(), iterationCount(3)],
    agent: [
      onHat('Builder').writes('built.txt', 'built\n').emits('build.finished'),
      onHat('Reviewer').emits('review.finished'),
      onEvent('review.finished').completes(),
    ],
  });
  const report = await runScenarios([hatLoop], {
    ...{ backends: ['claude'], lane: 'scripted', ralph, output, keepWorkspace: true },
  });
  if (!report.passed) throw new Error(`the hat loop failed: ${JSON.stringify(report.results, null, 2)}`);
}

/** Runs the same command in the same workspace with the same script; the model server starts before the clock. */
async function runByHand({ artifacts, env, place }) {
  const { command, cwd: workspace } = JSON.parse(readFileSync(join(artifacts, 'evidence.json'), 'utf8'));
  const { cwd, home } = copyAsItBegan(workspace, place);
  return withServer(join(place, 'agent.yaml'), SCRIPT, (url) => {
    const own = {
      ...{ PATH: env.PATH, HOME: home, NO_COLOR: '1', RALPH_DIAGNOSTICS: '1', IS_SANDBOX: '1' },
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'any', CLAUDE_CODE_MAX_RETRIES: '0' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    };
    return time(() => run({ command, cwd, env: own }));
  });
}

const SCRIPT = `rules:
  - on: { hat: Builder }
    steps: [{ write: built.txt, text: built }, { emit: build.finished }]
  - on: { hat: Reviewer }
    steps: [{ emit: review.finished }]
  - on: { event: review.finished }
    steps: [complete]
`;
