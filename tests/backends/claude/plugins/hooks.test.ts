import { describe, expect, test } from 'vitest';
import { load, names, read } from './plugin-of.js';

const HOOK = (command: string) => ({ Stop: [{ hooks: [{ type: 'command', command }] }] });

describe('hooks', () => {
  const file = JSON.stringify({ hooks: HOOK('file') });
  test.each([
    ['the usual file', {}, { 'hooks/hooks.json': file }, ['file']],
    [
      'the manifest itself, beside the file',
      { hooks: HOOK('inline') },
      { 'hooks/hooks.json': file },
      ['file', 'inline'],
    ],
    ['a path', { hooks: './x.json' }, { 'x.json': file }, ['file']],
    [
      'the path of the usual file, once',
      { hooks: './hooks/hooks.json' },
      { 'hooks/hooks.json': file },
      ['file'],
    ],
    ['several', { hooks: ['./x.json', HOOK('inline')] }, { 'x.json': file }, ['file', 'inline']],
  ])('from %s', (_, manifest, files, expected) => {
    expect(load(manifest, { ...files }).hooks.map(({ handler }) => handler)).toEqual(expected);
  });

  const broken = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', timeout: 0 }] }] };
  test.each([
    ['a malformed handler in the usual file', {}, { 'hooks/hooks.json': JSON.stringify({ hooks: broken }) }],
    [
      'a malformed handler in a file of the manifest',
      { hooks: './x.json' },
      { 'x.json': `{"hooks":${JSON.stringify(broken)}}` },
    ],
    ['a malformed handler in the manifest itself', { hooks: broken }, {}],
    ['no list of matchers', { hooks: { PermissionRequest: {} } }, {}],
    ['a matcher that is null', { hooks: { PreToolUse: [{ matcher: null, hooks: [] }] } }, {}],
    ['a list instead of an object', {}, { 'hooks/hooks.json': '{"hooks":[]}' }],
  ])('with %s, which may guard a plugin, nothing of it is read', (_, manifest, files) => {
    expect(read({ name: 'q', ...manifest }, { ...files, 'commands/a.md': 'A' })).toEqual({
      name: 'q',
      fault: { type: 'hook-load-failed', message: expect.stringMatching(/^Hook load failed: /) },
    });
  });

  const guard = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }] };
  test.each([
    ['an unknown kind of handler', { Stop: [{ hooks: [{ type: 'none' }] }] }],
    ['a handler that is no object', { Stop: [{ hooks: [null] }] }],
    ['an option that is no flag', { Stop: [{ hooks: [{ type: 'command', command: 'true', async: 'no' }] }] }],
    ['a matcher that is null', { Stop: [{ matcher: null, hooks: [] }] }],
    ['no list of matchers', { Stop: {} }],
  ])('with %s for any other event, it is left out, and the rest of the plugin is read', (_, hooks) => {
    const files = {
      'hooks/hooks.json': JSON.stringify({ hooks: { ...hooks, ...guard } }),
      'commands/c.md': 'C',
      '.mcp.json': '{"s":{"command":"x"}}',
    };
    const content = load({}, files);
    expect(content.hooks).toMatchObject([{ event: 'PreToolUse', handler: 'guard' }]);
    expect([names(content.slash), Object.keys(content.servers)]).toEqual([['p:c'], ['s']]);
    expect(content.faults).toEqual([]);
  });

  test.each(['{}', '[]', '{', '{"hooks":null}', '{"description":5,"hooks":{}}', '{"modules":[]}'])(
    'the file %s is a fault, and the rest of the plugin is read',
    (text) => {
      const content = load({}, { 'hooks/hooks.json': text, 'commands/c.md': 'C' });
      expect([names(content.slash), content.hooks]).toEqual([['p:c'], []]);
      expect(content.faults).toMatchObject([{ type: 'hook-load-failed' }]);
    },
  );

  test('handlers of unknown events are dropped without a word', () => {
    const hooks = { NoEvent: HOOK('x').Stop, hooks: HOOK('y'), PreToolUse: null, ...HOOK('z') };
    const content = load({}, { 'hooks/hooks.json': JSON.stringify({ hooks }) });
    expect(content.hooks).toMatchObject([{ event: 'Stop', handler: 'z' }]);
    expect(content.faults).toEqual([]);
  });
});

describe('an entry of a marketplace', () => {
  const own = { Stop: HOOK('own').Stop, SessionStart: HOOK('own').Stop };
  const file = { 'hooks/hooks.json': JSON.stringify({ hooks: own }) };
  const listHooks = (content: ReturnType<typeof read>) =>
    'hooks' in content ? content.hooks.map(({ event, handler }) => `${event} ${handler}`).sort() : content;

  test('has hooks that replace those of the plugin for the same event', () => {
    const content = load({}, file, { name: 'p', hooks: HOOK('entry') });
    expect(listHooks(content)).toEqual(['SessionStart own', 'Stop entry']);
  });

  test('has hooks that replace all those of a folder without a manifest', () => {
    expect(listHooks(read(null, file, { name: 'p', hooks: HOOK('entry') }))).toEqual(['Stop entry']);
  });

  test('cannot name a file of hooks', () => {
    expect(listHooks(load({}, file, { name: 'p', hooks: './x.json' }))).toEqual([
      'SessionStart own',
      'Stop own',
    ]);
  });
});
