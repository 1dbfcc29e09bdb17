import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { open, talk } from './opened.js';

/** Conversations and their hooks, in every offline lane. */
export function testConversations(args: readonly string[]): void {
  describe('a conversation', () => {
    test('tells what a hook blocked, and in what', async () => {
      covers('H5', 'H18', 'H19', 'H20', 'H21', 'A3', 'A9', 'A10');
      const harness = await open(args);
      const { ok } = harness;
      const session_id = await talk(harness);
      const looked = await ok('send_prompt', { prompt: 'look at the folder', session_id });
      const pushed = await ok('send_prompt', { prompt: 'push it', session_id });
      const forbidden = await ok('send_prompt', { prompt: 'a forbidden thing', session_id });
      expect(forbidden).toMatchObject({ status: 'error', error: 'blocked by a hook: a bad word' });
      const stopped = await ok('execute_command', {
        ...{ command: '/plan', args: 'a forbidden thing', session_id },
      });
      expect(stopped).toMatchObject({
        ...{ command: '/agent-loop:plan', status: 'failed', tool_calls: [] },
        ...{ error: 'blocked by a hook: a bad word', agent_mode: 'default' },
      });
      const check = (action_id: string) => ok('verify_hook_blocked_action', { action_id });
      expect(await check(pushed.tool_calls[0].id)).toMatchObject({
        blocked: true,
        hook_name: 'PreToolUse:Bash',
        block_reason: 'no pushing',
      });
      expect(await check(forbidden.response_id)).toMatchObject({ blocked: true, block_reason: 'a bad word' });
      expect(await check(stopped.execution_id)).toMatchObject({ blocked: true, block_reason: 'a bad word' });
      expect(await check(looked.tool_calls[0].id)).toMatchObject({ blocked: false });

      const log = await ok('get_hook_execution_log', { hook_name: 'PreToolUse:Bash' });
      expect(log.executions.map(({ status }: { status: string }) => status)).toEqual(['success', 'blocked']);
      expect(log.executions[1].event_payload).toMatchObject({ tool_input: { command: 'git push' } });
      const page = async (limit: number, offset?: number) => {
        const { executions, total } = await ok('get_hook_execution_log', {
          ...{ hook_name: 'PreToolUse:Bash', limit, offset: offset ?? null },
        });
        return [total, ...executions.map(({ status }: { status: string }) => status)];
      };
      expect([await page(1), await page(1, 1), await page(5, 1), await page(1, 2)]).toEqual([
        [2, 'blocked'],
        [2, 'success'],
        [2, 'success'],
        [2],
      ]);
      const hooks = await ok('list_active_hooks', { session_id });
      const last = (hook_name: string) =>
        hooks.hooks.find((hook: Record<string, unknown>) => hook.hook_name === hook_name).last_execution;
      const prompts = await ok('get_hook_execution_log', { hook_name: 'UserPromptSubmit' });
      expect(last('PreToolUse:Bash')).toBe(log.executions[1].timestamp);
      expect(last('UserPromptSubmit')).toBe(prompts.executions.at(-1).timestamp);
      const fresh = await ok('start_conversation');
      expect(await ok('list_active_hooks', { session_id: fresh.session_id })).toEqual({
        hooks: [
          ['PreToolUse:Bash', 'PreToolUse', 'no pushing'],
          ['UserPromptSubmit', 'UserPromptSubmit', 'a bad word'],
        ].map(([hook_name, event, text]) => ({
          ...{ hook_name, event, plugin: 'agent-loop', handler: expect.stringContaining(`${text}`) },
          ...{ enabled: true, execution_count: 0, last_execution: null, shared_by: [] },
        })),
        total: 2,
      });
      expect(
        hooks.hooks.map((hook: Record<string, unknown>) => [hook.hook_name, hook.execution_count]),
      ).toEqual([
        ['PreToolUse:Bash', 2],
        ['UserPromptSubmit', 4],
      ]);
      expect((await ok('list_active_hooks')).total).toBe(2);
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
      await ok('uninstall_plugin', { plugin_name: 'agent-loop' });
      expect(await ok('list_active_hooks')).toEqual({ hooks: [], total: 0 });
    });

    test('has the agent, folder, plugins and files that it was started with', async () => {
      covers('H9', 'A6');
      const { ok, root } = await open(args);
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const word = randomUUID();
      writeFileSync(join(root, 'notes.md'), `The word is ${word}.\n`);
      const chosen = await ok('start_conversation', {
        config: {
          ...{ agent_mode: 'agent-loop:guide', working_directory: 'project', plugins: ['agent-loop'] },
          context_files: ['notes.md'],
        },
      });
      expect(chosen).toMatchObject({
        ...{ agent_mode: 'agent-loop:guide', plugins_active: ['agent-loop'] },
        working_directory: join(root, 'project'),
      });
      const plain = await ok('start_conversation', { config: { plugins: [] } });
      expect(plain).toMatchObject({ agent_mode: 'default', plugins_active: [] });
      expect(readdirSync(plain.working_directory)).toEqual([]);
      for (const { session_id } of [chosen, plain]) await ok('send_prompt', { prompt: 'hello', session_id });
      // What the agent or its model was sent is in the logs.
      const { artifact_paths } = await ok('capture_test_artifacts', { test_name: 'sent' });
      const got = ({ session_id }: { session_id: string }, what: string) =>
        artifact_paths
          .filter((path: string) => path.includes(session_id))
          .some((path: string) => readFileSync(path, 'utf8').includes(what));
      expect([got(chosen, word), got(plain, word)]).toEqual([true, false]);
      const looked = await ok('send_prompt', {
        prompt: 'look at the folder',
        session_id: chosen.session_id,
      });
      expect(looked.tool_calls[0].output).toContain('calculator.py');
    });

    test('tells an error of the service from an answer', async () => {
      const harness = await open(args);
      const session_id = await talk(harness);
      const failed = await harness.ok('send_prompt', { prompt: 'overload', session_id });
      expect(failed).toMatchObject({ status: 'error', error_name: 'BackendUnavailableError' });
    });

    test('does not mix with another one', async () => {
      covers('H14', 'H47', 'H52', 'H54', 'C14', 'A5');
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
      const logged = async ({ session_id }: { session_id: string }) =>
        (await ok('get_hook_execution_log', { hook_name: 'UserPromptSubmit', session_id })).executions;
      expect(await logged(one)).toMatchObject([{ session_id: one.session_id }]);
      expect(await logged(two)).toEqual([]);
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
      const unsaved = { session_id: one.session_id, save_history: false };
      expect(await ok('end_conversation', unsaved)).toMatchObject({
        ...{ total_turns: 4, history_saved: false, history_path: null },
      });
      expect(existsSync(join(root, '.e2e-tests/mcp/histories'))).toBe(false);
      const { history_path } = await ok('end_conversation', { session_id: three.session_id });
      expect(dirname(history_path)).toBe(join(root, '.e2e-tests/mcp/histories'));
      expect(JSON.parse(readFileSync(history_path, 'utf8'))).toMatchObject({
        ...{ session_id: three.session_id, agent_mode: 'agent-loop:guide', turns: [] },
      });
      expect((await say(two.session_id, 'plums')).response_text).toBe('Two heard plums');
    });
  });
}
