import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeRuns } from '../../src/blob/merge.js';
import type { RepeatPlan } from '../../src/domain/options/repeat-plan.js';
import { makeReport } from '../../src/harness/harness.js';
import type { AttemptFields } from '../report/support/journal.js';
import { tempFolder } from '../support/cli.js';
import { writePart } from './support/archive.js';

const PASSED: AttemptFields = { outcome: 'passed' };
const FAILED: AttemptFields = { outcome: 'failed', checks: [{ passed: false }] };
const ERROR: AttemptFields = { outcome: 'error', error: 'the disk is full' };
const NOBODY: AttemptFields = {
  ...FAILED,
  fault: { whose: 'infrastructure', because: ['HTTP 429'], trouble: 'rate-limit' },
};

/** Two shards that both ran the connect scenario of their backend. Returns how it came out in the merged run. */
async function outcomeOf(
  first: readonly AttemptFields[],
  second: readonly AttemptFields[],
  repeat?: RepeatPlan,
): Promise<string | undefined> {
  const folder = tempFolder();
  const blobs = await Promise.all(
    [first, second].map((attempts, at) =>
      writePart(join(folder, String(at)), {
        ...{
          index: at + 1,
          also: ['test-1'],
          gates: ['test-1'],
          failed: [],
          attempts: { 'test-1': attempts },
        },
        run: { lane: 'live', ...(repeat === undefined ? {} : { repeat }) },
      }),
    ),
  );
  const call = { blobs, output: join(folder, 'merged'), program: [], startedIn: folder };
  const records = await mergeRuns(call, async (run) => run.records);
  const result = makeReport(records).results.find(({ scenario_id }) => scenario_id === 'test-1');
  return result?.fault ? `${result.outcome}: ${result.fault.whose}` : result?.outcome;
}

const thrice = (...attempts: readonly AttemptFields[]) =>
  attempts.map((fields, at) => ({ ...fields, attempt: at + 1, repeat: at + 1 }));

describe('of a test that several shards ran, the worst result of the whole test counts:', () => {
  test.each<[string, readonly AttemptFields[], readonly AttemptFields[]]>([
    ['failed', [FAILED, PASSED], [FAILED, FAILED]],
    ['failed', [NOBODY, PASSED], [FAILED, FAILED]],
    ['failed', [NOBODY, NOBODY], [FAILED, FAILED]],
    ['failed: infrastructure', [ERROR], [NOBODY, NOBODY]],
    ['failed', [ERROR], [FAILED, FAILED]],
    ['error', [FAILED, PASSED], [ERROR]],
    ['flaky', [PASSED], [FAILED, PASSED]],
  ])('%s', async (worst, one, other) => {
    expect(await outcomeOf(one, other)).toBe(worst);
    expect(await outcomeOf(other, one)).toBe(worst);
  });

  test('with a threshold, one failed repeat of three is better than three', async () => {
    const plan = { times: 3, threshold: 0.5 };
    const [good, bad] = [thrice(FAILED, PASSED, PASSED), thrice(FAILED, FAILED, FAILED)];
    expect(await outcomeOf(good, bad, plan)).toBe('failed');
    expect(await outcomeOf(bad, good, plan)).toBe('failed');
  });
});
