import { describe, expect, it } from 'vitest';
import {
  assertCommandSuggested,
  assertContainsKeywords,
  assertSpecificFeedback,
} from '../../../../src/kinds/conversation/strategies/texts.js';
import { assertToolsUsed } from '../../../../src/kinds/conversation/strategies/tools-used.js';
import { assertWorkflowTransition } from '../../../../src/kinds/conversation/strategies/workflow-transition.js';
import { agentLoop, visualIteration } from '../../../../src/kinds/conversation/workflows.js';
import { covers } from '../../../coverage/covers.js';

describe('keywords', () => {
  it('finds words at their beginning, whatever their case', () => {
    covers('H40', 'C3');
    const result = assertContainsKeywords('I will Systematically run the tests.', [
      'systematic',
      'test',
      'plan',
    ]);
    expect(result).toMatchObject({
      passed: true,
      found_keywords: ['systematic', 'test'],
      missing_keywords: ['plan'],
      match_ratio: 2 / 3,
    });
  });

  it('does not find a word inside another', () => {
    expect(assertContainsKeywords('the latest', ['test']).passed).toBe(false);
  });

  it('can require all keywords, and their case', () => {
    covers('C43');
    const all = (text: string) => assertContainsKeywords(text, ['plan', 'code'], { requireAll: true });
    expect(all('plan it')).toMatchObject({ passed: false, found_keywords: ['plan'], match_ratio: 0.5 });
    expect(all('Plan it, then code it')).toMatchObject({
      ...{ passed: true, found_keywords: ['plan', 'code'], missing_keywords: [], match_ratio: 1 },
    });
    const exact = (text: string) => assertContainsKeywords(text, ['TDD'], { caseSensitive: true });
    expect(exact('tdd')).toMatchObject({ passed: false, missing_keywords: ['TDD'] });
    expect(exact('strict TDD')).toMatchObject({ passed: true, found_keywords: ['TDD'] });
  });

  it('rejects an empty list of keywords and empty keywords', () => {
    expect(() => assertContainsKeywords('x', [])).toThrow(/at least one keyword/);
    expect(() => assertContainsKeywords('x', [' '], { requireAll: true })).toThrow(/no empty ones/);
  });
});

describe('a step of the workflow', () => {
  covers('C44');
  const step = { from: 'exploring', to: 'planning' };

  it.each([
    ['the step that was expected', step, 'planning', {}, true, true],
    ['another stage, by a step that the workflow lacks', step, 'coding', {}, false, false],
    ['the same, if stages may be skipped', step, 'coding', { allowSkip: true }, false, true],
    [
      'another stage, by a step that the workflow has',
      { from: 'coding', to: 'committing' },
      'planning',
      {},
      false,
      true,
    ],
    [
      'a step that the workflow has instead of one that it lacks',
      { from: 'exploring', to: 'committing' },
      'planning',
      {},
      false,
      true,
    ],
    ['no step', step, 'exploring', {}, false, false],
    [
      'a step that the workflow lacks',
      { from: 'exploring', to: 'committing' },
      'committing',
      {},
      false,
      false,
    ],
    ['a step over stages', { from: 'exploring', to: 'coding' }, 'coding', { allowSkip: true }, true, true],
    ['a step that one commit makes', { from: 'coding', to: 'complete' }, 'complete', {}, true, true],
    ['a step over that commit', { from: 'planning', to: 'complete' }, 'complete', {}, false, false],
    ['names in another case', { from: 'Exploring', to: 'PLANNING' }, 'Planning', {}, true, true],
  ] as const)('%s', (_what, expected, actual, options, passed, valid) => {
    const result = assertWorkflowTransition(agentLoop, expected, actual, options);
    expect(result).toMatchObject({
      ...{ passed, valid, actual_stage: actual },
      expected_transition: `${expected.from} -> ${expected.to}`,
    });
  });

  it('leads to the next round of a stage that is repeated', () => {
    const round = (from: string, to: string) =>
      assertWorkflowTransition(visualIteration, { from, to }, to).passed;
    expect(round('refining', 'capturing-iteration-2')).toBe(true);
    expect(round('refining-iteration-2', 'capturing-iteration-3')).toBe(true);
    expect(round('capturing', 'refining-iteration-2')).toBe(false);
  });
});

describe('a suggested command', () => {
  covers('C3', 'C45');
  it.each([
    ['Next: /plan', true, false],
    ['Next: /agent-loop:plan.', true, false],
    ['run the plan command', true, true],
    ['try `plan` next', true, true],
    ['My plan is to read the code.', false, false],
    ['see /planning and docs/plan', false, false],
    ['/other:planner', false, false],
  ])('%s', (text, passed, weak) => {
    const result = assertCommandSuggested(text, '/plan');
    expect([result.passed, result.weak]).toEqual([passed, weak]);
  });

  it('reports the current state', () => {
    const text = `${'x'.repeat(30)} /plan ${'y'.repeat(30)}`;
    expect(assertCommandSuggested(text, 'plan')).toMatchObject({
      command_found: '/plan',
      location: 31,
      context: `${'x'.repeat(19)} /plan ${'y'.repeat(19)}`,
    });
  });

  it('takes only the slash when variations are off', () => {
    expect(assertCommandSuggested('run the plan command', 'plan', { allowVariations: false }).passed).toBe(
      false,
    );
  });
});

describe('tools that were used', () => {
  covers('C46');
  const calls = [
    { name: 'Bash', input: { command: 'grep -rn add src | head' } },
    { name: 'Edit', input: {} },
    { name: 'mcp__plugin_visual-iteration_browser-tools__screenshot', input: {} },
  ];

  it.each([
    [['read'], false, true],
    [['search', 'write'], true, true],
    [['Edit'], false, true],
    [['screenshot'], true, true],
    [['vcs'], false, false],
    [['write', 'vcs'], true, false],
    [[], false, false],
  ])('%j, all of them: %s', (expected, requireAll, passed) => {
    expect(assertToolsUsed(calls, expected, { requireAll }).passed).toBe(passed);
  });

  it('are listed, with those that are missing and the calls that count', () => {
    const [grep, edit, shot] = calls;
    const used = calls.map(({ name }) => name);
    expect(assertToolsUsed(calls, ['search', 'vcs'])).toEqual({
      passed: true,
      tools_used: used,
      tools_missing: ['vcs'],
      tool_details: [grep],
      details: `used: ${used.join(', ')}; missing: vcs`,
    });
    expect(assertToolsUsed(calls, ['write', 'screenshot'], { requireAll: true })).toMatchObject({
      ...{ passed: true, tools_missing: [], tool_details: [edit, shot] },
    });
    expect(assertToolsUsed([], ['read'])).toMatchObject({
      ...{ passed: false, tools_used: [], tools_missing: ['read'], tool_details: [] },
    });
  });
});

describe('specific feedback', () => {
  it('names properties and values', () => {
    covers('C48');
    const text =
      '1. Button padding 32px should be 24px\n2. border-radius: 0px -> 2px\n3. Improve the spacing.';
    const specific_items = ['Button padding 32px should be 24px', 'border-radius: 0px -> 2px'];
    expect(assertSpecificFeedback(text, 2)).toMatchObject({ passed: true, specific_items });
    expect(assertSpecificFeedback(text, 3)).toMatchObject({ passed: false, specific_items });
    // A value without its property cannot be applied either.
    expect(assertSpecificFeedback('It is 32px, should be 24px', 1)).toMatchObject({
      ...{ passed: false, specific_items: [] },
    });
  });
});
