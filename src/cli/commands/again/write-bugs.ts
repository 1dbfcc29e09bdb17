import { chmod } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { BACKENDS } from '../../../backends/index.js';
import { type BugFiles, writeReproduction } from '../../../bug/reproduction.js';
import { type AttemptFinished, involvesRalph } from '../../../domain/attempt.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { placeOfPanic, readPanic } from '../../../domain/diagnosis/complaint.js';
import type { Scenario } from '../../../domain/scenario/scenario.js';
import { splitLabel, testLabel } from '../../../domain/vocabulary.js';
import { listNames } from '../../../draft/folder/list-names.js';
import { writeFileAtomic } from '../../../exec/files/atomic-write.js';
import { makeChosenFolder } from '../../../exec/files/make-folder.js';
import { readPlainText } from '../../../exec/files/plain-file.js';
import { statOrNull } from '../../../exec/files/stat-or-null.js';
import { codeSpan, inlineText } from '../../../report/text/safe-text.js';
import { callScenario } from '../../../run/attempt/scenario-code.js';
import { lastAttempts, type RecordedRun } from '../../../run/recording/earlier-attempts.js';
import { findRecordedRun } from '../../input/find-runs.js';
import { loadNamed } from '../../input/load-scenarios.js';
import { openScreen, say } from '../../screen.js';

interface BugRequest {
  /** The run; the latest if undefined. */
  readonly run: string | undefined;
  /** The test; all that broke a promise if undefined. */
  readonly test: string | undefined;
  readonly into: string;
  readonly output: string;
  readonly scenarios: readonly string[] | null;
}

/** Writes reproductions of failures and known issues, each into its own folder, and prints how to run them. */
export async function writeBugs({ run, test, into, output, scenarios }: BugRequest): Promise<void> {
  const recorded = await findRecordedRun(run ?? 'latest', output);
  refuseStandIn(recorded, test);
  const catalogue = await loadNamed({ scenarios });
  for (const attempt of chooseBroken(recorded, test)) {
    const folder = join(resolve(into), attempt.scenarioId);
    for (const [name, { content, mode }] of await makeBug(attempt, recorded, catalogue)) {
      const path = join(folder, name);
      await makeChosenFolder(dirname(path), 'Choose another folder with --into <dir>.');
      await writeFileAtomic(path, content, { durable: false });
      await chmod(path, mode);
    }
    openScreen({ json: false }).print(join(relative('.', folder) || '.', 'run.sh'));
  }
  say(
    'Run one with the path of a ralph: 1 means that it breaks the promise. ISSUE.md beside it is the text of an issue.\n',
  );
}

/** What the stand-in does is no bug of Ralph, and its version is that of the Ralph that it imitates. */
function refuseStandIn({ started: { target, lane } }: RecordedRun, test: string | undefined): void {
  if (target.kind !== 'stand-in' || !involvesRalph(target)) return;
  const { id, backend } = splitLabel(test ?? '') ?? { id: test };
  const words = [
    ...(backend === undefined ? [] : [backend]),
    ...['--lane', lane, '--ralph', '<path>'],
    ...(id === undefined ? [] : ['--test', id]),
  ];
  throw new KnownError('This run tested the stand-in, not Ralph: there is nothing to file.', {
    hint: `Run it on a real Ralph first: \`ralph-e2e ${words.join(' ')}\`.`,
  });
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
  const scenario = catalogue.find(({ id }) => id === scenarioId);
  if (scenario?.kind !== 'ralph' || drawn === undefined || evidence === null)
    throw new KnownError(
      `--bug ${testLabel(scenarioId, backend)}: expected a loop of Ralph with its scenario and evidence, found ${scenario === undefined ? 'no such scenario' : scenario.kind === 'ralph' ? 'no evidence' : 'a conversation'}.`,
      { hint: 'Name the module that contains the scenario with --scenarios <file>.' },
    );
  const context = { ...drawn, backend, lane: started.lane };
  const version = /(?<!\d)\d+\.\d+\.\d+\S*/.exec(started.target.version)?.[0] ?? started.target.version;
  const checks = attempt.checks.filter(({ passed }) => !passed);
  const sources = new Set(checks.flatMap(({ promises = [] }) => promises.map(({ source }) => source)));
  const panic = readPanic(evidence.stderr.text);
  const place = panic === null ? null : placeOfPanic(`panicked at ${panic}`);
  const planned = started.planned.find((one) => one.scenarioId === scenarioId && one.backend === backend);
  return writeReproduction({
    ...{ checks, evidence, cwd: evidence.cwd, description: scenario.description },
    reason:
      (attempt.outcome === 'known-issue' ? planned?.knownIssue?.reason : null) ??
      (panic === null ? null : `Ralph panicked at ${inlineText(panic, 300)}`),
    script: scenario.agent,
    arrangement: callScenario(() => scenario.arrange(context)),
    commands: [backend, ...scenario.companions(context)].map((id) => BACKENDS[id].command),
    ralphVersion: version,
    agent: BACKENDS[backend].title,
    places: [
      ...(place === null ? [] : [codeSpan(place)]),
      ...(await Promise.all([...sources].map((source) => quoteSource(source, version)))),
    ],
  });
}

/** Quotes a place such as `ralph-core/src/config.rs: MemoriesFilter`, with its line if cargo installed this Ralph. */
async function quoteSource(source: string, version: string): Promise<string> {
  const [path = source, name = ''] = source.split(': ');
  const defines = new RegExp(`\\b(?:fn|struct|enum|const|trait|mod)\\s+${name.split('::').at(-1)}\\b`);
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src');
  for (const index of await listNames(registry)) {
    const file = join(registry, index, path.replace('/', `-${version}/`));
    if ((await statOrNull(file)) === null) continue;
    const lines = (await readPlainText(file)).split('\n');
    const at = lines.findIndex((line) => defines.test(line));
    if (at >= 0) return `\`${path}:${at + 1}\` (${version}): \`${lines[at]?.trim()}\``;
  }
  return `\`${path}\`, \`${name}\``;
}
