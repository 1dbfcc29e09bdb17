import { describe, expect, it } from 'vitest';
import { findCauses } from '../../../src/domain/report/causes.js';
import type { ComparedResult } from '../../../src/domain/report/comparable.js';

const result = (scenario_id: string, fields: Partial<ComparedResult>): ComparedResult => ({
  scenario_id,
  backend: 'claude',
  outcome: 'failed',
  inconclusive: false,
  duration_seconds: 1,
  harness_seconds: null,
  scenario_hash: null,
  skip_reason: null,
  error: null,
  repeats: null,
  assertions: [],
  context: null,
  ...fields,
});

/** A result with failed checks: what each says, and what it received. */
const broken = (scenario_id: string, ...failed: readonly (readonly [name: string, actual: string])[]) =>
  result(scenario_id, {
    assertions: failed.map(([name, actual]) => ({ name, about: { text: name }, actual, passed: false })),
  });

/** Results that passed, with one check each; a hundred more make words mean something. */
const passing = (...names: readonly string[]) =>
  [...names, ...Array.from({ length: 100 }, () => 'the loop completes')].map((name) =>
    result('fine', {
      outcome: 'passed',
      assertions: [{ name, about: { text: name }, actual: '', passed: true }],
    }),
  );

/** The scenarios of each group, with the word or the check that they share. */
function groupsOf(failed: readonly ComparedResult[], others: readonly ComparedResult[] = []) {
  const groups = new Map<string, string[]>();
  for (const [{ scenario_id, backend }, { key, word, check }] of findCauses(failed, [...failed, ...others])) {
    const shown = word ?? check?.name.replace(/\d/g, 'N') ?? key;
    groups.set(shown, [...(groups.get(shown) ?? []), backend === 'claude' ? scenario_id : backend]);
  }
  return Object.fromEntries(groups);
}

describe('broken tests belong together', () => {
  it('if a later check says and received the same, although the first ones differ', () => {
    expect(
      groupsOf([
        broken('a', ['the loop completes', 'exit code 1'], ['the first iteration is number 2', '1']),
        broken('b', ['the loop ends', 'exit code 2'], ['the first iteration is number 3', '1, 2, 3']),
        broken('c', ['the first iteration is number 4', '1']),
        broken('d', ['the loop completes', 'exit code 9']),
      ]),
    ).toEqual({ 'the first iteration is number N': ['a', 'b', 'c'], 'the loop completes': ['d'] });
  });

  it('not if later checks only are of one kind', () => {
    const missing = (text: string) => [`the prompt contains "${text} is here"`, 'no such prompt'] as const;
    expect(
      groupsOf([
        broken('a', ['the loop completes', 'x'], missing('This')),
        broken('b', ['a file is there', 'y'], missing('That')),
      ]),
    ).toEqual({ 'the loop completes': ['a'], 'a file is there': ['b'] });
  });

  it('if they mention a word that no passed check mentions, also as a part of another word', () => {
    expect(
      groupsOf(
        [
          broken('a', ['calls/plan-forge.txt is there', 'no such file']),
          broken('b', ['"init" prints /\\nforge\\b, amp/', 'nothing']),
          broken('c', ['"init" prints amp', 'nothing']),
        ],
        passing('"init" prints codex', 'calls/plan-codex.txt is there'),
      ),
    ).toEqual({ forge: ['a', 'b'], '"init" prints amp': ['c'] });
  });

  it.each([
    ['a passed check mentions it, too', passing('calls to forge are there')],
    ['hardly any check passed', passing().slice(0, 9)],
  ])('not by a word if %s', (_why, others) => {
    const failed = [broken('a', ['forge is listed', 'x']), broken('b', ['forge is called', 'y'])];
    expect(groupsOf(failed, others)).toEqual({ 'forge is listed': ['a'], 'forge is called': ['b'] });
  });

  it('not by a word if one scenario mentions it on several backends', () => {
    const twice = [
      broken('a', ['forge is listed', 'as claude']),
      { ...broken('a', ['forge is listed', 'as kiro']), backend: 'kiro' },
    ];
    const causes = [...findCauses(twice, [...twice, ...passing()]).values()];
    expect(causes.map(({ word }) => word)).toEqual([null, null]);
    expect(new Set(causes.map(({ key }) => key)).size).toBe(2);
  });

  it('if they end with the same error, apart from numbers', () => {
    const failed = [result('a', { error: 'port 1 is taken' }), result('b', { error: 'port 22 is taken' })];
    expect(groupsOf(failed)).toEqual({ 'port N is taken': ['a', 'b'] });
  });
});
