import { describe, expect, test } from 'vitest';
import {
  completed,
  loop,
  onEvent,
  onObjective,
  onPrompt,
  type ScenarioDefinition,
  scenario,
} from '../../../src/authoring.js';
import { sampleContext } from '../../../src/domain/scenario/sample-context.js';
import { planCheats } from '../../../src/run/prove/dishonest-agents.js';
import { onlyBuiltIn, prove, shout } from './support.js';

const ADD = 'ralph tools memory add "{{1}}" > added.txt';

describe('a cheat', () => {
  test('never calls the command of Ralph that the agent should run', () => {
    const [byHand] = cheatsOf([onObjective(/Keep (\w+)/).runs(`${ADD} && ralph emit kept`)]);
    expect(byHand).toMatchObject({ name: 'by-hand', excuse: null });
    expect(stepsOf(byHand)).toEqual([
      {
        do: 'run',
        command: `copy='/copy'; "$copy" tools memory add "{{1}}" > added.txt && "$copy" emit kept`,
      },
    ]);
  });

  test('may pass if the harness runs all of these commands itself', () => {
    const agent = [onObjective(/Keep (\w+)/).runs(ADD)];
    const errand = { ralph: ['tools', 'memory', 'add', 'x'] };
    expect(cheatsOf(agent, [errand])[0]?.excuse).toBe('the harness itself runs `ralph tools memory add`');
    expect(cheatsOf(agent, [{ ralph: ['tools', 'memory', 'list'] }])[0]?.excuse).toBeNull();
  });

  test('forges the output of a command that changes something, and only that', () => {
    const names = (command: string) => cheatsOf([onObjective('Keep').runs(command)]).map(({ name }) => name);
    expect(names(ADD)).toEqual(['by-hand', 'forged-output']);
    expect(names('ralph tools memory add x')).toEqual(['by-hand']);
    expect(names('ralph tools memory list > list.txt')).toEqual(['by-hand']);
    expect(names('echo "no ralph here" > list.txt')).toEqual([]);
  });

  test('takes the steps of several iterations at once, with the captures of each', () => {
    const [cheat] = cheatsOf([
      onEvent('step.one')
        .reads(/add (\d+)/)
        .says('{{1}}')
        .completes(),
      onObjective(/Keep (\w+) and (\w+)/).says('{{upper 1}} {{2}}'),
    ]);
    expect(cheat).toMatchObject({ name: 'all-at-once', excuse: null });
    expect(cheat?.agent.rules[0]).toMatchObject({
      when: { prompt: [{ regex: 'Keep (\\w+) and (\\w+)' }, { regex: 'add (\\d+)' }] },
      respond: {
        steps: [{ do: 'say', text: '{{upper 1}} {{2}}' }, { do: 'say', text: '{{3}}' }, { do: 'complete' }],
      },
    });
  });

  test('cannot do at once what only a later prompt tells', () => {
    expect(
      cheatsOf([
        onPrompt(/^Event: step\.one - (\d+)$/m).says('{{1}}'),
        onObjective('Keep').emits('step.one'),
      ]),
    ).toEqual([]);
  });
});

test('prove lists a cheat that no check notices as a survivor, unless an errand proves the command', async () => {
  const remember = (after: NonNullable<ReturnType<ScenarioDefinition['arrange']>['after']>) =>
    shout({
      id: after.length === 0 ? 'unproved' : 'proved',
      notApplicable: onlyBuiltIn(),
      arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'Keep it.', after }),
      expect: () => ({ ends: completed() }),
      agent: [onObjective('Keep').runs('ralph tools memory add it').completes()],
    });
  const { proof } = await prove([remember([]), remember([{ ralph: ['tools', 'memory', 'add', 'x'] }])]);
  expect(proof.survivors).toEqual([{ scenario: 'unproved', backend: 'claude', saboteur: 'by-hand' }]);
  expect(proof.excused_cheats).toMatchObject([{ scenario: 'proved', saboteur: 'by-hand' }]);
});

function cheatsOf(
  agent: ScenarioDefinition['agent'],
  after: NonNullable<ReturnType<ScenarioDefinition['arrange']>['after']> = [],
) {
  const cheated = scenario({
    id: 'a-scenario',
    tier: 1,
    priority: 'must',
    phase: 'green',
    description: 'A scenario',
    covers: [],
    expectedIterations: 2,
    arrange: () => ({ config: loop({ maxIterations: 4 }), prompt: 'Keep it.', after }),
    expect: () => ({ ends: completed() }),
    agent,
  });
  return planCheats(cheated, sampleContext('claude', 'sim'), '/copy');
}

function stepsOf(cheat: ReturnType<typeof planCheats>[number] | undefined) {
  return cheat?.agent.rules.flatMap(({ respond }) => respond.steps);
}
