import { describe, expect, test } from 'vitest';
import { conversation } from '../../../src/domain/scenario/scenario.js';
import type { Lane } from '../../../src/domain/vocabulary.js';
import { whySkipped } from '../../../src/run/select/why-skipped.js';

const define = (change: Partial<Parameters<typeof conversation>[0]>) =>
  conversation({
    id: 'talk',
    tier: 8,
    priority: 'must',
    phase: 'green',
    description: '',
    covers: [],
    arrange: () => ({ turns: [] }),
    expect: () => [],
    agent: [],
    ...change,
  });

const obstacle = (
  change: Parameters<typeof define>[0],
  path = '/bin',
  kind: 'real' | 'stand-in' = 'stand-in',
  lane: Lane = 'sim',
) =>
  whySkipped({ scenario: define(change), backend: 'claude' }, new Map(), {
    lane,
    env: { PATH: path },
    target: { kind },
  });

const why = async (...call: Parameters<typeof obstacle>) => (await obstacle(...call))?.reason ?? null;

test('a scenario that can run has no reason', async () => {
  expect(await why({ programs: ['sh'] })).toBeNull();
});

test('the lane and the programs tell why not', async () => {
  expect(await why({ unplayable: { sim: 'it has a server' } })).toBe('it has a server');
  expect(await why({ unplayable: { live: 'it has a server' } })).toBeNull();
  expect(await why({ programs: ['sh'] }, '/nowhere')).toBe('needs sh, which is not on PATH');
});

test('what the stand-in for Ralph cannot do needs a real one', async () => {
  expect(await why({ beyondStandIn: 'waves' })).toContain(
    'needs a real ralph: the stand-in for it cannot do this (waves)',
  );
  expect(await why({ beyondStandIn: 'waves' }, '/bin', 'real')).toBeNull();
});

test('what runs a skipped test is known as data', async () => {
  const needs = async (...call: Parameters<typeof obstacle>) => (await obstacle(...call))?.needs;
  expect(await needs({ beyondStandIn: 'waves' })).toBe('real-ralph');
  expect(await needs({ unplayable: { sim: 'it has a server' } })).toBe('scripted-lane');
  expect(await needs({ unplayable: { sim: 'no', scripted: 'no' } })).toBe('live-lane');
  expect(await needs({ programs: ['sh'] }, '/nowhere')).toBeUndefined();
  const onKiro = { scenario: define({ unplayable: { sim: 'no' } }), backend: 'kiro' } as const;
  const call = { lane: 'sim', env: { PATH: '/bin' }, target: { kind: 'real' } } as const;
  expect(await whySkipped(onKiro, new Map(), call)).toMatchObject({ needs: 'live-lane' });
});

describe('a plugin that the stand-in does not play', () => {
  const files = {
    '.claude-plugin/plugin.json': JSON.stringify({ name: 'notary', version: '1.0.0', description: 'Signs' }),
    '.mcp.json': JSON.stringify({ mcpServers: { registry: { command: 'node', args: ['server.js'] } } }),
  };
  const arrange = (plugin: object) => () => ({
    turns: ['hi'],
    plugins: [{ name: 'notary', files, ...plugin }],
  });

  test('is told before the run, with what plays it', async () => {
    expect(await why({ arrange: arrange({}) })).toBe(
      'the plugin notary has MCP servers (registry), which the stand-in for claude does not play: use --lane scripted, which runs the real Claude Code at no cost, or play the server with `stubs`',
    );
    const hooks = { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is it safe?' }] }] } };
    const judged = { ...files, '.mcp.json': null, 'hooks/hooks.json': JSON.stringify(hooks) };
    const reason = await why({ arrange: arrange({ files: judged }) });
    expect(reason).toContain('the plugin notary has a PreToolUse hook of the type "prompt", which');
    expect(reason).not.toContain('stubs');
  });

  test('runs with stubs, in the other lanes, and to report its own error', async () => {
    const stubs = { registry: { tools: [] } };
    expect(await why({ arrange: arrange({ stubs }) })).toBeNull();
    expect(await why({ arrange: arrange({}) }, '/bin', 'stand-in', 'scripted')).toBeNull();
    expect(await why({ arrange: arrange({ from: '/nowhere' }) })).toBeNull();
  });
});
