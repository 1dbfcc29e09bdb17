import { join } from 'node:path';
import type { AttemptFinished } from '../domain/attempt.js';
import type { Evidence } from '../domain/evidence/evidence.js';
import type { JournalEvent } from '../domain/journal.js';
import type { RunDir } from '../workspace/runs/runs.js';
import { splitBlobPath } from './format.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;
type WithFolder = Pick<AttemptFinished, 'scenarioId' | 'backend' | 'artifacts'>;

/** Returns the folder of an attempt, relative to its run; null if the record names another one. */
export function findOwnFolder(
  started: RunStarted,
  { scenarioId, backend, artifacts }: WithFolder,
): string | null {
  const own = `${folderOf(started)}/${scenarioId}-${backend}/`;
  const attempt = artifacts.startsWith(own) ? artifacts.slice(own.length) : '';
  const folder = `${scenarioId}-${backend}/${attempt}`;
  return splitBlobPath(`${folder}/stdout.txt`) === null ? null : folder;
}

/** Makes a record name the folders of the merged run. Workspaces stay on the machine that made them. */
export function movePaths(event: JournalEvent, started: RunStarted, run: RunDir): JournalEvent {
  switch (event.type) {
    case 'attempt-finished': {
      const artifacts = join(run.path, findOwnFolder(started, event) ?? '');
      const evidence = event.evidence && moveCaptured(event.evidence, folderOf(started), { artifacts, run });
      return { ...event, artifacts, evidence, workspace: null };
    }
    case 'cause-examined':
    case 'baseline-finished':
      return { ...event, artifacts: join(run.path, findOwnFolder(started, event) ?? '') };
    default:
      return event;
  }
}

function moveCaptured(
  evidence: Evidence,
  from: string,
  { artifacts, run }: { readonly artifacts: string; readonly run: RunDir },
): Evidence {
  const move = (path: string, usual: string) => {
    const inside = path.startsWith(`${from}/`) ? path.slice(from.length + 1) : '';
    return splitBlobPath(inside) === null ? join(artifacts, usual) : join(run.path, inside);
  };
  return {
    ...evidence,
    stdout: { ...evidence.stdout, path: move(evidence.stdout.path, 'stdout.txt') },
    stderr: { ...evidence.stderr, path: move(evidence.stderr.path, 'stderr.txt') },
  };
}

function folderOf({ environment, runId }: RunStarted): string {
  return `${environment.workspace}/runs/${runId}`;
}
