import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findDifferences, renderDifference } from './compare.js';
import { CORPUS } from './corpus/index.js';
import { readRecorded } from './recorded.js';
import { isForOthers, runCase } from './run-case.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

describe('the stand-in does what the real ralph did', () => {
  // Not `each`, which shortens names: they are what `-t` picks by.
  for (const testCase of CORPUS) {
    test.concurrent(testCase.name, { skip: isForOthers(testCase) }, async () => {
      const recorded = readRecorded(testCase);
      const standIn = await runCase(testCase, { ralph: STAND_IN });
      const differences = findDifferences(recorded, standIn);
      if (differences.length > 0)
        expect.fail(`\n  ${differences.map((one) => renderDifference(one, 'stand-in')).join('\n  ')}`);
    });
  }
});
