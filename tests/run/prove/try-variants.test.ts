import { describe, expect, test } from 'vitest';
import { judgeProof } from '../../../src/domain/proof/totals.js';
import type { TriedScenario, TriedVariant } from '../../../src/domain/proof/tried.js';
import { sampleContext } from '../../../src/domain/scenario/sample-context.js';
import type { VariantName } from '../../../src/domain/scenario/variants.js';
import { planVariants, tryBundle, type VariantDraft } from '../../../src/run/prove/try-variants.js';
import { shout } from './support.js';

describe('a bundle of honest variants', () => {
  test('runs once if everything stays green', async () => {
    const { plays, verdicts } = await tryAll(() => []);
    expect(plays).toEqual(['bold, preface, newline']);
    expect(verdicts).toEqual({ bold: 'tolerated', preface: 'tolerated', newline: 'tolerated' });
  });

  test('that is red once and green when it is played again is not split', async () => {
    const { plays, proof } = await tryAll((_, again) => (again ? [] : [0]));
    expect(plays).toEqual(['bold, preface, newline', 'bold, preface, newline again']);
    expect(proof.variants.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['tolerated', 'only when it was played again'],
      ['tolerated', 'only when it was played again'],
      ['tolerated', 'only when it was played again'],
    ]);
  });

  test('names the variant that is red alone', async () => {
    const { proof } = await tryAll((names) => (names.includes('preface') ? [1] : []));
    expect(proof.variants).toMatchObject([
      { name: 'bold', verdict: 'tolerated' },
      { name: 'preface', verdict: 'refused', broken: ['second'] },
      { name: 'newline', verdict: 'tolerated' },
    ]);
  });

  test('reports what is red only together', async () => {
    const { proof } = await tryAll((names) => (names.length > 1 ? [1] : []));
    expect(proof.variants).toMatchObject([
      {
        name: 'bold',
        verdict: 'refused',
        broken: ['second'],
        reason: 'together with preface, newline: second',
      },
      { name: 'preface', verdict: 'tolerated' },
      { name: 'newline', verdict: 'tolerated' },
    ]);
  });

  test('reports what is red only together beside what one is red for alone', async () => {
    const { proof } = await tryAll((names) => [
      ...(names.includes('newline') ? [0] : []),
      ...(names.length > 1 ? [1] : []),
    ]);
    expect(proof.variants).toMatchObject([
      { name: 'bold', verdict: 'refused', broken: ['second'] },
      { name: 'preface', verdict: 'tolerated' },
      { name: 'newline', verdict: 'refused', broken: ['first'] },
    ]);
  });

  test.each([1, 2, 3, 5])('leaves no verdict red or green if it is interrupted in run %i', async (last) => {
    const { verdicts } = await tryAll(() => [0], last);
    const untried = Object.values(verdicts).filter((verdict) => verdict === 'not-tried');
    expect(untried.length).toBeGreaterThan(0);
    expect(Object.values(verdicts)).not.toContain('tolerated');
  });
});

describe('exempt variants', () => {
  test('must change something in the scenario', () => {
    const idle = shout({ exempt: { notebook: 'no notes, please' } });
    expect(() => planVariants(idle, sampleContext('claude', 'sim'))).toThrow(
      'shout: `exempt` names the variant "notebook", which would change nothing here.',
    );
  });

  test.each([
    [1, 20, true],
    [2, 20, false],
  ])('%i of %i pairs', (exempt, pairs, passed) => {
    const variants = Array.from({ length: pairs }, (_, place) =>
      draft('bold', {
        run: { green: [true, true], error: null, artifacts: null, processes: 0 },
        skip: place < exempt ? { verdict: 'exempt', reason: 'a reason' } : null,
      }),
    );
    const idle = Array.from({ length: 100 }, () =>
      draft('code', { skip: { verdict: 'idle', reason: 'the agent would do the same' } }),
    );
    expect(judgeProof([scenarioWith([...variants, ...idle])], FACTS).passed).toBe(passed);
  });
});

const FACTS = {
  timestamp: '2026-01-01T00:00:00Z',
  harness_version: '0.1.0',
  catalogue: 'abc',
  complete: true,
  target: { kind: 'stand-in', version: '2.10.1' },
  lane: 'sim',
  interrupted: false,
  foreign: true,
  seconds: 1,
} as const;

/** Plays three variants; `red` says which checks fail in a run. With `last`, the run after it is interrupted. */
async function tryAll(red: (names: readonly VariantName[], again: boolean) => number[], last?: number) {
  const group = [draft('bold'), draft('preface'), draft('newline')];
  const plays: string[] = [];
  await tryBundle(group, scenarioWith([]), async (names, again = false) => {
    plays.push(`${names.join(', ')}${again ? ' again' : ''}`);
    if (last !== undefined && plays.length >= last) return null;
    const broken = red(names, again);
    return {
      green: [0, 1].map((place) => !broken.includes(place)),
      error: null,
      artifacts: null,
      processes: 1,
    };
  });
  const [proof] = judgeProof([scenarioWith(group)], FACTS).scenarios;
  if (proof === undefined) throw new Error('no scenario was judged');
  return {
    plays,
    proof,
    verdicts: Object.fromEntries(proof.variants.map(({ name, verdict }) => [name, verdict])),
  };
}

function draft(name: VariantName, fields: Partial<TriedVariant> = {}): VariantDraft {
  return { skip: null, run: null, processes: 0, together: null, flaky: false, ...fields, name };
}

function scenarioWith(variants: readonly TriedVariant[]): TriedScenario {
  const check = { kind: 'completed', guard: 'not in this test', common: true };
  return {
    id: 'a-scenario',
    backend: 'claude',
    covers: [],
    checks: [
      { ...check, key: 'first', name: 'first' },
      { ...check, key: 'second', name: 'second' },
    ],
    knownIssue: null,
    oracle: {
      outcome: 'passed',
      reason: null,
      green: [true, true],
      seconds: 1,
      processes: 2,
      artifacts: null,
    },
    trials: [],
    made: [],
    variants,
    unasked: [],
  };
}
