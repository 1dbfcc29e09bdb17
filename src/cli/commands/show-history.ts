import { describeIncompatible } from '../../domain/common/formats.js';
import { KnownError } from '../../domain/common/known-error.js';
import { suggestNearest } from '../../domain/common/nearest.js';
import { listTestHistories, type TestHistory } from '../../domain/report/rates/test-history.js';
import { isNamed } from '../../domain/vocabulary.js';
import { readRunSummaries } from '../../journal/summaries.js';
import { printableJson } from '../../report/json.js';
import { renderHistoryList, renderHistoryOf } from '../../report/test-history.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';
import { openScreen, say } from '../screen.js';

/** How `show --history` prints. */
interface HistoryFlags {
  readonly format?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The width of a table where nobody knows that of the screen. */
const LOG_COLUMNS = 160;

/** Prints what the kept runs show about all tests, or about one. */
export async function showHistory(
  root: WorkspaceRoot,
  test: string | undefined,
  { format = 'terminal', json = false }: HistoryFlags,
): Promise<void> {
  if (format !== 'terminal')
    throw new KnownError(`--format ${format}: expected terminal with --history.`, {
      hint: '--json prints the figures.',
    });
  const { summaries, incompatible } = await readRunSummaries(root);
  for (const why of describeIncompatible(incompatible)) say(`Not read: ${why}\n`);
  const all = listTestHistories(summaries);
  const chosen = test === undefined ? all : chooseTest(all, test);
  if (chosen.length === 0)
    throw new KnownError('Expected a run that ended, found none: there is no history yet.', {
      hint: 'Run `ralph-e2e` first.',
    });
  const screen = openScreen({ json });
  if (json) screen.print(printableJson({ tests: chosen }));
  else {
    const columns = screen.people.columns || LOG_COLUMNS;
    screen.tell((test === undefined ? renderHistoryList : renderHistoryOf)(chosen, columns));
  }
}

function chooseTest(all: readonly TestHistory[], name: string): readonly TestHistory[] {
  const found = all.filter(({ scenario_id, backend }) => isNamed(name, scenario_id, backend));
  if (found.length > 0) return found;
  const ids = all.map(({ scenario_id }) => scenario_id);
  throw new KnownError(`--history ${name}: expected a test of a kept run, found none with this name.`, {
    hint: `${suggestNearest(name, ids)}\`ralph-e2e show --history\` lists them.`,
  });
}
