import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { readBackends } from '../../../src/cli/input/read-backends.js';
import {
  BACKEND_IDS,
  type BackendId,
  NAMED_BACKENDS,
  PRIMARY_BACKENDS,
} from '../../../src/domain/backends.js';
import { isNamed, type Lane } from '../../../src/domain/vocabulary.js';
import { selectScenarios } from '../../../src/run/select/select.js';

const selectOn = (backends: readonly BackendId[], filters: readonly string[], lane: Lane = 'sim') =>
  selectScenarios(catalogue, { backends, lane, filters }).map(
    ({ scenario, backend }) => `${scenario.id}/${backend}`,
  );
const select = (...filters: string[]) => selectOn(PRIMARY_BACKENDS, filters);

function catchKnown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('--filter', () => {
  test.each([
    ['part of an id', ['multi-it'], ['claude-multi-iter/claude']],
    [
      'part of a tier',
      ['connectivity'],
      ['claude-connect/claude', 'kiro-connect/kiro', 'opencode-connect/opencode', 'custom-connect/claude'],
    ],
    ['glob', ['claude-*-iter'], ['claude-single-iter/claude', 'claude-multi-iter/claude']],
    [
      'regex over the description',
      ['/iteration limit$/'],
      ['max-iterations/claude', 'max-iterations/kiro', 'max-iterations/opencode'],
    ],
    ['id with its backend', ['max-iterations-kiro'], ['max-iterations/kiro']],
    ['label as reports print it', ['max-iterations [kiro]'], ['max-iterations/kiro']],
    ['several', ['claude-connect', 'kiro-connect'], ['claude-connect/claude', 'kiro-connect/kiro']],
  ])('%s', (_name, filters, expected) => {
    expect(select(...filters)).toEqual(expected);
  });

  test.each(['', ' ', '\t\n'])('%j is no filter: it would fit everything', (filter) => {
    expect(() => select('claude-connect', filter)).toThrow(/expected a pattern, found an empty string/);
  });

  test.each([
    ['a misspelled id', ['output-flod'], /^Nearest: output-flood, \S+, \S+\. /],
    ['a misspelled word of ids', ['conect'], /^Nearest: claude-connect, kiro-connect, opencode-connect\. /],
    ['a glob', ['claud-conect*'], /^Nearest: claude-connect, \S+-connect, \S+-connect\. /],
    [
      'several filters',
      ['output-flod', 'required-event-s'],
      /^Nearest: output-flood, required-events, issue-195-required-events\. /,
    ],
    ['nothing like any id', ['nonsense'], /^Nearest: \S+, \S+, \S+\. /],
    ['a pattern without letters', ['//'], /^/],
  ])('%s without a match: the nearest three ids, never all of them', (_name, filters, nearest) => {
    const asked = filters.map((pattern) => `--filter ${pattern}`).join(' ');
    expect(catchKnown(() => select(...filters))).toMatchObject({
      message: `${asked}: expected a pattern that matches a scenario, found no match.`,
      hint: expect.stringMatching(
        new RegExp(`${nearest.source}\`ralph-e2e --list --lane sim --suite all\` lists the ids\\.$`),
      ),
    });
  });

  test('takes every id of the catalogue as it stands', () => {
    for (const { id, lanes } of catalogue) {
      const lane = lanes.includes('sim') ? 'sim' : 'scripted';
      expect(selectOn(BACKEND_IDS, [id], lane).map((name) => name.split('/')[0])).toContain(id);
    }
  });
});

describe('a backend that `all` does not mean', () => {
  test.each(NAMED_BACKENDS)('%s has the tiers on every backend, and no others', (backend) => {
    expect(readBackends([backend]).backends).toEqual([backend]);
    expect(readBackends(['all']).backends).not.toContain(backend);
    expect(selectOn([backend], [])).toEqual([
      `${backend}-connect/${backend}`,
      `${backend}-single-iter/${backend}`,
    ]);
  });

  test('a scenario that names no backend does not run on it', () => {
    expect(() => selectOn(['codex'], ['loop-stale'])).toThrow(
      '--filter loop-stale: loop-stale runs on claude, kiro, opencode only, not on codex.',
    );
  });
});

