import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeScenario } from '../../../src/domain/proof/judge.js';
import { type Proof, proofSchema } from '../../../src/domain/proof/proof.js';
import { judgeProof } from '../../../src/domain/proof/totals.js';
import type { Trial, TrialRun, TriedScenario } from '../../../src/domain/proof/tried.js';

/** Two own checks and one of every scenario. `red` has the places of the checks that a trial made fail. */
function tried(trials: Trial[], fields: Partial<TriedScenario> = {}): TriedScenario {
  return {
    id: 'a-scenario',
    backend: 'claude',
    covers: ['FR1'],
    checks: [
      { key: 'completed', kind: 'completed', name: 'the loop completes', guard: null, common: false },
      {
        key: 'fileEquals',
        kind: 'fileEquals',
        name: 'a.txt has the expected content',
        guard: null,
        common: false,
      },
      {
        key: 'nothingLeftBehind',
        kind: 'nothingLeftBehind',
        name: 'no process is left behind',
        guard: null,
        common: true,
      },
    ],
    knownIssue: null,
    oracle: oracle(),
    trials,
    made: [],
    variants: [],
    unasked: [],
    ...fields,
  };
}

function oracle(fields: Partial<TriedScenario['oracle']> = {}): TriedScenario['oracle'] {
  return {
    outcome: 'passed',
    reason: null,
    green: [true, true, true],
    seconds: 1,
    processes: 2,
    artifacts: null,
    ...fields,
  };
}

function own(name: string, red: number[], kills: string[], fields: Partial<Trial> = {}): Trial {
  return {
    name,
    origin: 'own',
    breaks: 'agent',
    kills,
    failure: 'EventMissing',
    excuse: null,
    skip: null,
    run: run(red),
    ...fields,
  };
}

function builtIn(name: string, red: number[]): Trial {
  return { ...own(name, red, []), origin: 'built-in', failure: null };
}

function run(red: number[], fields: Partial<TrialRun> = {}): TrialRun {
  const green = [0, 1, 2].map((place) => !red.includes(place));
  return {
    green,
    error: null,
    harmless: null,
    diagnosed: 'EventMissing',
    fault: null,
    seconds: 1,
    processes: 3,
    artifacts: null,
    ...fields,
  };
}

const FACTS = {
  timestamp: '2026-01-20T14:30:00.000Z',
  harness_version: '0.1.0',
  catalogue: 'abc',
  complete: true,
  target: { kind: 'stand-in', version: '2.10.1' },
  lane: 'sim',
  interrupted: false,
  seconds: 9,
} as const;

const prove = (
  one: TriedScenario,
  facts: Partial<typeof FACTS | { complete: boolean; interrupted: boolean; foreign: boolean }> = {},
): Proof => judgeProof([one], { ...FACTS, ...facts });

/** A scenario in which everything is as it should be. */
const SOUND = [
  builtIn('parrot', [0, 1]),
  own('stops', [0], ['completed']),
  own('writes nothing', [1], ['fileEquals']),
  own('leaks', [2], ['nothingLeftBehind']),
];

const states = (one: TriedScenario) => judgeScenario(one).checks.map(({ state }) => state);

