import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import { BACKENDS, LOGIN_FILES } from '../backends/index.js';
import type { Target } from '../domain/attempt.js';
import { describeIncompatible, FORMATS, IncompatibleFormat } from '../domain/common/formats.js';
import type { JournalEvent, RunEnvironment } from '../domain/journal.js';
import { PROOF_FILES, proofSchema } from '../domain/proof/proof.js';
import { type ProofSummary, summariseProof } from '../domain/proof/summary.js';
import { comparableRuns, expectTimes, findPrevious, historyEntrySchema } from '../domain/report/history.js';
import { type InputFile, listInputFiles, type RunCall } from '../domain/run-call.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { type BackendId, keyOfTest, LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { hashFile } from '../exec/files/hash-file.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { prepareEnclosure } from '../isolation/enclosure.js';
import { readOwnFile } from '../journal/own-file.js';
import { readRunSummaries } from '../journal/summaries.js';
import { openJournal } from '../journal/writer.js';
import { assessBackends, listInherited } from '../lane/readiness.js';
import { cleanWorkspaceRoot } from '../workspace/clean.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { rehearse } from './attempt/rehearse.js';
import { callScenario } from './attempt/scenario-code.js';
import { carryOut } from './carry-out.js';
import { listPluginTests, requirePluginTests } from './extra-runs.js';
import { type HeldFolder, holdFolder, limitsFor, startRun } from './hold-folder.js';
import { Declined, planMoney, refuseUnpriced } from './money/plan.js';
import { describePlanned, type Selected } from './planned.js';
import { fingerprintCatalogue } from './prove/sabotage.js';
import type { FinishedRun, RunOptions } from './run-options.js';
import { describeLastFailed, findLastFailed } from './select/last-failed.js';
import { selectScenarios } from './select/select.js';
import { recordShard, takeShard } from './select/shard.js';
import { withCompanions, withSecond } from './select/why-skipped.js';

/** Runs the selected scenarios from start to end and records everything in a journal. */
export async function recordRun<Result>(
  options: RunOptions,
  /** Called at the end, before the folder is released. */
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  const { lane } = options;
  // First do what needs no folder, so that wrong usage does not leave one behind.
  const candidates = selectScenarios(options.catalogue, options);
  rehearse(candidates, lane);
  refuseModel(candidates, options.model);
  if (options.withoutPlugin) requirePluginTests(candidates, lane);
  refuseUnpriced(candidates, options);
  const isNew = (await statOrNull(options.output)) === null;
  try {
    return await recordApproved(options, candidates, finish);
  } catch (error) {
    if (error instanceof Declined && isNew) await cleanWorkspaceRoot(options.output);
    throw error;
  }
}

async function recordApproved<Result>(
  options: RunOptions,
  candidates: readonly Selected[],
  finish: (run: FinishedRun) => Promise<Result>,
): Promise<Result> {
  const { lane } = options;
  const enclose = await prepareEnclosure({ ...options, logins: LOGIN_FILES });
  return holdFolder(options, candidates, async (held) => {
    const { root, target, env } = held;
    const last = options.lastFailed
      ? await findLastFailed(root, { lane, target, candidates: everyCandidate(options) })
      : undefined;
    const whole =
      last === undefined
        ? candidates
        : selectScenarios(options.catalogue, { ...options, only: new Set(last.open.keys()) });
    const { shard } = options;
    const chosen = shard === null ? whole : takeShard(whole, shard, lane).part;
    const asked = options.backends.filter((id) => chosen.some(({ backend }) => backend === id));
    const readiness = await assessBackends(withCompanions(whole, lane), lane, env, options.signal);
    const under = whole.map(({ backend }) => backend);
    const selected = withSecond(chosen, readiness, under);
    const limits = limitsFor(options);
    const due = options.withoutPlugin ? [...selected, ...listPluginTests(selected, lane)] : selected;
    const money = await planMoney(root, { ...options, target, env, selected: due, readiness, limits });
    const run = await startRun(root);
    const proof = await findKnownProof(root, options);
    const hashed = await withHash(target);
    const planned = selected.map((job) => describePlanned(job, { ...options, target }));
    const history = await recallHistory(root, { lane, target, proof, planned });
    const firstRecords: JournalEvent[] = [
      {
        type: 'run-started',
        format: FORMATS.journal.format,
        at: new Date().toISOString(),
        runId: run.id,
        harnessVersion: options.harnessVersion,
        lane,
        target: hashed,
        backends: [...readiness.values()].filter(({ backend }) => asked.includes(backend)),
        ...describeNamed(options, asked),
        environment: describeEnvironment(options, held, asked),
        endedOrphans: [...held.orphans],
        program: [...options.program],
        repeatWith: [...options.repeatWith],
        planned,
        ...(options.shuffleSeed === null ? {} : { shuffleSeed: options.shuffleSeed }),
        ...(last === undefined ? {} : { lastFailed: describeLastFailed(last, selected) }),
        ...(money.budget === null ? {} : { budget: money.budget }),
        ...(options.call === undefined ? {} : { call: options.call, files: await hashInputs(options.call) }),
        ...(options.origin === undefined ? {} : { origin: options.origin }),
        companions: [...readiness.values()].filter(({ backend }) => !asked.includes(backend)),
        ...(options.repeat === null ? {} : { repeat: options.repeat }),
        ...(shard === null ? {} : { shard: recordShard(whole, shard, { ...options, target }) }),
      },
      history,
      ...(proof === null || proof instanceof IncompatibleFormat
        ? []
        : [{ type: 'proof-known' as const, at: new Date().toISOString(), proof }]),
    ];
    const records = await carryOut(options, {
      ...held,
      ...{ run, target: hashed, enclose, selected, readiness, limits, firstRecords, meter: money.meter },
      journal: openJournal(run),
    });
    return await finish({ root, run, records });
  });
}

