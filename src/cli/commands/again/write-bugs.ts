import { readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { BACKENDS } from '../../../backends/index.js';
import type { SourceLine } from '../../../bug/issue.js';
import { type BugFiles, writeReproduction } from '../../../bug/reproduction.js';
import { agentScriptSchema } from '../../../domain/agent-script.js';
import type { AttemptFinished } from '../../../domain/attempt.js';
import { parseJson } from '../../../domain/common/json-lines.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Scenario } from '../../../domain/scenario/scenario.js';
import { testLabel } from '../../../domain/vocabulary.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { writeFileAtomic } from '../../../exec/files/atomic-write.js';
import { makeChosenFolder } from '../../../exec/files/make-folder.js';
import { readPlainText, readPlainTextSync } from '../../../exec/files/plain-file.js';
import { callScenario } from '../../../run/attempt/scenario-code.js';
import { lastAttempts } from '../../../run/recording/earlier-attempts.js';
import { openScreen } from '../../screen.js';
import { findRecordedRun, type RecordedRun } from './find-recorded.js';
import { loadNamed } from './load-named.js';

interface BugRequest {
  /** The run; the latest if undefined. */
  readonly run: string | undefined;
  /** The test; all that broke a promise if undefined. */
  readonly test: string | undefined;
  readonly into: string;
  readonly output: string;
  readonly scenarios?: readonly string[];
}

/** Writes reproductions of failures and known issues, each into its own folder, and prints how to run them. */
export async function writeBugs({ run, test, into, output, scenarios }: BugRequest): Promise<void> {
  const recorded = await findRecordedRun(run ?? 'latest', output);
  const catalogue = await loadNamed(scenarios === undefined ? {} : { scenarios });
  const broken = chooseBroken(recorded, test);
  for (const attempt of broken) {
    const folder = join(resolve(into), attempt.scenarioId);
    await writeBugFiles(folder, await makeBug(attempt, recorded, catalogue));
    openScreen({ json: false }).print(join(relative('.', folder) || '.', 'run.sh'));
  }
}

/** Chooses the tests that broke a promise. A scenario that did so on several backends is taken once. */
function chooseBroken({ records, run }: RecordedRun, test: string | undefined): readonly AttemptFinished[] {
  const found = lastAttempts(records, run.id, test).filter(
    ({ outcome }) => outcome === 'failed' || outcome === 'known-issue',
  );
  const isFirst = ({ scenarioId }: AttemptFinished, at: number) =>
    found.findIndex((other) => other.scenarioId === scenarioId) === at;
  if (found.length > 0) return found.filter(isFirst);
  throw new KnownError(
    `--bug: expected ${test === undefined ? 'a test' : `that ${test}`} failed or has a known issue in run ${run.id}, found none.`,
    { hint: `\`ralph-e2e show ${run.id}\` lists its tests.` },
  );
}

async function makeBug(
  attempt: AttemptFinished,
  { started }: RecordedRun,
  catalogue: readonly Scenario[],
): Promise<BugFiles> {
  const { scenarioId, backend, drawn, evidence } = attempt;
  const label = testLabel(scenarioId, backend);
  const scenario = catalogue.find(({ id }) => id === scenarioId);
  if (scenario?.kind !== 'ralph' || drawn === undefined || evidence === null)
    throw new KnownError(
      `--bug ${label}: expected a loop of Ralph with its scenario and evidence, found ${scenario === undefined ? 'no such scenario' : scenario.kind === 'ralph' ? 'no evidence' : 'a conversation'}.`,
      { hint: 'Name the module that contains the scenario with --scenarios <file>.' },
    );
  const context = { ...drawn, backend, lane: started.lane };
  const companions = scenario.companions(context);
  const version = /(?<!\d)\d+\.\d+\.\d+\S*/.exec(started.target.version)?.[0] ?? started.target.version;
  const planned = started.planned.find((one) => one.scenarioId === scenarioId && one.backend === backend);
  return writeReproduction({
    ...{ attempt, evidence, description: scenario.description },
    reason: attempt.outcome === 'known-issue' ? (planned?.knownIssue?.reason ?? null) : null,
    script: await readScript(attempt, label),
    arrangement: callScenario(() => scenario.arrange(context)),
    commands: [backend, ...companions].map((id) => BACKENDS[id].command),
    ralphVersion: version,
    agent: BACKENDS[backend].title,
    locate: (source) => locateSource(source, version),
  });
}

async function readScript({ artifacts }: AttemptFinished, label: string) {
  const path = join(artifacts, 'agent-script.json');
  try {
    return agentScriptSchema.parse(parseJson(await readPlainText(path)));
  } catch (cause) {
    throw new KnownError(`--bug ${label}: expected the agent's script at ${path}, found none.`, {
      hint: 'Run the test in the sim lane (--mock): a reproduction needs a scripted agent.',
      cause,
    });
  }
}

/** Finds a place such as `ralph-core/src/config.rs: MemoriesFilter` in the source that cargo installed; null if it is not there. */
function locateSource(source: string, version: string): SourceLine | null {
  const [path = '', name = ''] = source.split(': ');
  const [crate = '', ...rest] = path.split('/');
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src');
  const word = name.split('::').at(-1) ?? name;
  for (const index of listFolder(registry)) {
    const lines = readLines(join(registry, index, `${crate}-${version}`, ...rest));
    const defines = new RegExp(`\\b(?:fn|struct|enum|const|trait|mod)\\s+${word}\\b`);
    const at = [defines, new RegExp(`\\b${word}\\b`)]
      .map((pattern) => lines.findIndex((line) => pattern.test(line)))
      .find((found) => found >= 0);
    if (at !== undefined) return { line: at + 1, text: lines[at] ?? '' };
  }
  return null;
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function readLines(path: string): string[] {
  try {
    return readPlainTextSync(path).split('\n');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function writeBugFiles(folder: string, files: BugFiles): Promise<void> {
  for (const [name, { content, mode }] of files) {
    const path = join(folder, name);
    await makeChosenFolder(dirname(path), 'Choose another folder with --into <dir>.');
    await writeFileAtomic(path, content, { durable: false });
    await chmod(path, mode);
  }
}
