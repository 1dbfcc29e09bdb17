import { join } from 'node:path';
import type { JournalEvent } from '../../domain/journal.js';
import type { Report, ReportResult } from '../../domain/report/report.js';

type RunFinished = Extract<JournalEvent, { type: 'run-finished' }>;

/** Returns the paths of the workspaces that were in the folder at the end of a run. */
export function placeWorkspaces(
  finished: RunFinished | undefined,
  folder: string,
): Report['kept_workspaces'] {
  const { own = [], earlier = [] } = finished?.workspaces ?? {};
  const place = (name: string) => join(folder, name);
  return { own: own.map(place), earlier: earlier.map(place) };
}

/** Forgets the workspaces that another run removed before this one was resumed. */
export function forgetRemoved(
  results: readonly ReportResult[],
  finished: RunFinished | undefined,
  folder: string,
): ReportResult[] {
  if (finished?.workspaces === undefined) return [...results];
  const { own } = placeWorkspaces(finished, folder);
  return results.map((result) =>
    result.workspace === null || own.includes(result.workspace) ? result : { ...result, workspace: null },
  );
}