describe('a check', () => {
  it('is proved by a saboteur of the scenario that leaves another check green', () => {
    expect(states(tried([own('stops', [0], [])]))).toEqual(['proved', 'unkilled']);
  });

  it('is not proved where everything is red, even if the common checks are green', () => {
    expect(states(tried([own('breaks everything', [0, 1], [])]))).toEqual(['unkilled', 'unkilled']);
  });

  it('is not proved by a built-in saboteur', () => {
    expect(states(tried([builtIn('parrot', [0])]))).toEqual(['unkilled', 'unkilled']);
  });

  describe('that changed evidence makes fail alone', () => {
    const made = [{ name: 'the loop ends otherwise', green: [false, true, true] }];
    const leftOut = { verdict: 'left-out', reason: 'real ralph' } as const;

    it.each<[string, Trial[], ReturnType<typeof states>]>([
      ['is proved if a built-in saboteur reaches it', [builtIn('parrot', [0, 1])], ['proved', 'unkilled']],
      ['is not proved if no run reaches it', [builtIn('parrot', [1])], ['unkilled', 'unkilled']],
      [
        'is open if what could reach it was left out',
        [{ ...builtIn('silent-ralph', []), skip: leftOut, run: null }],
        ['open', 'unkilled'],
      ],
    ])('%s', (_what, trials, found) => {
      expect(states(tried(trials, { made }))).toEqual(found);
    });

    it('is not proved if the change turns everything red', () => {
      const all = [{ name: 'nothing is there', green: [false, false, true] }];
      expect(states(tried([builtIn('parrot', [0, 1])], { made: all }))).toEqual(['unkilled', 'unkilled']);
    });

    it('is counted apart from those that a saboteur of its own made fail', () => {
      const one = tried([...SOUND.slice(1), builtIn('parrot', [0, 1])], { made });
      expect(prove(one).totals).toMatchObject({ proved: 2, proved_by_change: 0 });
      expect(prove(tried([builtIn('parrot', [0, 1])], { made })).totals).toMatchObject({
        proved: 1,
        proved_by_change: 1,
      });
    });
  });

  it('is not proved by a run that was not what it should be', () => {
    const trials = [
      own('fault did not bite', [0], [], { run: run([0], { harmless: 'never came to bear' }) }),
      own('harness broke', [0], [], { run: run([0], { error: 'disk full' }) }),
    ];
    expect(states(tried(trials))).toEqual(['unkilled', 'unkilled']);
  });

  it('that the target breaks anyway is neither proved nor unkilled', () => {
    const broken = oracle({ outcome: 'known-issue', green: [false, true, true] });
    const one = tried([own('stops', [0], ['completed'])], { oracle: broken, knownIssue: 'it never ends' });
    expect(judgeScenario(one).checks[0]).toMatchObject({
      state: 'known-issue',
      reason: 'it never ends',
      killed_by: [],
    });
  });

  it('is open if the saboteur that names it was not tried', () => {
    const leftOut = { verdict: 'left-out', reason: 'real ralph' } as const;
    const one = tried([
      own('stops', [], ['completed'], { skip: leftOut, run: null }),
      own('interrupted', [], ['fileEquals'], { run: null }),
    ]);
    expect(states(one)).toEqual(['open', 'open']);
    expect(states(tried([own('other', [], ['fileEquals'], { skip: leftOut, run: null })]))).toEqual([
      'unkilled',
      'open',
    ]);
  });

  it('with a reason to be a guard is a guard only while nothing proves it', () => {
    const checks = tried([]).checks.map((check) => ({ ...check, guard: 'no way to break it' }));
    expect(states(tried([own('stops', [0], [])], { checks }))).toEqual(['proved', 'guard']);
  });

  it('is open if the scenario fails without a saboteur', () => {
    const one = tried([own('stops', [], ['completed'], { run: null })], {
      oracle: oracle({ outcome: 'failed' }),
    });
    expect(states(one)).toEqual(['open', 'open']);
  });
});

describe('a saboteur', () => {
  const verdictOf = (trial: Trial, fields: Partial<TriedScenario> = {}) =>
    judgeScenario(tried([trial], fields)).saboteurs[0];

  it.each<[string, Trial, object]>([
    [
      'that is noticed as it says',
      own('x', [0, 1], ['completed', 'fileEquals']),
      { verdict: 'noticed', missed: [], killed: ['the loop completes', 'a.txt has the expected content'] },
    ],
    ['that only a common check notices', builtIn('late', [2]), { verdict: 'noticed' }],
    ['that nothing notices', builtIn('parrot', []), { verdict: 'survived' }],
    [
      'one of whose checks stays green',
      own('x', [0], ['completed', 'fileEquals']),
      { verdict: 'missed', missed: ['"a.txt has the expected content" still passed'] },
    ],
    [
      'that names a check that is not there',
      own('x', [0], ['eventEmitted']),
      { verdict: 'missed', missed: ['names a check that does not exist: "eventEmitted"'] },
    ],
    [
      'that misspells a check',
      own('x', [0], ['complete']),
      {
        verdict: 'missed',
        missed: ['names a check that does not exist: "complete"; did you mean completed?'],
      },
    ],
    [
      'that the harness could not carry out',
      own('x', [0], [], { run: run([0], { error: 'disk full' }) }),
      { verdict: 'ineffective', reason: 'could not run: disk full' },
    ],
    [
      'whose fault did not bite',
      own('x', [0], [], { run: run([0], { harmless: 'never' }) }),
      { verdict: 'ineffective', reason: 'never' },
    ],
    ['that was not run', own('x', [], [], { run: null }), { verdict: 'not-tried' }],
  ])('%s', (_what, trial, found) => {
    expect(verdictOf(trial)).toMatchObject(found);
  });

  const issue = {
    oracle: oracle({ outcome: 'known-issue', green: [false, true, true] }),
    knownIssue: 'x',
  } as const;

  it('is masked by a known issue that breaks all it names', () => {
    expect(verdictOf(own('x', [0], ['completed']), issue)).toMatchObject({ verdict: 'masked', killed: [] });
  });

  it('does not hide behind a known issue', () => {
    expect(verdictOf(builtIn('parrot', [0]), issue)).toMatchObject({ verdict: 'survived' });
    expect(verdictOf(own('x', [0], ['fileEquals']), issue)).toMatchObject({ verdict: 'survived' });
  });
});