/** Refuses `--model` for a CLI that has no option for it: it would run another model. */
function refuseModel(candidates: readonly Selected[], model: string | null): void {
  if (model !== null) for (const { backend } of candidates) BACKENDS[backend].modelArgs(model);
}

/**
 * Lists the named backends. One has nothing to run with --last-failed if nothing failed on it, and in a shard if the other
 * shards have its tests. That is fine.
 */
function describeNamed(
  { named, lastFailed, shard }: RunOptions,
  asked: readonly BackendId[],
): { readonly named?: BackendId[] } {
  return named.length === 0
    ? {}
    : { named: named.filter((id) => (!lastFailed && shard === null) || asked.includes(id)) };
}

/** Lists everything that this call could run without its filters. */
function everyCandidate({ catalogue, backends, lane }: RunOptions): Selected[] {
  return selectScenarios(catalogue, { backends, lane, filters: [] });
}

/** The summary of an earlier proof, or null if there is none that applies. */
type KnownProof = ProofSummary | IncompatibleFormat | null;

/** Reads the proof in the folder, if it was not interrupted, tried saboteurs, and is about exactly this catalog and this version of the harness. */
export async function findKnownProof(
  root: WorkspaceRoot,
  run: { readonly catalogue: readonly Scenario[]; readonly harnessVersion: string },
): Promise<KnownProof> {
  const proof = await readOwnFile(join(root.path, PROOF_FILES.json), FORMATS.proof, proofSchema);
  if (proof === null || proof instanceof IncompatibleFormat) return proof;
  if (proof.interrupted || proof.totals.saboteurs === 0 || proof.harness_version !== run.harnessVersion)
    return null;
  return proof.catalogue === fingerprintOrNull(run.catalogue) ? summariseProof(proof) : null;
}

/** Returns null if a scenario throws: it was never proved, and its attempt reports the error. */
function fingerprintOrNull(catalogue: readonly Scenario[]): string | null {
  try {
    return callScenario(() => fingerprintCatalogue(catalogue));
  } catch {
    return null;
  }
}

/** Reads earlier runs in this lane on this kind of target into the journal, so that reports need nothing else. */
export async function recallHistory(
  root: WorkspaceRoot,
  {
    lane,
    target,
    proof,
    planned,
  }: {
    readonly lane: Lane;
    readonly target: Target;
    readonly proof: KnownProof;
    readonly planned: readonly { readonly scenarioId: string; readonly backend: BackendId }[];
  },
): Promise<JournalEvent> {
  const { summaries, incompatible } = await readRunSummaries(root);
  const unread = [...incompatible, ...(proof instanceof IncompatibleFormat ? [proof] : [])];
  const earlier = comparableRuns(summaries, { lane, target_kind: target.kind });
  const keys = new Set(planned.map(keyOfTest));
  const previous = findPrevious(earlier, keys)?.run_id;
  return {
    type: 'history-known',
    at: new Date().toISOString(),
    ...(previous === undefined ? {} : { previous }),
    runs: earlier.map((summary) => historyEntrySchema.parse(summary)),
    expected: expectTimes(earlier),
    ...(unread.length === 0 ? {} : { unread: describeIncompatible(unread) }),
  };
}

function describeEnvironment(
  { env, lane, isolation }: RunOptions,
  { root, containment }: HeldFolder,
  asked: readonly BackendId[],
): RunEnvironment {
  const names = asked.flatMap((id) => BACKENDS[id].credentialVariables);
  return {
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    workspace: root.path,
    startedIn: process.cwd(),
    credentialVariables: Object.fromEntries(names.map((name) => [name, (env[name] ?? '') !== ''])),
    inherited: LANE_TRAITS[lane].asUser ? listInherited(asked, env) : [],
    isolation,
    // A sandbox has its own processes.
    ...(isolation === 'host' ? { containment: containment.kind } : {}),
  };
}

/** Adds the hash of a real target: two builds can have the same version. */
async function withHash(target: Target): Promise<Target> {
  return target.kind === 'real' ? { ...target, sha256: await hashFile(target.path) } : target;
}

/** Hashes the files that a call names, so that a resumed run can tell whether they are still the same. */
function hashInputs(call: RunCall): Promise<InputFile[]> {
  return Promise.all(listInputFiles(call).map(async (path) => ({ path, sha256: await hashFile(path) })));
}
