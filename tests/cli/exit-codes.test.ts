import { describe, expect, test } from 'vitest';
import { type ExitRules, exitCodeOf } from '../../src/cli/exit-codes.js';
import type { Fault } from '../../src/domain/fault.js';
import type { SkipCause } from '../../src/domain/report/skip-cause.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { journal, type RunStory } from '../report/support/journal.js';

type Test = NonNullable<RunStory['tests']>[number];

const failed = (fault?: Fault) => ({ outcome: 'failed' as const, ...(fault === undefined ? {} : { fault }) });
const AGENT = failed({ whose: 'agent', because: [] });
const SERVICE = failed({ whose: 'infrastructure', because: [], trouble: 'overload' });
const TARGET = failed({ whose: 'target', because: [] });

const TESTS = {
  passes: { attempts: [{}] },
  flaky: { attempts: [AGENT, {}] },
  'passes after trouble': { attempts: [SERVICE, {}] },
  'Ralph broke a promise': { attempts: [TARGET] },
  'nobody knows whose fault': { attempts: [failed()] },
  'Ralph, then the agent': { attempts: [TARGET, AGENT] },
  'the agent': { attempts: [AGENT, AGENT] },
  'the service': { attempts: [SERVICE] },
  'an error of the harness': { attempts: [{ outcome: 'error', error: 'boom' }] },
  skipped: { skipped: 'not on PATH', cause: { kind: 'not-ready' } },
  'given up': {
    skipped: 'the login of claude was refused',
    cause: { kind: 'service-lost', trouble: 'login', test: 'a' } satisfies SkipCause,
  },
  'never ran': {},
  'behind its gate': { skipped: 'the gate failed', cause: { kind: 'gate-failed', gate: 'a' } },
} satisfies Record<string, Test>;

function codeOf(names: readonly (keyof typeof TESTS)[], rules: ExitRules = {}, end = {}): number {
  const tests = names.map((name, index): Test => ({ ...TESTS[name], scenarioId: `test-${index}` }));
  return exitCodeOf(buildReport(journal({ tests, end })), rules);
}

describe('the exit code', () => {
  test.each([
    [0, ['passes']],
    [0, ['passes', 'flaky', 'skipped']],
    [0, ['passes after trouble']],
    [1, ['passes', 'Ralph broke a promise']],
    [1, ['nobody knows whose fault']],
    [1, ['Ralph, then the agent']],
    [1, ['Ralph broke a promise', 'the agent', 'the service', 'an error of the harness']],
    [2, ['passes', 'the agent']],
    [2, ['passes', 'the service']],
    [2, ['passes', 'an error of the harness']],
    [2, ['passes', 'never ran']],
    [1, ['Ralph broke a promise', 'never ran']],
    [2, ['skipped']],
    [2, []],
  ] as const)('is %i: %j', (code, names) => {
    expect(codeOf(names)).toBe(code);
  });

  test.each([
    [0, ['passes', 'the agent', 'the service']],
    [2, ['the agent']],
    [1, ['the agent', 'Ralph broke a promise']],
    [2, ['the agent', 'an error of the harness']],
    [2, ['the service', 'given up']],
    [2, ['the service', 'behind its gate']],
    [2, ['skipped']],
  ] as const)('is %i with --allow-inconclusive: %j', (code, names) => {
    expect(codeOf(names, { allowInconclusive: true })).toBe(code);
  });

  test.each([
    [1, ['passes', 'skipped'], ['skipped']],
    [0, ['passes', 'skipped'], ['flaky']],
    [1, ['passes', 'flaky'], ['skipped', 'flaky']],
    [0, ['passes after trouble'], ['skipped', 'flaky']],
    [1, ['the agent', 'flaky'], ['flaky']],
    [2, ['the agent'], ['skipped', 'flaky']],
    [1, ['skipped'], ['skipped']],
  ] as const)('is %i: %j with --fail-on %j', (code, names, failOn) => {
    expect(codeOf(names, { failOn })).toBe(code);
  });

  test.each([
    ['0: no test is left for it', 0, [], { index: 2, total: 2 }],
    ['2: its tests cannot run here', 2, [TESTS.skipped], { index: 1, total: 2 }],
    ['2: it is the only one, and its tests cannot run here', 2, [TESTS.skipped], { index: 1, total: 1 }],
    ['2: it is the only one, and there is no test', 2, [], { index: 1, total: 1 }],
  ] as const)('of a shard is %s', (_, code, tests, choice) => {
    const shard = { ...choice, durations: { from: 'none', known: 0, sha256: '' } as const, plan: [] };
    expect(exitCodeOf(buildReport(journal({ run: { shard }, tests: [...tests] })))).toBe(code);
  });

  test('is 130 for an interrupted run, whatever failed', () => {
    const end = { interrupted: true };
    expect(codeOf(['Ralph broke a promise'], {}, end)).toBe(130);
    expect(codeOf(['the agent'], { allowInconclusive: true }, end)).toBe(130);
  });
});
