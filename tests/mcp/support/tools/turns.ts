import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open, talk } from './opened.js';

/** A tool call that ends only with its conversation. */
const HANG = `'${process.execPath}' -e 'setInterval(() => {}, 1e6)'`;
const SLOW = `rules:
  - on: any
    steps:
      - say: I begin.
      - run: ${JSON.stringify(HANG)}
      - say: Never.
`;

/** Turns in progress and turns that take too long, in every offline lane. */
export function testTurns(args: readonly string[]): void {
  describe('a turn', () => {
    test('can be polled, and the conversation outlives one that takes too long', async () => {
      covers('H6', 'H10', 'H11', 'C66', 'A2', 'A4');
      const harness = await open(args);
      const { ok, call, root } = harness;
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
      // First, for the same reason as in the script of the others.
      writeFileSync(join(root, 'slow.yaml'), SLOW.replace('rules:', 'rules:\n  - { on: hello, say: Back. }'));
      const slow = await ok('start_conversation', { config: { script: 'slow.yaml' } });
      const stuck = { command: '/plan', session_id: slow.session_id, timeout_ms: 500 };
      expect(await ok('execute_command', stuck)).toMatchObject({
        ...{ status: 'timeout', error_name: 'CommandTimeoutError' },
        error: expect.stringContaining('within 0.5 s'),
      });
      const after = await ok('send_prompt', { prompt: 'hello', session_id: slow.session_id });
      expect(after).toMatchObject({ status: 'complete', response_text: 'Back.' });
      const { history_path } = await ok('end_conversation', { session_id: slow.session_id });
      const saved = JSON.parse(readFileSync(history_path, 'utf8'));
      const asked = saved.turns.filter(({ role }: { role: string }) => role === 'user');
      expect(asked).toMatchObject([{ content: '/agent-loop:plan' }, { content: 'hello' }]);
      expect(saved.outcomes).toEqual(['cancelled at its limit of 0.5 s', 'completed']);

      await ok('send_prompt', { prompt: 'take your time', session_id, wait_for_response: false });
      const early = await call('send_prompt', { prompt: 'too early', session_id });
      expect([early.failed, early.data.error_name]).toEqual([true, 'StateTransitionError']);
    });

    test('tells in progress what it has said, and which tool runs', async () => {
      covers('H6', 'H11', 'C7', 'C8', 'C9', 'C15', 'A2');
      const harness = await open(args);
      const { ok, root } = harness;
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      writeFileSync(join(root, 'slow.yaml'), SLOW);
      const start = async () =>
        (await ok('start_conversation', { config: { script: 'slow.yaml' } })).session_id;
      const [prompted, commanded] = [await start(), await start()];
      const sent = await ok('send_prompt', {
        ...{ prompt: 'Begin', session_id: prompted, wait_for_response: false, timeout_ms: 3_600_000 },
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
        ...{
          command: '/agent-loop:plan',
          status: 'running',
          complete: false,
          response: 'I begin.',
          tool_calls: [running],
        },
        ...{ error: null, error_name: null },
      });
      const [prompt, command] = await Promise.all(
        [prompted, commanded].map(async (session_id) => {
          const { history_path } = await ok('end_conversation', { session_id });
          return JSON.parse(readFileSync(history_path, 'utf8')).state_log;
        }),
      );
      const at = expect.stringMatching(/^\d{4}-/);
      expect(prompt).toContainEqual(expect.objectContaining({ event: 'prompt-sent', detail: 'Begin', at }));
      const recognised = { event: 'command-recognised', to: 'COMMAND_EXECUTING', detail: 'agent-loop:plan' };
      expect(command).toContainEqual(expect.objectContaining({ ...recognised, at }));
      expect(await response()).toMatchObject({ response_text: 'I begin.', duration_ms: expect.any(Number) });
      expect((await response()).status).not.toBe('streaming');
      expect(await output()).toMatchObject({ response: 'I begin.', complete: true });
    });
  });
}