describe('a proof', () => {
  it('passes when every check is proved and every saboteur noticed', () => {
    const proof = prove(tried(SOUND));
    expect(proof.passed).toBe(true);
    expect(proof.every_scenario).toEqual([
      expect.objectContaining({ state: 'proved', killed_by: ['a-scenario: leaks'] }),
    ]);
    expect(proof.totals).toMatchObject({
      checks: 2,
      proved: 2,
      saboteurs: 4,
      noticed: 4,
      diagnosed: 3,
      diagnosable: 3,
      processes_started: 14,
    });
  });

  it.each<[keyof Proof, TriedScenario]>([
    ['survivors', tried([...SOUND, builtIn('does-nothing', [])])],
    ['missed_kills', tried([...SOUND, own('x', [0], ['fileEquals'])])],
    ['unkilled_checks', tried(SOUND.filter(({ name }) => name !== 'stops'))],
    [
      'ineffective',
      tried([...SOUND, own('x', [], [], { skip: { verdict: 'ineffective', reason: 'same' }, run: null })]),
    ],
    ['failed_oracles', tried(SOUND, { oracle: oracle({ outcome: 'failed' }) })],
  ])('does not pass with %s', (list, one) => {
    const proof = prove(one);
    expect(proof.passed).toBe(false);
    expect(proof[list]).toHaveLength(1);
  });

  const agents = { whose: 'agent', because: ['Iteration 1 never emitted it.'] } as const;

  it.each(['target', 'config'] as const)(
    'does not pass if a fault of the %s is blamed on the agent',
    (breaks) => {
      const fields = { breaks, run: run([0], { fault: { ...agents, because: [...agents.because] } }) };
      const proof = prove(tried([...SOUND, own('x', [0], ['completed'], fields)]));
      expect(proof.passed).toBe(false);
      expect(proof.blamed_on_agent).toEqual([
        { scenario: 'a-scenario', backend: 'claude', saboteur: 'x', reason: 'Iteration 1 never emitted it.' },
      ]);
    },
  );

  it("counts how many failures of the agent are called the agent's, and sets no limit", () => {
    const fields = { run: run([0], { fault: { ...agents, because: [...agents.because] } }) };
    const proof = prove(tried([...SOUND, own('x', [0], ['completed'], fields)]));
    expect(proof.passed).toBe(true);
    expect(proof.totals).toMatchObject({ blamed: 1, blamable: 5 });
  });

  it('needs the common checks proved only if the whole catalog was selected', () => {
    const one = tried(SOUND.filter(({ name }) => name !== 'leaks'));
    expect(prove(one).unkilled_checks).toEqual([
      { scenario: 'every scenario', backend: null, check: 'no process is left behind' },
    ]);
    expect([prove(one).passed, prove(one, { complete: false }).passed]).toEqual([false, true]);
  });

  it("does not need the user's scenarios to prove the common checks: our catalog proves them", () => {
    const one = tried(SOUND.slice(0, 3));
    const proof = prove(one, { foreign: true });
    expect([proof.passed, proof.unkilled_checks]).toEqual([true, []]);
    expect(proof.every_scenario).toMatchObject([
      { kind: 'nothingLeftBehind', state: 'open', reason: 'the catalog of ralph-e2e proves it' },
    ]);
  });

  it('allows one guard in twenty checks of a whole catalogue', () => {
    const guarded = (count: number) => {
      const plain = Array.from({ length: count - 1 }, (_, place) => ({
        key: 'k',
        kind: 'k',
        name: `check ${place}`,
        guard: null,
        common: false,
      }));
      const checks = [...plain, { key: 'g', kind: 'g', name: 'guarded', guard: 'because', common: false }];
      const trials = plain.map((_, place) =>
        own(`breaks ${place}`, [], [], {
          run: run([], { green: checks.map((_check, other) => other !== place) }),
        }),
      );
      return tried(trials, { checks, oracle: oracle({ green: checks.map(() => true) }) });
    };
    expect([prove(guarded(20)).passed, prove(guarded(19)).passed]).toEqual([true, false]);
    expect(prove(guarded(19), { complete: false }).passed).toBe(true);
  });

  it('that was interrupted, or tried nothing, does not pass', () => {
    expect(prove(tried(SOUND), { interrupted: true }).passed).toBe(false);
    expect(prove(tried([], { checks: [] })).passed).toBe(false);
  });
});

