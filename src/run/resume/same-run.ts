import { isDeepStrictEqual } from 'node:util';
import { identifyTarget, type Planned, type Target } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, type Lane, testLabel } from '../../domain/vocabulary.js';
import { hashFile } from '../../exec/files/hash-file.js';
import type { Selected } from '../planned.js';
import { describePlanned, hashScenario } from '../planned.js';
import type { RunStarted } from './whole-journal.js';

/** Refuses a run that another version of ralph-e2e started: its checks may differ. */
export function requireSameHarness({ runId, harnessVersion }: RunStarted, own: string): void {
  if (harnessVersion === own) return;
  throw new KnownError(
    `Run ${runId} was started by ralph-e2e ${harnessVersion}: expected the same version, found ${own}.`,
    { hint: `Resume it with ralph-e2e ${harnessVersion}, or start a new run.` },
  );
}

/** Refuses a run whose folder was moved: its records name paths in the old place. */
export function requireSamePlace({ runId, environment }: RunStarted, folder: string): void {
  if (environment.workspace === folder) return;
  throw new KnownError(
    `Run ${runId} was made in ${environment.workspace}: expected it there, found it in ${folder}.`,
    { hint: 'Move it back, or start a new run.' },
  );
}

/** Refuses files that were changed since: other scenarios or known issues would give another verdict. */
export async function requireSameFiles({ runId, files = [] }: RunStarted): Promise<void> {
  const found = await Promise.all(
    files.map(async ({ path, sha256 }) => {
      const now = await hashFile(path).catch(() => null);
      return now === sha256 ? [] : [`${path} (${now === null ? 'not readable' : 'changed'})`];
    }),
  );
  const changed = found.flat();
  if (changed.length === 0) return;
  throw new KnownError(
    `Run ${runId} was started with other files: expected them as they were, found ${changed.join(', ')}.`,
    { hint: 'Bring back their old content, or start a new run.' },
  );
}

const PUT_BACK = 'Put that Ralph back, or start a new run.';

/** Refuses another file at the path of a real target, before anything starts it: a verdict is about one Ralph. */
export async function requireSameBinary({ runId, target }: RunStarted): Promise<void> {
  if (target.kind !== 'real') return;
  const sha256 = await hashFile(target.path).catch(() => null);
  if (sha256 === target.sha256) return;
  const found = sha256 === null ? 'no readable file' : `a file with SHA-256 ${sha256.slice(0, 16)}`;
  throw new KnownError(
    `Run ${runId} tests ${identifyTarget(target)}: expected it at ${target.path}, found ${found}.`,
    { hint: PUT_BACK },
  );
}

/** Refuses a target that calls itself something else than before. */
export function requireSameTarget({ runId, target }: RunStarted, found: Target): void {
  const [before, now] = [target, found].map(({ sha256: _, ...named }) => identifyTarget(named));
  if (before === now) return;
  throw new KnownError(
    `Run ${runId} tests ${identifyTarget(target)}: expected the same at ${target.path}, found ${identifyTarget(found)}.`,
    { hint: PUT_BACK },
  );
}

/** Finds the planned tests in the catalog, and refuses the run if any of them is not as it was. */
export function requireSamePlan(started: RunStarted, catalogue: readonly Scenario[]): Selected[] {
  const { runId, planned, lane } = started;
  const found = planned.map((test) => {
    const scenario = catalogue.find(({ id }) => id === test.scenarioId);
    const job = scenario && { scenario, backend: test.backend };
    return { test, job, same: job !== undefined && isSame(test, job, started) };
  });
  const changed = found.filter(({ same }) => !same);
  if (changed.length === 0) return found.flatMap(({ job }) => job ?? []);
  const names = changed.map(
    ({ test, job }) =>
      `${testLabel(test.scenarioId, test.backend)} (${job === undefined ? 'missing' : 'changed'})`,
  );
  throw new KnownError(
    `Run ${runId} has another catalog in the ${lane} lane: expected its ${planned.length} tests as they were, found ${list(names)}.`,
    { hint: 'Bring back the scenarios as they were, or start a new run.' },
  );
}

const SHOWN = 5;

function list(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function isSame(test: Planned, job: Selected, { target, lane, call }: RunStarted): boolean {
  const timeoutSeconds = call?.timeoutSeconds ?? null;
  const { hash: before, ...was } = test;
  const { hash: now, ...is } = describePlanned(job, { timeoutSeconds, target, lane });
  // The journal has no undefined values.
  if (!isDeepStrictEqual(was, JSON.parse(JSON.stringify(is)))) return false;
  return before === now || isUnsteady(job, lane, now);
}

/** Whether a scenario arranges something else each time. Then its hash says nothing. */
function isUnsteady({ scenario, backend }: Selected, lane: Lane, hash: string | undefined): boolean {
  return hashScenario(scenario, backend, lane).hash !== hash;
}

/**
 * Returns the readiness that the run started with. Refuses the run if a backend that it used is not the same any more; one
 * that it could not use stays unused.
 */
export function requireSameBackends(
  { runId, backends, companions }: RunStarted,
  now: ReadonlyMap<BackendId, Readiness>,
): Map<BackendId, Readiness> {
  const before = [...backends, ...companions];
  for (const { backend, ready, version } of before) {
    const found = now.get(backend);
    if (!ready || (found?.ready === true && found.version === version)) continue;
    const what = found?.ready === true ? `version ${found.version}` : (found?.reason ?? 'nothing');
    throw new KnownError(
      `Run ${runId} uses ${backend}: expected it ready${version === null ? '' : ` in version ${version}`}, found ${what}.`,
      {
        hint: `${found?.ready === true || !found?.fix ? 'Bring it back as it was' : found.fix}, or start a new run.`,
      },
    );
  }
  return new Map(before.map((readiness) => [readiness.backend, readiness]));
}
