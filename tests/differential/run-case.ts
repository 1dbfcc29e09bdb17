import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ProcessResult, runProcess } from '../../src/exec/process/run-process.js';
import { renderAgent } from './agent.js';
import { type Command, type DifferentialCase, loop, run } from './case.js';
import { type Observation, observe } from './observe.js';

export interface RunSettings {
  /** The ralph to run. */
  readonly ralph: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After this a command is ended, and the observation says so. */
  readonly timeoutMs?: number;
}

/** One command of a case, as it went. */
export interface Finished {
  readonly command: Command;
  readonly result: ProcessResult;
}

/** Whether the user who runs the tests would get another answer than the recorded one. */
export function isForOthers({ asRoot }: DifferentialCase): boolean {
  return asRoot === true && process.getuid?.() !== 0;
}

/** Puts a ralph into the situation of a case, in a workspace and a home of its own, and observes what it does. */
export async function runCase(testCase: DifferentialCase, settings: RunSettings): Promise<Observation> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'differential-')));
  try {
    const places = await arrange(testCase, base);
    const finished: Finished[] = [];
    let latest = 0;
    for (const command of testCase.commands ?? [run()]) {
      if (startsLoop(command)) await waitForSecondAfter(latest);
      finished.push({ command, result: await runOne(command, testCase, places, settings) });
      latest = Math.floor(Date.now() / 1000);
    }
    return await observe({ testCase, finished, ...places, ralph: dirname(settings.ralph) });
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

const NEW_REPO = 'git init --quiet --template= && git commit --quiet --allow-empty --message=first';
const GIT_CONFIG = '[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = main\n';
let repository: Promise<string> | undefined;

/** Makes the repository with a first commit that every case begins in: once, each gets a copy. */
async function makeRepository(): Promise<string> {
  // The folder of tools goes when all tests are over.
  const folder = mkdtempSync(join(process.env.RALPH_E2E_TEST_TOOLS ?? tmpdir(), 'repository-'));
  writeFileSync(join(folder, '.gitconfig'), GIT_CONFIG);
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...AUTHOR };
  await promisify(execFile)('sh', ['-c', `mkdir made && cd made && ${NEW_REPO}`], { cwd: folder, env });
  return join(folder, 'made');
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b',
};

interface Arranged {
  readonly base: string;
  readonly workspace: string;
  readonly home: string;
  readonly bin: string;
  readonly seen: string;
  readonly config: string;
}

async function arrange(testCase: DifferentialCase, base: string): Promise<Arranged> {
  const [workspace, home, bin, seen] = ['workspace', 'home', 'bin', 'seen'].map((name) => join(base, name));
  if (!workspace || !home || !bin || !seen) throw new Error('expected four folders');
  for (const folder of [workspace, home, bin, seen]) mkdirSync(folder);
  const config = testCase.config === undefined ? loop() : (testCase.config ?? '');
  const write = (folder: string, name: string, content: string, mode = 0o644) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
  };
  write(home, '.gitconfig', GIT_CONFIG);
  for (const [name, content] of Object.entries(testCase.home ?? {})) write(home, name, content);
  if (testCase.config !== null) write(workspace, 'ralph.yml', config);
  for (const [name, content] of Object.entries(testCase.files ?? {})) write(workspace, name, content, 0o755);
  // A `claude` too: it is what a config without a backend means, and the machine may have a real one.
  const backends: DifferentialCase['backends'] = testCase.backends ?? { agent: 'stdin', claude: 'stdin' };
  for (const [name, kind] of Object.entries(backends))
    write(bin, name, renderAgent({ kind, turns: testCase.agent ?? [[]], seen }), 0o755);
  repository ??= makeRepository();
  cpSync(await repository, workspace, { recursive: true });
  return { base, workspace, home, bin, seen, config };
}

function runOne(
  command: Command,
  testCase: DifferentialCase,
  { base, workspace, home, bin }: Arranged,
  { ralph, env, timeoutMs = 120_000 }: RunSettings,
): Promise<ProcessResult> {
  const inShell = typeof command === 'string';
  return runProcess({
    command: inShell ? '/bin/sh' : ralph,
    args: inShell ? ['-c', command] : command,
    cwd: workspace,
    env: {
      PATH: `${dirname(ralph)}:${bin}:${process.env.PATH ?? ''}`,
      HOME: home,
      SEEN: join(base, 'seen'),
      NO_COLOR: '1',
      LC_ALL: 'C.UTF-8',
      RALPH_STANDIN_TIME_SCALE: '0.01',
      ...testCase.env,
      ...env,
    },
    timeoutMs,
    graceMs: 100,
    stdoutPath: join(base, 'stdout'),
    stderrPath: join(base, 'stderr'),
    secrets: [],
    marker: { name: 'DIFFERENTIAL_RUN', value: randomUUID() },
  });
}

function startsLoop(command: Command): boolean {
  return typeof command === 'string' ? command.includes('ralph run') : command.includes('run');
}

/** Loops that start within one second share an events file: what is in it would depend on speed. */
async function waitForSecondAfter(second: number): Promise<void> {
  const left = (second + 1) * 1000 - Date.now();
  if (left > 0) await sleep(left);
}
