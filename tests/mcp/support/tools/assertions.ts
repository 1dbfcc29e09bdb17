import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open } from './opened.js';

/** Assertions, which need no lane. */
export function testAssertions(args: readonly string[]): void {
  describe('assertions', () => {
    test('judge texts and stages', async () => {
      covers('H27', 'H28', 'H29', 'H30', 'H49');
      const { ok } = await open(args);
      expect(
        await ok('assert_contains_keywords', { text: 'the latest plans', keywords: ['test', 'plan'] }),
      ).toMatchObject({
        passed: true,
        found_keywords: ['plan'],
        missing_keywords: ['test'],
        match_ratio: 0.5,
      });
      const both = { text: 'the latest plans', keywords: ['test', 'plan'], require_all: true };
      expect(await ok('assert_contains_keywords', both)).toMatchObject({ passed: false });
      const step = { from_stage: 'exploring', to_stage: 'planning', actual_stage: 'planning' };
      expect(await ok('assert_workflow_transition', step)).toMatchObject({ passed: true, valid: true });
      expect(await ok('assert_workflow_transition', { ...step, from_stage: 'idle' })).toMatchObject({
        passed: false,
        valid: false,
      });
      const elsewhere = (allow_skip: boolean) =>
        ok('assert_workflow_transition', { ...step, actual_stage: 'coding', allow_skip });
      const missed = {
        ...{ passed: false, expected_transition: 'exploring -> planning', actual_stage: 'coding' },
        workflow: 'agent-loop',
      };
      expect(await elsewhere(false)).toMatchObject({ ...missed, valid: false });
      expect(await elsewhere(true)).toMatchObject({ ...missed, valid: true });
      const leap = { from_stage: 'exploring', to_stage: 'coding', actual_stage: 'coding' };
      expect(await ok('assert_workflow_transition', leap)).toMatchObject({ passed: false, valid: false });
      expect(await ok('assert_workflow_transition', { ...leap, allow_skip: true })).toMatchObject({
        passed: true,
        valid: true,
      });
      const back = { from_stage: 'coding', to_stage: 'committing', actual_stage: 'planning' };
      expect(await ok('assert_workflow_transition', back)).toMatchObject({
        ...{ passed: false, expected_transition: 'coding -> committing' },
        ...{ actual_stage: 'planning', valid: true },
      });
      // Two workflows have both stages of the step; the stage found is of one of them.
      const visual = { from_stage: 'committing', to_stage: 'complete', actual_stage: 'polished' };
      expect(await ok('assert_workflow_transition', visual)).toMatchObject({
        ...{ passed: false, valid: false, workflow: 'visual-iteration' },
      });
      const suggested = (response: string, more: object = {}) =>
        ok('assert_command_suggested', { response, command_name: 'plan', ...more });
      const around = 'It is explored, so now run /agent-loop:plan, which writes everything down.';
      const found = {
        ...{ passed: true, command_found: '/agent-loop:plan', location: 27, weak: false },
        context: 'xplored, so now run /agent-loop:plan, which writes every',
      };
      expect(await suggested(around)).toMatchObject(found);
      expect(await suggested(around, { command_name: '/plan' })).toMatchObject(found);
      expect(await suggested('Now run /plan.', { allow_variations: false })).toMatchObject({
        ...{ passed: true, command_found: '/plan', location: 8, context: 'Now run /plan.', weak: false },
      });
      const spoken = (allow_variations: boolean) =>
        suggested('Please run the plan command.', { allow_variations });
      expect(await spoken(true)).toMatchObject({
        ...{ passed: true, command_found: 'run the plan command', location: 7, weak: true },
        context: 'Please run the plan command.',
      });
      const none = { passed: false, command_found: null, location: -1, context: '' };
      expect(await spoken(false)).toMatchObject(none);
      expect(await suggested('Now I plan ahead.')).toMatchObject(none);
      expect(
        await ok('assert_error_handled_gracefully', {
          response: 'Everything went well.',
          error_type: 'file_not_found',
        }),
      ).toMatchObject({ passed: false });
      expect(
        await ok('assert_error_handled_gracefully', {
          response: 'I could not find that file: it does not exist. Let us check the folder.',
          error_type: 'file_not_found',
        }),
      ).toMatchObject({ passed: true, graceful: true, recovery_suggested: true, suggests_recovery: true });
    });
  });
}
