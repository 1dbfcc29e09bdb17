import { expect, test } from 'vitest';
import { coverage, describeCoverage } from '../../../src/agent/engine/coverage.js';
import { parseScript } from '../../../src/agent/script/parse.js';

test('coverage tells what was not answered and what was never used', () => {
  const { script } = parseScript(
    'rules: [{ on: a, say: b, turns: [{ on: c, say: d }, { on: e, say: f }] }, { on: g, say: h }]',
    { format: 'yaml' },
  );
  const open = coverage(script, [
    { outcome: 'played', place: { kind: 'rule', rule: 0 } },
    { outcome: 'played', place: { kind: 'turn', rule: 0, turn: 0 } },
    { outcome: 'no-match', place: null, detail: 'why' },
    { outcome: 'not-a-prompt', place: null },
  ]);
  expect(open.unused.map(({ place }) => place)).toEqual([
    { kind: 'turn', rule: 0, turn: 1 },
    { kind: 'rule', rule: 1 },
  ]);
  expect(describeCoverage(open)).toEqual([
    'not answered: why',
    'never used: response[0].turn[1] (on prompt "a")',
    'never used: response[1] (on prompt "g")',
  ]);
  expect(describeCoverage(coverage({ ...script, rules: [] }, []))).toEqual([]);
});
