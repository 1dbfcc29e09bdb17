import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open, talk } from './opened.js';

/** A conversation with a workflow, in every offline lane. */
export function testWorkflow(args: readonly string[]): void {
  describe('a conversation', () => {
    test('goes through the stages of its workflow, shown by what really happened', async () => {
      covers(
        'H14',
        'H5',
        'H6',
        'H7',
        'H8',
        'H9',
        'H12',
        'H13',
        'H15',
        'H16',
        'H17',
        'H48',
        'H49',
        'C2',
        'C10',
        'C14',
        'C16',
        'C61',
        'C62',
        'C64',
        'A3',
        'A5',
        'A8',
      );
      const harness = await open(args);
      const { ok, root } = harness;
      const session_id = await talk(harness);
      const commands = await ok('list_available_commands', { session_id, filter_by_plugin: 'agent-loop' });
      expect(commands.commands.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['/agent-loop:code', '/agent-loop:explore', '/agent-loop:plan']),
      );
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({ stage: 'idle' });
      expect(
        await ok('verify_command_expansion', { command: '/explore', session_id, args: 'it' }),
      ).toMatchObject({
        valid: true,
        command_name: '/agent-loop:explore',
        plugin: 'agent-loop',
        available: true,
        expanded: 'Explore it now.\n',
      });
      expect(await ok('verify_command_expansion', { command: 'dance', session_id })).toMatchObject({
        valid: false,
      });

      const explored = await ok('execute_command', { command: 'explore', args: 'files', session_id });
      expect(explored).toMatchObject({
        command: '/agent-loop:explore',
        status: 'completed',
        response: 'STAGE: exploring. I saw files. Next is /agent-loop:plan',
        workflow_stage: 'exploring',
        tool_calls: [
          {
            tool_name: 'Read',
            is_error: false,
            started_at: expect.stringMatching(/^\d{4}-/),
            duration_ms: expect.any(Number),
          },
        ],
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
        cost_usd: 0,
        error: null,
      });
      const { response: text, workflow_stage: actual_stage } = explored;
      expect(
        await ok('assert_contains_keywords', { text, keywords: ['saw', 'dance'], require_all: false }),
      ).toMatchObject({ passed: true, found_keywords: ['saw'], missing_keywords: ['dance'] });
      const step = { from_stage: 'idle', to_stage: 'exploring', actual_stage };
      expect(await ok('assert_workflow_transition', step)).toMatchObject({ passed: true, valid: true });
      expect(
        await ok('assert_workflow_transition', { ...step, from_stage: 'exploring', to_stage: 'planning' }),
      ).toMatchObject({ passed: false, actual_stage: 'exploring' });
      expect(await ok('get_command_output', { execution_id: explored.execution_id })).toMatchObject({
        status: 'completed',
        complete: true,
        response: explored.response,
      });
      expect(await ok('get_agent_guidance', { session_id })).toMatchObject({
        guidance_text: 'Explore files now.',
        commands_available: expect.arrayContaining([
          ...['/agent-loop:code', '/agent-loop:explore', '/agent-loop:plan'],
        ]),
        workflow_stage: 'exploring',
      });
      const exploring = await ok('get_workflow_stage', { session_id });
      await ok('execute_command', { command: '/agent-loop:plan', session_id });
      const planning = await ok('get_workflow_stage', { session_id });
      expect(planning).toMatchObject({
        stage: 'planning',
        stage_actions_completed: ['PLAN.md was changed'],
        stage_actions_remaining: [],
      });
      await ok('execute_command', { command: '/code', session_id });
      expect(readFileSync(join(root, 'project/calculator.py'), 'utf8')).toContain('a + b');
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({
        stage: 'coding',
        workflow: 'agent-loop',
        allowed_transitions: ['committing', 'planning'],
        stage_actions_completed: ['Edit was used'],
        stage_actions_remaining: [],
        proofs: ['commanded', 'observed'],
      });
      const transition = { session_id, expected_stage: 'coding' };
      expect(await ok('verify_agent_transition', { ...transition, from_stage: 'planning' })).toMatchObject({
        valid: true,
        transition_trigger: '/agent-loop:code',
      });
      expect(await ok('verify_agent_transition', { ...transition, from_stage: 'idle' })).toMatchObject({
        valid: false,
        previous_stage: 'planning',
      });
      expect(await ok('verify_agent_transition', transition)).toMatchObject({
        ...{ valid: true, actual_stage: 'coding', expected_stage: 'coding', previous_stage: 'planning' },
        transition_time: (await ok('get_workflow_stage', { session_id })).stage_entry_time,
      });
      expect(await ok('verify_agent_transition', { session_id, expected_stage: 'planning' })).toMatchObject({
        valid: false,
        actual_stage: 'coding',
        expected_stage: 'planning',
      });
      expect(await ok('get_agent_mode', { session_id })).toMatchObject({
        agent_name: 'default',
        mode_context: { current_stage: 'coding', stages_completed: ['idle', 'exploring', 'planning'] },
      });

      const history = await ok('get_conversation_history', { session_id, limit: 2, offset: 2 });
      expect(history).toMatchObject({
        total_turns: 6,
        turns: [
          { turn_number: 3, role: 'user', content: '/agent-loop:plan' },
          { turn_number: 4, role: 'assistant', content: 'Next is /code', workflow_stage: 'planning' },
        ],
      });
      const ended = await ok('end_conversation', { session_id });
      expect(ended).toMatchObject({ total_turns: 6, history_saved: true, cost_usd: 0 });
      const whole = await ok('get_conversation_history', { session_id });
      const answers = whole.turns.filter(({ role }: { role: string }) => role === 'assistant');
      expect(answers[0].tool_calls).toMatchObject([{ tool_name: 'Read' }]);
      const outputs = answers.map((turn: { usage: { output_tokens: number } }) => turn.usage.output_tokens);
      expect(Math.min(...outputs)).toBeGreaterThan(0);
      expect(ended.usage.output_tokens).toBe(outputs.reduce((sum: number, one: number) => sum + one, 0));
      const saved = JSON.parse(readFileSync(ended.history_path, 'utf8'));
      expect(saved).toMatchObject({
        session_id,
        workflow: 'agent-loop',
        stage: 'coding',
        agent_mode: 'default',
        working_directory: join(root, 'project'),
        plugins: [{ name: 'agent-loop' }],
        commands: expect.arrayContaining(['/agent-loop:plan']),
        created_at: expect.stringMatching(/^\d{4}-/),
      });
      expect(Date.parse(saved.created_at)).toBeLessThanOrEqual(Date.parse(saved.turns[0].timestamp));
      const sent = saved.turns.filter(({ role }: { role: string }) => role === 'user');
      expect(sent.map(({ content }: { content: string }) => content)).toEqual([
        '/agent-loop:explore files',
        '/agent-loop:plan',
        '/agent-loop:code',
      ]);
      // A stage is entered when a turn shows it.
      const [first, second] = answers.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
      expect(Date.parse(planning.stage_entry_time)).toBeGreaterThanOrEqual(second);
      expect(Date.parse(exploring.stage_entry_time)).toBeGreaterThanOrEqual(first);
      expect(Date.parse(exploring.stage_entry_time)).toBeLessThan(second);
      // Each stage ends when the next one begins.
      const { stage_visits } = saved;
      expect(stage_visits.map(({ stage, trigger }: Record<string, unknown>) => [stage, trigger])).toEqual([
        ['idle', null],
        ['exploring', '/agent-loop:explore'],
        ['planning', '/agent-loop:plan'],
        ['coding', '/agent-loop:code'],
      ]);
      const entered = stage_visits.map((visit: { entered_at: string }) => visit.entered_at);
      expect(entered.slice(1, 3)).toEqual([exploring.stage_entry_time, planning.stage_entry_time]);
      expect(stage_visits.map((visit: { left_at: string }) => visit.left_at)).toEqual([
        ...entered.slice(1),
        null,
      ]);
    });

    test('tells a step that its workflow does not allow', async () => {
      covers('H17', 'C63');
      const harness = await open(args);
      const { ok } = harness;
      const session_id = await talk(harness);
      const verify = (expected: object) => ok('verify_agent_transition', { session_id, ...expected });
      expect(await verify({ expected_stage: 'idle' })).toMatchObject({
        ...{ valid: true, actual_stage: 'idle', previous_stage: null },
        ...{ transition_time: null, transition_trigger: null },
      });
      await ok('execute_command', { command: '/code', session_id });
      for (const from of [{}, { from_stage: 'idle' }])
        expect(await verify({ expected_stage: 'coding', ...from })).toMatchObject({
          ...{ valid: false, actual_stage: 'coding', previous_stage: 'idle' },
          transition_trigger: '/agent-loop:code',
          details: expect.stringContaining('idle -> coding'),
        });
    });

    test('tells what a stage still lacks', async () => {
      covers('H16', 'A8', 'C16');
      const { ok, root } = await open(args);
      writeFileSync(join(root, 'idle.yaml'), 'rules:\n  - { on: any, say: Done. }\n');
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const { session_id } = await ok('start_conversation', { config: { script: 'idle.yaml' } });
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({ stage: 'idle' });
      await ok('execute_command', { command: '/explore', session_id });
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({
        stage: 'exploring',
        stage_actions_completed: [],
        stage_actions_remaining: [expect.stringContaining('read')],
        proofs: ['commanded'],
      });
    });
  });
}
