import { afterAll, describe, expect, test } from 'vitest';
import { findDifferences, renderDifference } from '../differential/compare.js';
import { CORPUS } from '../differential/corpus/index.js';
import { NORMALISATIONS } from '../differential/normalise.js';
import type { Observation } from '../differential/observe.js';
import { readRecorded, writeRecorded } from '../differential/recorded.js';
import { isForOthers, runCase } from '../differential/run-case.js';
import { requireProgram } from '../real/programs.js';

const RECORDS = process.env.UPDATE_RECORDED === '1';
if (RECORDS && process.env.CI)
  throw new Error('expected UPDATE_RECORDED on a machine of a person, found CI: unset one of the two');

describe('the real ralph does what was recorded', () => {
  const answers = new Map<string, Observation>();

  afterAll(() => {
    if (RECORDS) writeRecorded(CORPUS, answers);
    const rows = NORMALISATIONS.map(({ field, because }) => `  ${field} (${because})`);
    console.log([`${CORPUS.length} cases. Not compared as they stand:`, ...rows].join('\n'));
  });

  // Not `each`, which shortens names: they are what `-t` picks by.
  for (const testCase of CORPUS) {
    test.concurrent(testCase.name, { skip: isForOthers(testCase) }, async () => {
      const real = await runCase(testCase, { ralph: requireProgram('ralph') });
      expect(real.exit).not.toContain('still running');
      if (testCase.log !== undefined && real.log?.length === 0)
        expect.fail(`expected log lines that match ${testCase.log}, found none: nothing is compared`);
      if (RECORDS) return void answers.set(testCase.name, real);
      const differences = findDifferences(readRecorded(testCase), real);
      if (differences.length > 0)
        expect.fail(`\n  ${differences.map((one) => renderDifference(one, 'real')).join('\n  ')}`);
    });
  }
});