describe('what runs elsewhere', () => {
  test('names the backend that a scenario belongs to', () => {
    expect(catchKnown(() => selectOn(['kiro'], ['claude-connect']))).toMatchObject({
      message: '--filter claude-connect: claude-connect runs on claude only, not on kiro.',
      hint: 'Name its backend: `ralph-e2e claude …`.',
    });
  });

  test('a test that is named with its backend: names the test, not its scenario', () => {
    expect(catchKnown(() => selectOn(['claude'], ['hat-single [kiro]']))).toMatchObject({
      message: '--filter hat-single [kiro]: hat-single [kiro] runs on kiro only, not on claude.',
      hint: 'Name its backend: `ralph-e2e kiro …`.',
    });
  });

  test('a test that is named with a misspelled backend: names the backend, and those that it runs on', () => {
    const call = { backends: ['claude'], lane: 'sim', filters: [], tests: ['hat-single [cluade]'] } as const;
    expect(catchKnown(() => selectScenarios(catalogue, call))).toMatchObject({
      message: '--test hat-single [cluade]: expected a backend that hat-single runs on, found "cluade".',
      hint: 'Did you mean claude? It runs on claude, kiro, opencode.',
    });
  });

  test('a test that is named without the space is that test', () => {
    const call = { backends: ['claude', 'kiro'], lane: 'sim', filters: [] } as const;
    const found = selectScenarios(catalogue, { ...call, tests: ['hat-single[claude]'] });
    expect(found.map(({ scenario, backend }) => [scenario.id, backend])).toEqual([['hat-single', 'claude']]);
    expect(isNamed('hat-single[claude]', 'hat-single', 'claude')).toBe(true);
    expect(isNamed('hat-single[kiro]', 'hat-single', 'claude')).toBe(false);
  });

  test('counts the matches if there are several', () => {
    expect(() => selectOn(['kiro'], ['claude-'])).toThrow(
      /claude-connect \(the first of \d+ matches\) runs on claude/,
    );
  });

  test('names the lane', () => {
    const [first] = catalogue;
    if (first === undefined) throw new Error('the catalogue is empty');
    const offline = [{ ...first, lanes: ['scripted', 'sim'] as const }];
    const call = { backends: BACKEND_IDS, lane: 'live', filters: [first.id] } as const;
    expect(() => selectScenarios(offline, call)).toThrow(
      `${first.id} runs in the scripted and sim lanes only, not in the live lane.`,
    );
  });
});

describe('--exclude', () => {
  const narrowed = (more: Partial<Parameters<typeof selectScenarios>[1]>) =>
    selectScenarios(catalogue, { backends: PRIMARY_BACKENDS, lane: 'sim', filters: [], ...more });
  const idsOf = (selected: ReturnType<typeof narrowed>) => selected.map(({ scenario }) => scenario.id);

  test.each([
    ['part of an id', 'hat', (id: string) => id.includes('hat')],
    ['a glob', 'hat-*', (id: string) => id.startsWith('hat-')],
    ['a regex', '/^claude-/', (id: string) => id.startsWith('claude-')],
  ])('leaves out what %s matches, and nothing else', (_name, pattern, matches) => {
    const chosen = { filters: ['tier 7', 'tier 1', 'hat-single', 'hats-file'] };
    const all = idsOf(narrowed(chosen));
    expect(all.some(matches)).toBe(true);
    expect(idsOf(narrowed({ ...chosen, excludes: [pattern] }))).toEqual(all.filter((id) => !matches(id)));
  });

  test('leaves out a test on one backend', () => {
    const taken = narrowed({ filters: ['max-iterations'], excludes: ['max-iterations [kiro]'] });
    expect(taken.map(({ scenario, backend }) => `${scenario.id}/${backend}`)).toEqual(
      select('max-iterations').filter((name) => name !== 'max-iterations/kiro'),
    );
  });

  test('a pattern that matches nothing is a mistake, with the nearest ids', () => {
    expect(catchKnown(() => narrowed({ excludes: ['output-flod'] }))).toMatchObject({
      message: '--exclude output-flod: expected a pattern that matches a scenario, found no match.',
      hint: expect.stringContaining('Nearest: output-flood, '),
    });
  });

  test('says so if nothing is left', () => {
    expect(() => narrowed({ filters: ['claude-connect'], excludes: ['connect'] })).toThrow(
      '--exclude connect: expected something to run, but this leaves out the only test.',
    );
  });
});

test('two scenarios with one id are refused', () => {
  const [first] = catalogue;
  if (first === undefined) throw new Error('the catalogue is empty');
  const twins = [first, first];
  expect(() => selectScenarios(twins, { backends: BACKEND_IDS, lane: 'sim', filters: [] })).toThrow(
    /Two scenarios have the id/,
  );
});
