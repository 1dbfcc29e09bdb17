import { expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { type Result, readResults } from '../../scripts/mutants/results.mjs';

/** The others show in a check on what follows, such as the end of the loop. */
const LEAST_SHARE = 0.94;

test('the check that noticed a mutant nearly always holds a promise that names the file', () => {
  const all = readResults('tests/mutants/results.json')?.mutants ?? [];
  const noticed = all.filter(({ set, status }) => set === 'own' && status === 'noticed');
  const missed = noticed.filter((mutant) => !placesOf(mutant).some((place) => place.includes(mutant.file)));
  const list = missed.map(({ id, test: by, check }) => `${id}: ${by}: ${check}`).join('\n');
  expect(1 - missed.length / noticed.length, list).toBeGreaterThan(LEAST_SHARE);
});

/** Where Ralph decides what the noticing check holds it to. */
function placesOf({ test: by, check }: Result): readonly string[] {
  const scenario = catalogue.find(({ id }) => by?.startsWith(`${id} [`));
  return scenario?.promises[check ?? '']?.map(({ source }) => source) ?? [];
}
