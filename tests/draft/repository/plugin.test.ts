import { expect, test } from 'vitest';
import { draftConversations } from '../../../src/draft/repository/conversation.js';
import { readDraftedPlugins } from '../../../src/draft/repository/plugin.js';
import { layOut } from '../../mcp/support/harness-client.js';
import { tempFolder } from '../../support/cli.js';

const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0', description: name });

test('a draft expects no hook that may not run', async () => {
  const folder = tempFolder();
  const hook = (matcher: string, more: object = {}) => ({
    matcher,
    hooks: [{ type: 'command', command: 'true', ...more }],
  });
  layOut(folder, {
    '.claude-plugin/plugin.json': manifest('p'),
    'hooks/hooks.json': JSON.stringify({
      hooks: {
        PreToolUse: [hook('Write', { if: 'Write(*.ts)' })],
        PostToolUse: [hook('^(Write|Edit)$')],
        Stop: [hook('', { if: 'Bash' })],
        SessionStart: [hook('resume, startup')],
      },
    }),
  });
  const [plugin] = await readDraftedPlugins(folder, null);
  expect(plugin?.hooks).toEqual({ always: ['SessionStart'], onWrite: ['PostToolUse'] });
});

test('plugins whose names become the same have scenarios of their own', () => {
  const plugin = (name: string) => ({
    ...{ name, notPlayed: null, folder: name, offered: [], agents: [], use: null },
    hooks: { always: [], onWrite: [] },
  });
  const source = draftConversations(['my_tool', 'my-tool', 'my.tool-2', 'mytool'].map(plugin));
  const names = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name);
  const ids = names(/^ {2}id: '(.*)',$/gm);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(4);
  expect(new Set(names(/^export const (\w+)/gm)).size).toBe(4);
  expect(ids.slice(0, 2)).toEqual(['my-tool-loads', 'my-tool-2-loads']);
});
