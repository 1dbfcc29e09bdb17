import type { Target } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { Proof } from '../../domain/proof/proof.js';
import { judgeProof } from '../../domain/proof/totals.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';
import { EMBEDDED_RALPH } from '../../domain/stand-ins.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import { assessBackends } from '../../lane/readiness.js';
import type { SuiteSettings } from '../../lane/settings.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';
import { rehearse } from '../attempt/rehearse.js';
import { chooseBinary, type FolderOptions, holdFolder, offlineJobs, startRun } from '../hold-folder.js';
import type { Selected } from '../planned.js';
import type { RunOptions } from '../run-options.js';
import { selectScenarios } from '../select/select.js';
import { withCompanions, withSecond } from '../select/why-skipped.js';
import { type ProveSuiteOptions, runProveSuite } from './prove-suite.js';
import { fingerprintCatalogue } from './sabotage.js';

/** All options of a proof. */
export interface ProveOptions
  extends FolderOptions,
    Pick<RunOptions, 'catalogue' | 'backends' | 'filters' | 'harnessVersion'>,
    Pick<ProveSuiteOptions, 'sorts' | 'variants' | 'diagnose' | 'onEvent'> {
  /** Not live: a proof makes hundreds of runs. */
  readonly lane: Exclude<Lane, 'live'>;
  /** Set for scenarios of the user. They need not prove the common checks: our own scenarios do. */
  readonly foreign?: boolean;
  /** The backends that the user named: each must be ready, and each scenario is proved on each of them. */
  readonly named?: readonly BackendId[];
  /** Undefined: as many as there are cores, and one more in the sim lane. */
  readonly jobs: number | undefined;
  readonly onStart: (start: ProveStart) => void;
}

/** Facts available before the first run. */
interface ProveStart {
  readonly target: Target;
  readonly lane: Lane;
  readonly scenarios: number;
  readonly jobs: number;
  readonly endedOrphans: readonly string[];
}

/** Runs a whole proof. Calls `finish` before it releases the folder. */
export async function runProveSession<Result>(
  options: ProveOptions,
  finish: (proof: Proof, root: WorkspaceRoot) => Promise<Result>,
): Promise<Result> {
  const { lane, catalogue, signal, jobs = offlineJobs(options.lane) } = options;
  const candidates = selectScenarios(catalogue, options);
  rehearse(candidates, lane);
  // What the checks of the live lane demand is read, too.
  rehearse(
    candidates.filter(({ scenario }) => scenario.lanes.includes('live')),
    'live',
  );
  // Saboteurs of the target need the stand-in, which can be broken on purpose.
  const standIn = candidates.some(({ scenario }) => scenario.kind === 'ralph') ? EMBEDDED_RALPH : null;
  // A proof begins with a sound target, and sets the faults itself.
  const sound = { ...options.env, [FAULT_VARIABLE]: undefined };
  const held = { ...options, env: sound, ralph: options.ralph ?? standIn };
  return holdFolder(held, candidates, async ({ root, target, env, containment, orphans }) => {
    const readiness = await assessBackends(withCompanions(candidates, lane), lane, env, signal);
    const { named = [] } = options;
    refuseUnready(named, readiness);
    const chosen = named.length > 0 ? candidates : chooseBackends(candidates, readiness);
    const selected = withSecond(
      chosen,
      readiness,
      chosen.map(({ backend }) => backend),
    );
    const run = await startRun(root, 'proof');
    options.onStart({ target, lane, scenarios: selected.length, jobs, endedOrphans: orphans });
    const startedAt = performance.now();
    const settings: SuiteSettings = {
      lane,
      target,
      binary: await chooseBinary(target, run, lane),
      root,
      run,
      base: options.env,
      env,
      containment,
      model: null,
      timeoutSeconds: null,
      keepWorkspace: false,
      signal,
    };
    const tried = await runProveSuite({ ...options, selected, readiness, jobs }, settings);
    const provable = catalogue.filter(
      ({ lanes, unplayable }) => lanes.includes(lane) && unplayable[lane] === undefined,
    );
    const proof = judgeProof(tried, {
      timestamp: new Date().toISOString(),
      harness_version: options.harnessVersion,
      catalogue: fingerprintCatalogue(catalogue),
      complete: provable.every(({ id }) => selected.some(({ scenario }) => scenario.id === id)),
      target: {
        kind: target.kind,
        version: target.version,
        ...(target.because !== undefined && { because: target.because }),
      },
      lane,
      interrupted: signal.aborted,
      foreign: options.foreign ?? false,
      seconds: (performance.now() - startedAt) / 1000,
    });
    return finish(proof, root);
  });
}

/** Refuses a named backend that is not ready, before the proof takes minutes. */
function refuseUnready(named: readonly BackendId[], readiness: ReadonlyMap<BackendId, Readiness>): void {
  const unready = named.flatMap((id) => readiness.get(id) ?? []).find(({ ready }) => !ready);
  if (unready === undefined) return;
  const { backend, reason, fix } = unready;
  throw new KnownError(`You named ${backend}, but it is not ready: ${reason ?? 'no reason is known'}.`, {
    ...(fix === null ? {} : { hint: fix }),
  });
}

/** Takes each scenario once, on the first of its backends that is ready. */
function chooseBackends(
  candidates: readonly Selected[],
  readiness: ReadonlyMap<BackendId, Readiness>,
): Selected[] {
  const chosen = new Map<string, Selected>();
  const isReady = ({ backend }: Selected) => readiness.get(backend)?.ready === true;
  for (const candidate of candidates) {
    const known = chosen.get(candidate.scenario.id);
    if (known === undefined || (!isReady(known) && isReady(candidate)))
      chosen.set(candidate.scenario.id, candidate);
  }
  return [...chosen.values()];
}
