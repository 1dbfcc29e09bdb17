import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROOF_FILES } from '../../src/domain/proof/proof.js';
import { judgeProof } from '../../src/domain/proof/totals.js';
import { readRunSummaries, readRunSummary } from '../../src/journal/summaries.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { summarizeRun } from '../../src/report/model/history.js';
import { fingerprintCatalogue } from '../../src/run/prove/sabotage.js';
import { findKnownProof } from '../../src/run/record-run.js';
import { createRunDir } from '../../src/workspace/runs/runs.js';
import { openWorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { journal } from '../report/support/journal.js';
import { tempFolder } from '../support/cli.js';

test('summaries of runs are read with further fields, and not in another format or torn', async () => {
  const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
  const summary = summarizeRun(buildReport(journal({ tests: [{ attempts: [{}] }] })));
  const written = {
    more: { ...summary, run_id: 'more', mood: 'sunny' },
    same: { ...summary, run_id: 'same' },
    other: { ...summary, format: 2, run_id: 'other' },
  };
  for (const content of [...Object.values(written).map((one) => JSON.stringify(one)), '{"format":']) {
    const run = await createRunDir(root);
    writeFileSync(join(run.path, 'summary.json'), content);
    if (content.includes('"other"')) expect(await readRunSummary(run.path)).toBeNull();
  }
  const { summaries, incompatible } = await readRunSummaries(root);
  expect(new Set(summaries.map(({ run_id }) => run_id))).toEqual(new Set(['more', 'same']));
  expect(incompatible.map(({ found }) => found)).toEqual(['summary.json 2']);
});

test('shards that were merged in the same folder are no runs of their own', async () => {
  const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
  const report = buildReport(journal({ tests: [{ attempts: [{}] }] }));
  const part = { index: 1, timestamp: 't', tests: 1, duration_seconds: 1, interrupted: false, resumed: 0 };
  const merged = { ...report, shards: [{ ...part, run_id: 'shard' }] };
  for (const [made, run_id] of [
    [report, 'shard'],
    [merged, 'merged'],
    [report, 'alone'],
  ] as const) {
    const { path } = await createRunDir(root);
    writeFileSync(join(path, 'summary.json'), JSON.stringify({ ...summarizeRun(made), run_id }));
  }
  const { summaries } = await readRunSummaries(root);
  expect(summaries.map(({ run_id }) => run_id).sort()).toEqual(['alone', 'merged']);
});

test('a proof is read with further fields, and not in another format', async () => {
  const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
  const judged = judgeProof([], {
    timestamp: 't',
    harness_version: '0.1.0',
    catalogue: fingerprintCatalogue([]),
    complete: true,
    target: { kind: 'real', version: '2.10.1' },
    lane: 'sim',
    interrupted: false,
    seconds: 1,
  });
  const proof = { ...judged, totals: { ...judged.totals, saboteurs: 1 } };
  const readAs = (content: object) => {
    writeFileSync(join(root.path, PROOF_FILES.json), JSON.stringify(content));
    return findKnownProof(root, { catalogue: [], harnessVersion: '0.1.0' });
  };
  expect(await readAs(judged)).toBeNull();
  for (const content of [proof, { ...proof, mood: 'sunny' }])
    expect(await readAs(content)).toMatchObject({ timestamp: 't', lane: 'sim' });
  expect(await readAs({ ...proof, format: 2 })).toMatchObject({ found: 'prove.json 2' });
});
