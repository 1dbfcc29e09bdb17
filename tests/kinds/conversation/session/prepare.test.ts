import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareSession, type SessionSetup } from '../../../../src/kinds/conversation/session/prepare.js';

const SETUP: SessionSetup = {
  backend: 'claude',
  laneSetup: { lane: 'sim', env: { PATH: '/bin' }, secrets: ['a secret'] },
  executable: '/bin/claude',
  cwd: '/projects/one',
  artifacts: '/artifacts',
  sessionTimeoutSeconds: 60,
  marker: { name: 'MARK', value: '1' },
};
const LIVE = { ...SETUP, laneSetup: { ...SETUP.laneSetup, lane: 'live' } } as const;
const WITHOUT_USER = ['--setting-sources', 'project,local'];

test('a session has its hook log among its artifacts, and edits are accepted unless it says otherwise', () => {
  expect(prepareSession(SETUP)).toMatchObject({
    env: { PATH: '/bin', E2E_HOOK_LOG: join('/artifacts', 'hook-log.jsonl') },
    secrets: ['a secret'],
    permissionMode: 'acceptEdits',
    allowedTools: [],
    pluginDirs: [],
    args: [],
  });
  expect(prepareSession({ ...SETUP, permissionMode: 'plan' }).permissionMode).toBe('plan');
});

test('agent, model and settings come before what the caller adds', () => {
  const { args } = prepareSession({
    ...LIVE,
    agent: 'guide',
    model: 'small',
    settings: { enabledPlugins: { a: true } },
    args: ['--more'],
  });
  const [settings = ''] = args.slice(5);
  expect(args).toEqual([
    ...['--agent', 'guide', '--model', 'small', '--settings', settings],
    ...WITHOUT_USER,
    '--more',
  ]);
  expect(JSON.parse(settings)).toMatchObject({
    claudeMdExcludes: expect.arrayContaining(['/projects/CLAUDE.md', '/CLAUDE.md']),
    autoMemoryEnabled: false,
    enabledPlugins: { a: true },
  });
});

test("the user's own settings stay out of a live session, and of no other", () => {
  expect(prepareSession(LIVE).args).toEqual(WITHOUT_USER);
  expect(prepareSession(SETUP).args).toEqual([]);
});

test('a separate configuration folder is read: its plugins are settings of that folder', () => {
  const { env, args } = prepareSession({ ...LIVE, configFolder: '/config' });
  expect(env.CLAUDE_CONFIG_DIR).toBe('/config');
  expect(args).toEqual([]);
});

test('a CLI that takes no settings by its arguments gets none', () => {
  expect(prepareSession({ ...SETUP, backend: 'opencode', settings: {} }).args).toEqual([]);
});
