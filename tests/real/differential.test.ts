import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { findDifferences, renderDifference } from '../differential/compare.js';
import { CORPUS } from '../differential/corpus/index.js';
import { NORMALISATIONS } from '../differential/normalise.js';
import { runCase } from '../differential/run-case.js';
import { requireProgram } from './programs.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

describe('the stand-in does what the real ralph does', () => {
  afterAll(() => {
    const rows = NORMALISATIONS.map(({ field, because }) => `  ${field} (${because})`);
    const known = CORPUS.flatMap(({ name, knownDifference }) =>
      knownDifference === undefined ? [] : [`  ${name} (${knownDifference})`],
    );
    console.log([`${CORPUS.length} cases on both. Not compared as they stand:`, ...rows].join('\n'));
    console.log([`Known differences: ${known.length}`, ...known].join('\n'));
  });

  // Not `each`, which shortens names: they are what `-t` picks by.
  for (const testCase of CORPUS) {
    test.concurrent(testCase.name, async () => {
      const [real, standIn] = await Promise.all([
        runCase(testCase, { ralph: requireProgram('ralph') }),
        runCase(testCase, { ralph: STAND_IN }),
      ]);
      if (testCase.log !== undefined && real.log?.length === 0)
        expect.fail(`expected log lines that match ${testCase.log}, found none: nothing is compared`);
      const differences = findDifferences(real, standIn);
      const expected = testCase.knownDifference;
      if (expected === undefined && differences.length > 0)
        expect.fail(`\n  ${differences.map(renderDifference).join('\n  ')}`);
      if (expected !== undefined && differences.length === 0)
        expect.fail(`expected the known difference (${expected}), found none: take \`knownDifference\` away`);
    });
  }
});