const anyTrial: fc.Arbitrary<Trial> = fc.record({
  name: fc.uuid(),
  origin: fc.constantFrom('own', 'built-in', 'cheat'),
  excuse: fc.option(fc.string(), { nil: null, freq: 5 }),
  breaks: fc.constantFrom('agent', 'config', 'target'),
  kills: fc.subarray(['completed', 'fileEquals', 'nothing such']),
  failure: fc.constantFrom('EventMissing', null),
  skip: fc.option(
    fc.record({ verdict: fc.constantFrom('ineffective', 'not-applicable', 'left-out'), reason: fc.string() }),
    { nil: null, freq: 5 },
  ),
  run: fc.option(
    fc.record({
      green: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      error: fc.option(fc.string(), { nil: null, freq: 5 }),
      harmless: fc.option(fc.string(), { nil: null, freq: 5 }),
      diagnosed: fc.constantFrom('EventMissing', 'Unknown', null),
      fault: fc.constant(null),
      seconds: fc.nat(9),
      processes: fc.nat(9),
      artifacts: fc.constant(null),
    }),
    { nil: null, freq: 5 },
  ),
});

const anyTried = fc
  .record({
    trials: fc.array(anyTrial, { maxLength: 6 }),
    green: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  })
  .map(({ trials, green }) =>
    tried(trials, {
      oracle: oracle({ outcome: green.every(Boolean) ? 'passed' : 'known-issue', green }),
      knownIssue: 'known',
    }),
  );

describe('whatever the runs found', () => {
  const check = (property: (one: TriedScenario) => void) =>
    fc.assert(fc.property(anyTried, property), { numRuns: 300 });

  it('a check is proved if and only if an own saboteur, alone, turned it and not everything red', () => {
    check((one) => {
      for (const [place, { state }] of judgeScenario(one).checks.entries()) {
        const other = 1 - place;
        const proof = one.trials.some(
          ({ origin, skip, run: found }) =>
            origin === 'own' &&
            skip === null &&
            found?.error === null &&
            found.harmless === null &&
            one.oracle.green[place] === true &&
            found.green[place] === false &&
            found.green[other] === true,
        );
        expect(state === 'proved').toBe(proof);
      }
    });
  });

  it('one more saboteur takes no proof away', () => {
    fc.assert(
      fc.property(anyTried, anyTrial, (one, more) => {
        const before = judgeScenario(one).checks;
        const after = judgeScenario({ ...one, trials: [...one.trials, more] }).checks;
        for (const [place, { state }] of before.entries()) {
          if (state === 'proved') expect(after[place]?.state).toBe('proved');
        }
      }),
    );
  });

  it('the order of the saboteurs changes no state', () => {
    check((one) => {
      expect(states({ ...one, trials: one.trials.toReversed() })).toEqual(states(one));
    });
  });

  it('every saboteur and every check is reported once, and a pass reports no trouble', () => {
    check((one) => {
      const proof = prove(one);
      expect(proofSchema.parse(JSON.parse(JSON.stringify(proof)))).toEqual(JSON.parse(JSON.stringify(proof)));
      const { survivors, missed_kills, ineffective, not_applicable, left_out, totals } = proof;
      const rest = proof.scenarios
        .flatMap(({ saboteurs }) => saboteurs)
        .filter(({ verdict }) => ['noticed', 'masked', 'excused', 'not-tried'].includes(verdict));
      const told = [survivors, missed_kills, ineffective, not_applicable, left_out, rest];
      expect(told.reduce((sum, list) => sum + list.length, 0)).toBe(one.trials.length);
      const own = proof.unkilled_checks.filter(({ backend }) => backend !== null).length;
      expect(
        totals.proved +
          own +
          proof.guards.length +
          proof.known_issue_checks.length +
          proof.open_checks.length,
      ).toBe(totals.checks);
      if (proof.passed)
        expect([survivors, missed_kills, ineffective, proof.unkilled_checks]).toEqual([[], [], [], []]);
    });
  });
});
