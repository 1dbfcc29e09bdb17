import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  conversation,
  onPrompt,
  runScenarios,
  type StubbedServer,
  toolAnswered,
  turnsCompleted,
} from '../../../src/index.js';
import { covers } from '../../coverage/covers.js';
import { tempFolder } from '../../support/cli.js';
import { connect } from './harness-client.js';

const TOOL = 'mcp__plugin_weather_station__forecast';
const manifest = JSON.stringify({ name: 'weather', version: '1.0.0', description: 'Forecasts' });
/** A server that would not start. */
const servers = JSON.stringify({ mcpServers: { station: { command: '/no/such/program' } } });
const SCRIPT = `rules:
  - on: /weather in (\\w+)/
    steps:
      - tool: ${TOOL}
        input: { city: '{{1}}' }
      - say: done
`;
const forecast = (...answers: StubbedServer['tools'][string]['answers']): StubbedServer => ({
  tools: { forecast: { description: 'The weather of a city', answers } },
});

function talkAboutWeather(answer: string) {
  return conversation({
    id: 'weather',
    tier: 9,
    priority: 'must',
    phase: 'green',
    description: 'The plugin asks its station',
    covers: [],
    arrange: () => ({
      plugins: [
        {
          name: 'weather',
          files: { '.claude-plugin/plugin.json': manifest, '.mcp.json': servers },
          stubs: { station: forecast({ text: answer }) },
        },
      ],
      allowedTools: ['mcp__plugin_weather_station'],
      turns: ['What is the weather in Oslo?'],
    }),
    expect: () => ({
      completed: turnsCompleted(),
      rain: toolAnswered(1, TOOL, 'Rain in Oslo'),
    }),
    agent: [
      onPrompt(/weather in (\w+)/)
        .calls(TOOL, { city: '{{1}}' })
        .says('done'),
    ],
  });
}

/** Stubs for the servers of plugins, in every offline lane. */
export function testStubs(args: readonly string[], lane: 'sim' | 'scripted'): void {
  describe("a plugin's own MCP server", () => {
    test.each([
      ['Rain in {{city}}.', 'passed', []],
      ['Sun in {{city}}.', 'failed', [`${TOOL} returns "Rain in Oslo" in turn 1`]],
    ])('is played by the stub of a scenario, and its answer is noticed: %s', async (answer, outcome, red) => {
      const output = join(tempFolder(), '.e2e-tests');
      const { results } = await runScenarios([talkAboutWeather(answer)], {
        ...{ backends: ['claude'], lane, output },
      });
      expect(results.map((result) => result.outcome)).toEqual([outcome]);
      expect(results[0]?.assertions.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(red);
    });

    test('is played by a stub of install_plugin, under the same names, call by call', async () => {
      covers('A7');
      const { ok, call } = await connect({
        args: ['--script', 'agent.yaml', ...args],
        files: {
          'agent.yaml': SCRIPT,
          'weather/.claude-plugin/plugin.json': manifest,
          'weather/.mcp.json': servers,
        },
      });
      const install = (stubs: object) => call('install_plugin', { plugin_name: 'weather', stubs });
      const stub = forecast({ text: 'Rain in {{city}}.' }, { error: 'No forecast today.' });
      expect((await install({ station: stub })).data).toMatchObject({
        status: 'loaded',
        error: null,
        mcp_servers_started: ['plugin:weather:station'],
      });
      expect(await ok('get_plugin_status', { plugin_name: 'weather' })).toMatchObject({
        mcp_servers: [{ name: 'station', status: 'connected', error: null }],
      });
      const { session_id } = await ok('start_conversation', {});
      const ask = async () =>
        (await ok('send_prompt', { prompt: 'the weather in Oslo', session_id })).tool_calls[0];
      expect(await ask()).toMatchObject({ tool_name: TOOL, output: 'Rain in Oslo.', is_error: false });
      // Claude Code adds what the input should be.
      expect(await ask()).toMatchObject({
        output: expect.stringMatching(/^No forecast today\./),
        is_error: true,
      });
      const wrong = await install({ tower: stub });
      expect([wrong.failed, wrong.data.error]).toEqual([
        true,
        expect.stringContaining('the plugin weather has station'),
      ]);
    });
  });
}
