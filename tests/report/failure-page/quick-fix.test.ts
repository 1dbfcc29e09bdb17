import { describe, expect, it, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { loop, scenario } from '../../../src/authoring.js';
import { readBackends } from '../../../src/cli/input/read-backends.js';
import { BACKEND_IDS, LANES } from '../../../src/domain/vocabulary.js';
import { repeatCommand } from '../../../src/report/model/commands.js';
import { selectScenarios } from '../../../src/run/select/select.js';

const TARGET = { kind: 'stand-in', path: '/standin', version: '2.10.1' } as const;
const CALL = { program: ['ralph-e2e'], repeatWith: [], target: TARGET };

/** What a printed command selects, by the options that choose tests. */
function selectedBy(command: string, lane: (typeof LANES)[number], scenarios = catalogue): string[] {
  const [, backend = '', ...args] = command.split(' ');
  const valuesOf = (option: string) => args.flatMap((arg, at) => (args[at - 1] === option ? [arg] : []));
  const selection = {
    backends: readBackends([backend]).backends,
    lane,
    filters: valuesOf('--filter'),
    tests: valuesOf('--test'),
  };
  return selectScenarios(scenarios, selection).map(({ scenario, backend }) => `${scenario.id} on ${backend}`);
}

describe('the command that repeats a test', () => {
  it.each(LANES)('selects exactly that test, for every test of the catalogue in the %s lane', (lane) => {
    const wrong = catalogue
      .filter(({ lanes }) => lanes.includes(lane))
      .flatMap(({ id, backends }) => backends.map((backend) => ({ scenarioId: id, backend })))
      .map((test) => ({ test, selected: selectedBy(repeatCommand(test, CALL), lane) }))
      .filter(({ test, selected }) => selected.join() !== `${test.scenarioId} on ${test.backend}`);
    expect(wrong).toEqual([]);
  });

  it('does so where one id is another id with a backend', () => {
    const make = (id: string, backends = BACKEND_IDS.slice(0, 2)) =>
      scenario({
        ...{ id, tier: 1, priority: 'must', phase: 'green', description: id, covers: [], backends },
        arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: '' }),
        expect: () => [],
        agent: [],
      });
    const twins = [make('say'), make('say-claude')];
    const commandOf = (scenarioId: string) => repeatCommand({ scenarioId, backend: 'claude' }, CALL);
    expect(selectedBy(commandOf('say'), 'sim', twins)).toEqual(['say on claude']);
    expect(selectedBy(commandOf('say-claude'), 'sim', twins)).toEqual(['say-claude on claude']);
  });
});

test('a command repeats the faults of the stand-in, which another shell does not know', () => {
  const target = { ...TARGET, faults: ['crash', 'lose-events'] };
  expect(repeatCommand({ scenarioId: 'say', backend: 'claude' }, { ...CALL, target })).toMatch(
    /^RALPH_STANDIN_FAULT=crash,lose-events ralph-e2e claude --test say /,
  );
});

describe('--test', () => {
  const select = (tests: string[], backend = 'all', filters: string[] = []) =>
    selectScenarios(catalogue, {
      backends: readBackends([backend]).backends,
      lane: 'sim',
      filters,
      tests,
    }).map(({ scenario, backend }) => `${scenario.id} on ${backend}`);

  test.each([
    ['hat-single', ['hat-single on claude', 'hat-single on kiro', 'hat-single on opencode']],
    ['hat-single [kiro]', ['hat-single on kiro']],
    ['hat-single-kiro', ['hat-single on kiro']],
    ['custom-connect [claude]', ['custom-connect on claude']],
    ['claude-connect', ['claude-connect on claude']],
  ])('%s means %s', (name, expected) => {
    expect(select([name])).toEqual(expected);
  });

  test('adds to other names and to filters', () => {
    expect(select(['hat-single [kiro]', 'claude-connect'], 'all', ['opencode-connect'])).toEqual([
      'claude-connect on claude',
      'opencode-connect on opencode',
      'hat-single on kiro',
    ]);
  });

  test.each([
    ['hat-singel', 'all', /no scenario has this id/, /Nearest: hat-single\b/],
    ['Hat-Single', 'all', /no scenario has this id/, /Nearest: hat-single\b/],
    ['injection', 'all', /no scenario has this id/, /Nearest: memory-injection/],
    ['', 'all', /no scenario has this id/, /--list/],
    ['claude-connect', 'kiro', /runs on claude only, not on kiro/, /ralph-e2e claude …/],
    [
      'hat-single [kiro]',
      'claude',
      /: hat-single \[kiro\] runs on kiro only, not on claude/,
      /ralph-e2e kiro …/,
    ],
    [
      'hat-single [pi]',
      'all',
      /expected a backend that hat-single runs on, found "pi"/,
      /claude, kiro, opencode/,
    ],
  ])('refuses "%s" on %s, though another name is known', (name, backend, message, hint) => {
    const call = () => select(['max-iterations', name], backend);
    expect(call).toThrow(expect.objectContaining({ message: expect.stringMatching(message) }));
    expect(call).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) }));
  });
});
