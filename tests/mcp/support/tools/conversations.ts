import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open, talk } from './opened.js';

/** A tool call that ends only with its conversation. */
const HANG = 'mkfifo gate && read -r line < gate';
const SLOW = `rules:
  - on: any
    steps:
      - say: I begin.
      - run: ${HANG}
      - say: Never.
`;

/** Conversations, their hooks and their limits, in every offline lane. */
export function testConversations(args: readonly string[]): void {
  describe('a conversation', () => {
    test('tells what a hook blocked, and in what', async () => {
      covers('H18', 'H19', 'H20', 'H21', 'A9', 'A10');
      const harness = await open(args);
      const { ok } = harness;
      const session_id = await talk(harness);
      const looked = await ok('send_prompt', { prompt: 'look at the folder', session_id });
      const pushed = await ok('send_prompt', { prompt: 'push it', session_id });
      const forbidden = await ok('send_prompt', { prompt: 'a forbidden thing', session_id });
      expect(forbidden).toMatchObject({ status: 'error', error: 'blocked by a hook: a bad word' });
      const check = (action_id: string) => ok('verify_hook_blocked_action', { action_id });
      expect(await check(pushed.tool_calls[0].id)).toMatchObject({
        blocked: true,
        hook_name: 'PreToolUse:Bash',
        block_reason: 'no pushing',
      });
      expect(await check(forbidden.response_id)).toMatchObject({ blocked: true, block_reason: 'a bad word' });
      expect(await check(looked.tool_calls[0].id)).toMatchObject({ blocked: false });

      const log = await ok('get_hook_execution_log', { hook_name: 'PreToolUse:Bash' });
      expect(log.executions.map(({ status }: { status: string }) => status)).toEqual(['success', 'blocked']);
      expect(log.executions[1].event_payload).toMatchObject({ tool_input: { command: 'git push' } });
      const hooks = await ok('list_active_hooks', { session_id });
      expect(
        hooks.hooks.map((hook: Record<string, unknown>) => [hook.hook_name, hook.execution_count]),
      ).toEqual([
        ['PreToolUse:Bash', 2],
        ['UserPromptSubmit', 3],
      ]);
      const trigger = (command: string) =>
        ok('trigger_hook', { hook_name: 'PreToolUse:Bash', payload: { tool_input: { command } } });
      expect(await trigger('git push')).toMatchObject({
        status: 'blocked',
        action_blocked: true,
        error: 'no pushing',
      });
      const passed = await trigger('ls');
      expect(passed).toMatchObject({ status: 'success', action_blocked: false });
      // The variable was set: the handler was told where its plugin lies.
      expect(passed.output).toContain('/plugins/agent-loop');
    });

    test('can be polled, and outlives a turn that takes too long', async () => {
      covers('H6', 'H10', 'H11', 'A2', 'A4');
      const harness = await open(args);
      const { ok, call } = harness;
      const session_id = await talk(harness);
      const sent = await ok('send_prompt', { prompt: 'hello', session_id, wait_for_response: false });
      await expect
        .poll(async () => (await ok('get_response', { response_id: sent.response_id })).status, {
          timeout: 50_000,
        })
        .toBe('complete');
      expect(await ok('get_response', { response_id: sent.response_id })).toMatchObject({
        ...{ prompt: 'hello', response_text: 'You said hello.', tool_calls: [] },
        ...{ error: null, error_name: null, duration_ms: expect.any(Number) },
      });
      const looked = await ok('send_prompt', { prompt: 'look at the folder', session_id });
      expect(looked).toMatchObject({
        response_text: 'I looked.',
        tool_calls: [{ tool_name: 'Bash', output: expect.stringContaining('calculator.py') }],
      });
      expect(await ok('get_response', { response_id: looked.response_id })).toEqual(looked);
      const started = await ok('execute_command', {
        ...{ command: '/explore', args: 'files', session_id, wait_for_completion: false },
      });
      expect(started).toMatchObject({ status: 'pending', response: null });
      const { execution_id } = started;
      await expect
        .poll(async () => (await ok('get_command_output', { execution_id })).complete, { timeout: 50_000 })
        .toBe(true);
      expect(await ok('get_command_output', { execution_id })).toMatchObject({
        status: 'completed',
        response: expect.stringContaining('I saw files'),
      });
      const late = await ok('send_prompt', { prompt: 'take your time', session_id, timeout_ms: 500 });
      expect(late).toMatchObject({ status: 'error', error_name: 'PromptTimeoutError' });
      expect(late.error).toContain('The session goes on.');
      const next = await ok('send_prompt', { prompt: 'hello again', session_id });
      expect(next).toMatchObject({ status: 'complete', response_text: 'You are back.' });

      await ok('send_prompt', { prompt: 'take your time', session_id, wait_for_response: false });
      const early = await call('send_prompt', { prompt: 'too early', session_id });
      expect([early.failed, early.data.error_name]).toEqual([true, 'StateTransitionError']);
    });

    test('tells what a turn in progress has said, and which tool runs', async () => {
      covers('H6', 'H11', 'C15', 'A2');
      const harness = await open(args);
      const { ok, root } = harness;
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      writeFileSync(join(root, 'slow.yaml'), SLOW);
      const start = async () =>
        (await ok('start_conversation', { config: { script: 'slow.yaml' } })).session_id;
      const [prompted, commanded] = [await start(), await start()];
      const sent = await ok('send_prompt', {
        ...{ prompt: 'Begin', session_id: prompted, wait_for_response: false },
      });
      const ran = await ok('execute_command', {
        ...{ command: '/plan', session_id: commanded, wait_for_completion: false, timeout_ms: 3_600_000 },
      });
      const running = {
        ...{ tool_name: 'Bash', input: { command: HANG }, output: null, is_error: false },
        ...{ started_at: expect.stringMatching(/^\d{4}-/), duration_ms: null },
      };
      const calling = { tool_calls: [expect.objectContaining({ tool_name: 'Bash' })] };
      const response = () => ok('get_response', { response_id: sent.response_id });
      await expect.poll(response, { timeout: 50_000 }).toMatchObject(calling);
      expect(await response()).toMatchObject({
        ...{ prompt: 'Begin', status: 'streaming', response_text: 'I begin.', tool_calls: [running] },
        ...{ duration_ms: null, usage: null, error: null, error_name: null },
      });
      const output = () => ok('get_command_output', { execution_id: ran.execution_id });
      await expect.poll(output, { timeout: 50_000 }).toMatchObject(calling);
      expect(await output()).toMatchObject({
        ...{ status: 'running', complete: false, response: 'I begin.', tool_calls: [running] },
        ...{ error: null, error_name: null },
      });
      for (const session_id of [prompted, commanded]) await ok('end_conversation', { session_id });
      expect(await response()).toMatchObject({ response_text: 'I begin.', duration_ms: expect.any(Number) });
      expect((await response()).status).not.toBe('streaming');
      expect(await output()).toMatchObject({ response: 'I begin.', complete: true });
    });

    test('tells an error of the service from an answer', async () => {
      const harness = await open(args);
      const session_id = await talk(harness);
      const failed = await harness.ok('send_prompt', { prompt: 'overload', session_id });
      expect(failed).toMatchObject({ status: 'error', error_name: 'BackendUnavailableError' });
    });

    test('does not mix with another one', async () => {
      covers('H47', 'H52', 'H54');
      const { ok, call, root } = await open(args);
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const own = (word: string) => `rules:\n  - on: any\n    say: "${word} {{prompt}}"\n`;
      writeFileSync(join(root, 'one.yaml'), own('One heard'));
      writeFileSync(join(root, 'two.yaml'), own('Two heard'));
      const start = (script: string, plugins?: string[]) =>
        ok('start_conversation', { config: { script, ...(plugins === undefined ? {} : { plugins }) } });
      const [one, two] = await Promise.all([start('one.yaml'), start('two.yaml', [])]);
      expect(one.session_id).not.toBe(two.session_id);
      expect(one.working_directory).not.toBe(two.working_directory);
      const say = (session_id: string, prompt: string) => ok('send_prompt', { session_id, prompt });
      const answers = await Promise.all([say(one.session_id, 'apples'), say(two.session_id, 'pears')]);
      expect(answers.map(({ response_text }) => response_text)).toEqual([
        'One heard apples',
        'Two heard pears',
      ]);
      const [first, second] = await Promise.all(
        [one, two].map(({ session_id }) => ok('get_conversation_history', { session_id })),
      );
      expect([first.total_turns, second.total_turns]).toEqual([2, 2]);
      // The hooks of the plugin ran in the one that has it alone.
      const ran = async ({ session_id }: { session_id: string }) =>
        (await ok('list_active_hooks', { session_id })).hooks.length;
      expect([await ran(one), await ran(two)]).toEqual([2, 0]);
      // A third one has the plugin too, and another agent.
      const three = await ok('start_conversation', {
        config: { script: 'one.yaml', agent_mode: 'agent-loop:guide' },
      });
      await ok('execute_command', { command: '/explore', args: 'x', session_id: one.session_id });
      const stage = async ({ session_id }: { session_id: string }) => {
        const { data } = await call('get_workflow_stage', { session_id });
        return data.stage ?? data.error_name;
      };
      expect([await stage(one), await stage(two), await stage(three)]).toEqual([
        ...['exploring', 'NoWorkflowError', 'idle'],
      ]);
      const mode = async ({ session_id }: { session_id: string }) =>
        (await ok('get_agent_mode', { session_id })).agent_name;
      expect([await mode(one), await mode(two), await mode(three)]).toEqual([
        ...['default', 'default', 'agent-loop:guide'],
      ]);
      const commands = async ({ session_id }: { session_id: string }) =>
        (await ok('list_available_commands', { session_id })).commands.filter(
          ({ name }: { name: string }) => name === '/agent-loop:plan',
        ).length;
      expect([await commands(one), await commands(two)]).toEqual([1, 0]);
      const lengths = [one, two, three].map(
        async ({ session_id }) => (await ok('get_conversation_history', { session_id })).total_turns,
      );
      expect(await Promise.all(lengths)).toEqual([4, 2, 0]);
      await ok('end_conversation', { session_id: one.session_id, save_history: false });
      expect((await say(two.session_id, 'plums')).response_text).toBe('Two heard plums');
    });
  });
}
