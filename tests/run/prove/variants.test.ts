import { describe, expect, test } from 'vitest';
import {
  agentSaid,
  completed,
  fileEquals,
  loop,
  onObjective,
  type RalphConfig,
  type ScenarioDefinition,
  scenario,
} from '../../../src/authoring.js';
import type { Step } from '../../../src/domain/agent-script.js';
import { sampleContext } from '../../../src/domain/scenario/sample-context.js';
import { BUNDLES, VARIANTS, type VariantName } from '../../../src/domain/scenario/variants.js';
import { HONEST_AGENTS } from '../../../src/run/prove/honest-agents.js';
import { prove, shout } from './support.js';

const CONTEXT = sampleContext('claude', 'sim');

test('every variant is in one bundle, and there are at most four', () => {
  expect(BUNDLES.flat().toSorted()).toEqual(Object.keys(VARIANTS).toSorted());
  expect(BUNDLES.length).toBeLessThanOrEqual(4);
});

describe('an honest agent', () => {
  test.each<[VariantName, readonly Step[]]>([
    ['bold', [{ do: 'say', text: '**SUM {{add 1 2}}**' }]],
    ['code', [{ do: 'say', text: '`SUM {{add 1 2}}`' }]],
    ['fence', [{ do: 'say', text: '```\nSUM {{add 1 2}}\n```' }]],
    ['grouped-digits', [{ do: 'say', text: 'SUM {{grouped 1 2}}' }]],
    ['letter-case', [{ do: 'say', text: 'Sum {{add 1 2}}' }]],
  ])('says its answer in %s', (name, steps) => {
    expect(play(name, [{ do: 'say', text: 'SUM {{add 1 2}}' }])).toEqual(steps);
  });

  test.each(['bold', 'preface', 'afterword'] as const)('leaves the promise alone (%s)', (name) => {
    const steps: Step[] = [{ do: 'say', text: 'Done.\nLOOP_COMPLETE' }, { do: 'complete' }];
    expect(play(name, steps)).toEqual(steps);
  });

  test('writes files with shell commands', () => {
    expect(play('other-tool', [{ do: 'write', path: 'a/b.txt', text: 'one\n' }])).toEqual([
      {
        do: 'run',
        command: `mkdir -p "$(dirname 'a/b.txt')" && cat > 'a/b.txt' <<'END_OF_FILE'\none\nEND_OF_FILE`,
      },
    ]);
  });

  test('looks around for an iteration where the limit and the hats leave it the time', () => {
    const rulesWith = (fields: Partial<ScenarioDefinition>) => {
      const varied = shout({ expectedIterations: 1, ...fields });
      return HONEST_AGENTS['one-more-iteration'](varied.agent, varied, CONTEXT).rules.length;
    };
    const arranged = (config: RalphConfig) => ({ arrange: () => ({ config, prompt: 'Work.' }) });
    expect(rulesWith(arranged(loop({ maxIterations: 3 })))).toBe(2);
    expect(rulesWith(arranged(loop({ maxIterations: 2 })))).toBe(1);
    expect(rulesWith(arranged({ ...loop({ maxIterations: 3 }), hats: {} }))).toBe(1);
    expect(rulesWith({ ...arranged(loop({ maxIterations: 9 })), expectedIterations: 8 })).toBe(1);
  });

  test('leaves out the last newline, but not of a file that grows', () => {
    const append: Step = { do: 'append', path: 'log.txt', text: 'two\n' };
    const steps: Step[] = [
      { do: 'write', path: 'a.txt', text: 'one\n' },
      { do: 'write', path: 'log.txt', text: 'one\n' },
      append,
    ];
    expect(play('no-newline', steps)).toEqual([
      { do: 'write', path: 'a.txt', text: 'one' },
      { do: 'write', path: 'log.txt', text: 'one\n' },
      append,
    ]);
  });
});

describe('prove', () => {
  test('tolerates all variants of a scenario that asks only for what counts', async () => {
    const { proof } = await prove([shout({ saboteurs: {} })], { sorts: [], variants: true });
    expect(proof.refused_variants).toEqual([]);
    expect(proof.totals).toMatchObject({ saboteurs: 0, tolerated: proof.totals.variants });
    expect(proof.totals.variants).toBeGreaterThan(8);
  });

  test('names the one variant in a bundle that a check refuses', async () => {
    const { proof } = await prove([picky()], { sorts: [], variants: true });
    expect(proof.refused_variants).toEqual([
      expect.objectContaining({ variant: 'preface', reason: expect.stringContaining('the agent says') }),
    ]);
    expect(proof.passed).toBe(false);
  });

  test('prints the reason of an exempt variant and does not play it', async () => {
    const { proof } = await prove([picky({ preface: 'the form is the point' })], {
      sorts: [],
      variants: true,
    });
    expect(proof.refused_variants).toEqual([]);
    expect(proof.exempt_variants).toEqual([
      expect.objectContaining({ variant: 'preface', reason: 'the form is the point' }),
    ]);
    expect(proof.totals.exempt_share).toBeGreaterThan(0);
  });

  test('fails if a check demands what nothing asks for', async () => {
    const { proof } = await prove(
      [
        shout({
          saboteurs: {},
          expect: ({ nonce }) => ({ ends: completed(), more: agentSaid(`HELLO ${nonce.toUpperCase()}`) }),
        }),
      ],
      { sorts: [], variants: true },
    );
    expect(proof.unasked).toEqual([expect.objectContaining({ demand: expect.stringContaining('"HELLO"') })]);
    expect(proof.passed).toBe(false);
  });
});

/** A scenario that refuses a sentence before the answer, which no prompt forbids. */
function picky(exempt: Partial<Record<VariantName, string>> = {}) {
  return shout({
    saboteurs: {},
    exempt,
    expect: () => ({ ends: completed(), alone: agentSaid(/^(?![\s\S]*Here is what)/) }),
  });
}

function play(name: VariantName, steps: readonly Step[]): readonly Step[] {
  const original = scenario({
    id: 'a-scenario',
    tier: 1,
    priority: 'must',
    phase: 'green',
    description: 'A scenario',
    covers: [],
    arrange: () => ({ config: loop({ maxIterations: 3 }), prompt: 'Work.' }),
    expect: () => ({ file: fileEquals('a.txt', 'one') }),
    agent: [onObjective('Work')],
  });
  const script = {
    ...original.agent,
    rules: original.agent.rules.map((rule) => ({ ...rule, respond: { steps: [...steps] } })),
  };
  return HONEST_AGENTS[name](script, original, CONTEXT).rules.flatMap(({ respond }) => respond.steps);
}
