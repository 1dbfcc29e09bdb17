import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { readBackends } from '../../../src/cli/input/read-backends.js';
import {
  BACKEND_IDS,
  type BackendId,
  NAMED_BACKENDS,
  PRIMARY_BACKENDS,
} from '../../../src/domain/backends.js';
import type { Lane } from '../../../src/domain/vocabulary.js';
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
    ['a misspelled id', ['output-flod'], 'Nearest: output-flood. '],
    ['a misspelled word of ids', ['conect'], 'Nearest: claude-connect, kiro-connect, opencode-connect. '],
    ['a glob', ['claud-conect*'], 'Nearest: claude-connect. '],
    [
      'several filters',
      ['output-flod', 'required-event-s'],
      'Nearest: output-flood, required-events, issue-195-required-events. ',
    ],
    ['nothing like any id', ['nonsense'], ''],
    ['a pattern without letters', ['//'], ''],
  ])('%s without a match: the nearest ids, never all of them', (_name, filters, nearest) => {
    const asked = filters.map((pattern) => `--filter ${pattern}`).join(' ');
    expect(catchKnown(() => select(...filters))).toMatchObject({
      message: `${asked}: expected a pattern that matches a scenario, found no match.`,
      hint: `${nearest}\`ralph-e2e --list --suite all\` lists the ids.`,
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
      '--filter loop-stale: expected a scenario that runs on codex in the sim lane, found loop-stale, which runs on claude, kiro, opencode in the live, scripted, sim lanes.',
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
