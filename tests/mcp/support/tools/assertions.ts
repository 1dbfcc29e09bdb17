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
      expect(
        await ok('assert_command_suggested', { response: 'Now run /agent-loop:plan.', command_name: 'plan' }),
      ).toMatchObject({ passed: true, command_found: '/agent-loop:plan', location: 8 });
      expect(
        await ok('assert_command_suggested', { response: 'Now I plan ahead.', command_name: 'plan' }),
      ).toMatchObject({ passed: false, command_found: null, location: -1 });
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
