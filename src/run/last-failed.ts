import { readFile } from 'node:fs/promises';
import { type JournalEvent, parseJournal } from '../domain/journal.js';
import { KnownError } from '../domain/known-error.js';
import { listRuns, type RunDir } from '../workspace/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { journalPath } from './journal-writer.js';
import { executionKey } from './select.js';

/** What failed or was not run when it was last asked for, over all runs that are kept. */
export async function findLastFailed(root: WorkspaceRoot): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  let planned = 0;
  for (const run of await listRuns(root)) {
    for (const event of await readEvents(run)) {
      if (event.type === 'run-started') {
        planned += event.planned.length;
        for (const { scenarioId, backend } of event.planned) open.add(executionKey(scenarioId, backend));
      } else if (event.type === 'attempt-finished') {
        const key = executionKey(event.scenarioId, event.backend);
        if (event.outcome === 'passed' || event.outcome === 'known-issue') open.delete(key);
        else open.add(key);
      }
    }
  }
  if (planned > 0) return open;
  throw new KnownError(`--last-failed: expected an earlier run in ${root.path}, found none.`, {
    hint: 'Run once without --last-failed.',
  });
}

/** A journal that is missing or of another version tells nothing; the others still do. */
async function readEvents(run: RunDir): Promise<JournalEvent[]> {
  try {
    return parseJournal(await readFile(journalPath(run), 'utf8')).events;
  } catch {
    return [];
  }
}
