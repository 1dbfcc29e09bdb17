import { describe, expect, it } from 'vitest';
import type { AttemptFinished, Planned } from '../../../src/domain/attempt.js';
import type { BackendId } from '../../../src/domain/backends.js';
import type { CheckResult } from '../../../src/domain/check.js';
import type { HeldPromise } from '../../../src/domain/contract.js';
import { type Case, openCase } from '../../../src/domain/diagnosis/clues.js';
import { rankPromises } from '../../../src/domain/diagnosis/ledger.js';
import { type AttemptFields, attempt, journal } from '../../report/support/journal.js';

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'live',
  agentIsHonest: false,
} as const;

interface Story {
  readonly id: string;
  readonly backend?: BackendId;
  readonly knownIssue?: Planned['knownIssue'];
  readonly attempts: readonly AttemptFields[];
}

function open({ id, backend = 'claude', knownIssue = null, attempts }: Story): Case {
  const [started] = journal({ tests: [{ scenarioId: id, backend, knownIssue }] });
  const planned = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
  const ran: AttemptFinished[] = attempts.map((fields) => attempt({ scenarioId: id, backend, ...fields }));
  const found = openCase({ scenarioId: id, backend, planned, attempts: ran }, RUN);
  if (found === null) throw new Error('a test that did not pass expected');
  return found;
}

function promise(text: string, promised?: number, source = promised): HeldPromise {
  const counted =
    promised === undefined || source === undefined ? {} : { holders: { promise: promised, source } };
  return { area: 'hats', promise: text, source: `${text}.rs`, ...counted };
}
const WIDE = promise('wide', 9);
const NARROW = promise('narrow', 1);
const OTHER = promise('other', 1);

const failing = (...promises: HeldPromise[]): Partial<CheckResult> => ({ key: 'a', passed: false, promises });
const failed = (...checks: Partial<CheckResult>[]): AttemptFields => ({ outcome: 'failed', checks });
const IDS = ['b', 'c', 'd'];
const others = (...attempts: AttemptFields[]) => IDS.map((id) => ({ id, attempts }));
const ISSUE = { upTo: '9.9.9', reason: 'x', link: 'y', breaks: ['a'], shows: { a: 'completed' } };

/** The promises of the first failed check of a test, in order, in a run in which other tests did not pass either. */
function order(story: Story, run: readonly Story[] = []): string[] {
  const [first] = rankPromises([story, ...run].map(open));
  return (first?.broken[0]?.promises ?? []).map((held) => held.promise);
}

describe('the promises of a failed check', () => {
  const mine: Story = { id: 'mine', attempts: [failed(failing(WIDE, NARROW))] };
  const cases: readonly (readonly [string, readonly Story[], string])[] = [
    ['fewest others hold Ralph to, if the test fails alone', [], 'narrow'],
    [
      'fewest others hold Ralph to, if other promises are broken too',
      others(failed(failing(OTHER))),
      'narrow',
    ],
    ['most failed tests hold Ralph to', others(failed(failing(WIDE))), 'wide'],
    [
      'fewest others hold Ralph to, if one scenario fails on several backends',
      (['claude', 'kiro', 'opencode'] as const).map((backend) => ({
        ...{ id: 'b', backend },
        attempts: [failed(failing(WIDE))],
      })),
      'narrow',
    ],
    [
      'fewest others hold Ralph to, if several checks of one test fail',
      [{ id: 'b', attempts: [failed(failing(WIDE), failing(WIDE), failing(WIDE))] }],
      'narrow',
    ],
    [
      'fewest others hold Ralph to, if the others are the fault of the agent',
      others({ ...failed(failing(WIDE)), fault: { whose: 'agent', because: [] } }),
      'narrow',
    ],
    ['most failed tests hold Ralph to, flaky ones too', others(failed(failing(WIDE)), {}), 'wide'],
    [
      'most failed tests hold Ralph to, though an error ended their retry',
      others(failed(failing(WIDE)), { outcome: 'error', checks: [], error: 'x' }),
      'wide',
    ],
    [
      'fewest others hold Ralph to, if the others are known issues',
      others({ outcome: 'known-issue', checks: [failing(WIDE)] }),
      'narrow',
    ],
    [
      'fewest others hold Ralph to, if the others fail for something besides their known issue',
      others(failed(failing(WIDE), { ...failing(OTHER), key: 'b' })).map((one) => ({
        ...one,
        knownIssue: ISSUE,
      })),
      'narrow',
    ],
    [
      'most failed tests hold Ralph to, besides their known issues',
      others(failed(failing(OTHER), { ...failing(WIDE), key: 'b' })).map((one) => ({
        ...one,
        knownIssue: ISSUE,
      })),
      'wide',
    ],
  ];
  it.each(cases)('begin with those that %s', (_, run, first) => {
    expect(order(mine, run)[0]).toBe(first);
  });

  it('begin, of those that are alike, with those that more failed checks of the test hold', () => {
    const [one, two] = [promise('one', 2, 1), promise('two', 2, 9)];
    expect(order({ id: 'mine', attempts: [failed(failing(one, two), failing(two))] })).toEqual([
      'two',
      'one',
    ]);
  });

  it('begin, of those that are alike, with those of a place that fewer scenarios are about', () => {
    const [one, two] = [promise('one', 2, 9), promise('two', 2, 4)];
    expect(order({ id: 'mine', attempts: [failed(failing(one, two))] })).toEqual(['two', 'one']);
  });

  it('keep their order if nobody counts who holds Ralph to them', () => {
    const held = ['b', 'c', 'a'].map((text) => promise(text));
    expect(order({ id: 'mine', attempts: [failed(failing(...held))] })).toEqual(['b', 'c', 'a']);
  });
});
