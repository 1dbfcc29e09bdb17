// Measures the four-turn conversation that fixes a planted bug (scenario agent-loop-bugfix): the real Claude Code with a
// scripted model, through the harness and by hand, where a shell starts one process per turn.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  artifactsOf,
  cli,
  copyAsItBegan,
  dist,
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
const NAME = 'agent-loop-bugfix';

/** Measures both ways alternately and returns lines for the report. */
export async function benchFlagship(folder) {
  const { claude } = findPrograms(folder);
  if (claude === null)
    return 'a conversation through the harness: skipped, because the real Claude Code is not installed (npm run real:setup)';
  const env = { ...process.env, PATH: [dirname(claude), process.env.PATH].join(delimiter) };
  const through = (output) => ({
    command: [
      ...[process.execPath, cli, 'claude', '--lane', 'scripted', '--ralph', 'embedded', '--filter', NAME],
      ...['--skip-analysis', '--keep-workspace', '--output', output],
    ],
    cwd: folder,
    env,
  });
  const recorded = join(folder, 'flagship-recorded');
  // The first run fills the caches and does not count. It leaves the workspace from which the run by hand starts.
  run(through(recorded));
  const workspace = JSON.parse(
    readFileSync(join(artifactsOf(recorded, `${NAME}-claude`), 'evidence.json'), 'utf8'),
  ).cwd;
  const times = { harness: [], attempt: [], byHand: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const output = join(folder, `flagship-${round}`);
    times.harness.push(time(() => run(through(output))));
    times.attempt.push(readAttemptTime(output));
    times.byHand.push(await runByHand({ workspace, env, place: join(folder, `flagship-by-hand-${round}`) }));
  }
  const [harness, attempt, byHand] = [times.harness, times.attempt, times.byHand].map(median);
  return `explore, plan, code, commit (real Claude Code, scripted model; ${ROUNDS} rounds) through the harness / by hand: ${ratio(harness, byHand)}
  the scenario itself: ${ratio(attempt, byHand)}; starting, asking the backend and writing reports take ${ms(harness - attempt)}, once a run`;
}

/** Runs four processes that share a session, and the project's tests; the model server starts before the clock. */
async function runByHand({ workspace, env, place }) {
  const { cwd, home } = copyAsItBegan(workspace, place);
  return withServer(join(place, 'agent.yaml'), SCRIPT, (url) => {
    const own = {
      ...{ PATH: env.PATH, HOME: home, NO_COLOR: '1', IS_SANDBOX: '1' },
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'any', CLAUDE_CODE_MAX_RETRIES: '0' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    };
    const id = randomUUID();
    const say = (prompt, ...session) =>
      run({
        command: [
          ...['claude', '-p', prompt, ...session, '--output-format', 'stream-json', '--verbose'],
          ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(git *),Bash(python3 *)'],
          ...['--plugin-dir', join(dist, 'plugins', 'agent-loop')],
        ],
        cwd,
        env: own,
      });
    const taken = time(() => {
      say('/agent-loop:explore the calculator', '--session-id', id);
      say('/agent-loop:plan the fix', '--resume', id);
      say('/agent-loop:code the plan', '--resume', id);
      say('/agent-loop:commit', '--resume', id);
      run({ command: ['python3', '-m', 'unittest'], cwd, env: own });
    });
    if (run({ command: ['git', 'rev-list', '--count', 'HEAD'], cwd }).trim() !== '2')
      throw new Error('by hand: there is no second commit');
    return taken;
  });
}

const SCRIPT = `rules:
  - on: /agent-loop:explore</
    steps: [{ read: calculator/operations.py }, { say: A systematic investigation. }]
  - on: /agent-loop:plan</
    steps: [{ write: PLAN.md, text: 1. Make add add. }, { say: The plan has one step. }]
  - on: /agent-loop:code</
    steps:
      - { read: calculator/operations.py }
      - { edit: calculator/operations.py, old: "def add(a, b):\\n    return a - b", new: "def add(a, b):\\n    return a + b" }
      - { run: python3 -m unittest }
      - { say: The fix is in. }
  - on: /agent-loop:commit</
    steps: [{ run: 'git add calculator PLAN.md && git commit -q -m "fix: add adds"' }, { say: Committed. }]
`;
