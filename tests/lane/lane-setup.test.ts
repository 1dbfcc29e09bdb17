import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onAnyPrompt } from '../../src/agent/builder.js';
import type { AgentScript } from '../../src/domain/agent-script.js';
import { type LaneSetupOptions, setUpLane } from '../../src/lane/lane-setup.js';
import { tempFolder } from '../support/cli.js';

const SCRIPT: AgentScript = { format: 1, rules: [onAnyPrompt().says('yes').rule] };
const OF_THE_USER = 'key-of-the-user';

async function layOut(lane: LaneSetupOptions['lane'], more: Partial<LaneSetupOptions> = {}) {
  const artifacts = tempFolder();
  const laneSetup = await setUpLane({
    lane,
    backends: ['claude'],
    script: SCRIPT,
    places: { artifacts, home: join(artifacts, 'home') },
    env: { PATH: '/bin' },
    base: { ANTHROPIC_API_KEY: OF_THE_USER },
    ...more,
  });
  onTestFinished(laneSetup.close);
  return { laneSetup, artifacts, home: join(artifacts, 'home') };
}

const readScript = (folder: string) => JSON.parse(readFileSync(join(folder, 'agent-script.json'), 'utf8'));

test('in the live lane a CLI gets the environment of the lane and nothing else', async () => {
  const { laneSetup, artifacts } = await layOut('live', { script: null });
  expect(laneSetup).toMatchObject({ lane: 'live', env: { PATH: '/bin' }, agentLog: null, modelUrl: null });
  expect(Object.keys(laneSetup.env)).toEqual(['PATH']);
  expect(readdirSync(artifacts)).toEqual(['home']);
});

test('in the live lane credentials can be such that a service refuses them, in a home of their own', async () => {
  const { laneSetup, home } = await layOut('live', { credentials: 'refused' });
  expect(laneSetup.env).toMatchObject({ HOME: home, ANTHROPIC_API_KEY: expect.stringContaining('refused') });
  expect(laneSetup.secrets).toContain(laneSetup.env.ANTHROPIC_API_KEY);
});

test('in the sim lane the stand-ins get the script and a place to record their calls', async () => {
  const { laneSetup, artifacts, home } = await layOut('sim');
  expect(readScript(artifacts)).toEqual(SCRIPT);
  expect(laneSetup).toMatchObject({
    agentLog: join(artifacts, 'agent-calls.jsonl'),
    modelUrl: null,
    env: {
      HOME: home,
      RALPH_E2E_AGENT_SCRIPT: join(artifacts, 'agent-script.json'),
      RALPH_E2E_AGENT_LOG: join(artifacts, 'agent-calls.jsonl'),
    },
  });
});

test('in the scripted lane every CLI that takes part is given the model, until the setup is closed', async () => {
  const { laneSetup, artifacts, home } = await layOut('scripted', { backends: ['claude', 'opencode'] });
  const url = laneSetup.modelUrl ?? '';
  expect(laneSetup).toMatchObject({ agentLog: null, env: { HOME: home, ANTHROPIC_BASE_URL: url } });
  expect(laneSetup.env.OPENCODE_CONFIG_CONTENT).toContain(url);
  expect(readScript(artifacts)).toEqual(SCRIPT);
  expect(laneSetup.requests()).toEqual([]);
  expect(await askModel(url)).toMatchObject({ content: [{ text: 'yes' }] });
  expect(laneSetup.requests()).toHaveLength(1);
  expect(existsSync(join(artifacts, 'model-requests.jsonl'))).toBe(true);
  await laneSetup.close();
  await expect(askModel(url)).rejects.toThrow('fetch failed');
});

test('a value of the user is scrubbed although the lane sets a dummy of the same name', async () => {
  const { laneSetup } = await layOut('scripted');
  expect(laneSetup.env.ANTHROPIC_API_KEY).not.toBe(OF_THE_USER);
  expect(laneSetup.secrets).toEqual([OF_THE_USER, laneSetup.env.ANTHROPIC_API_KEY]);
});

test.each(['sim', 'scripted'] as const)('the %s lane is not laid out without a script', async (lane) => {
  await expect(layOut(lane, { script: null })).rejects.toThrow('needs a script, but none was given');
});

async function askModel(url: string) {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'dummy' },
    body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }),
  });
  return response.json();
}
