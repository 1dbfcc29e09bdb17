import { readFile } from 'node:fs/promises';
import { parseJournal } from '../domain/journal.js';
import { KnownError } from '../domain/known-error.js';
import { listRuns } from '../workspace/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { journalPath } from './journal-writer.js';
import { executionKey } from './select.js';

/** What failed or was not run in the latest run that got as far as planning. */
export async function findLastFailed(root: WorkspaceRoot): Promise<ReadonlySet<string>> {
  for (const run of (await listRuns(root)).reverse()) {
    const text = await readFile(journalPath(run), 'utf8').catch(() => '');
    const { events } = parseJournal(text);
    const planned = events.flatMap((event) => (event.type === 'run-started' ? event.planned : []));
    if (planned.length === 0) continue;
    const open = new Set(planned.map(({ scenarioId, backend }) => executionKey(scenarioId, backend)));
    for (const event of events) {
      if (event.type !== 'attempt-finished') continue;
      const key = executionKey(event.scenarioId, event.backend);
      if (event.outcome === 'passed') open.delete(key);
      else open.add(key);
    }
    return open;
  }
  throw new KnownError(`--last-failed: expected an earlier run in ${root.path}, found none.`, {
    hint: 'Run once without --last-failed.',
  });
}
