import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversation } from '../../../src/domain/scenario/scenario.js';
import { openJournal } from '../../../src/journal/writer.js';
import { findLastFailed } from '../../../src/run/select/last-failed.js';
import { createRunDir } from '../../../src/workspace/runs/runs.js';
import { openWorkspaceRoot } from '../../../src/workspace/workspace-root.js';
import { journal } from '../../report/support/journal.js';
import { tempFolder } from '../../support/cli.js';

const STAND_IN = { kind: 'stand-in', path: '/standin/ralph', version: '2.10.1' } as const;

const define = (id: string, change: Partial<Parameters<typeof conversation>[0]> = {}) =>
  conversation({
    ...{ id, tier: 8, priority: 'must', phase: 'green', description: '', covers: [] },
    arrange: () => ({ turns: [] }),
    expect: () => [],
    agent: [],
    ...change,
  });

test('takes what failed and what was skipped, but not what can never run in this lane or on the stand-in', async () => {
  const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
  const writer = openJournal(await createRunDir(root));
  const events = journal({
    run: { lane: 'sim', target: STAND_IN },
    tests: [
      { scenarioId: 'fine', attempts: [{}] },
      { scenarioId: 'broken', attempts: [{ outcome: 'failed', checks: [{ passed: false }] }] },
      { scenarioId: 'not-ready', skipped: 'needs sh, which is not on PATH' },
      { scenarioId: 'beyond', skipped: 'needs a real ralph' },
      { scenarioId: 'unplayable', skipped: 'it has a server' },
    ],
  });
  for (const event of events) writer.append(event);
  await writer.close();
  const scenarios = [
    ...['fine', 'broken', 'not-ready'].map((id) => define(id)),
    define('beyond', { beyondStandIn: 'waves' }),
    define('unplayable', { unplayable: { sim: 'it has a server' } }),
  ];
  const candidates = scenarios.map((scenario) => ({ scenario, backend: 'claude' as const }));
  const { open } = await findLastFailed(root, { lane: 'sim', target: STAND_IN, candidates });
  expect([...open.keys()]).toEqual(['broken on claude', 'not-ready on claude']);
});
