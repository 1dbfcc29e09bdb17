import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPluginContent } from '../../../../src/backends/claude/plugins/read-plugin.js';
import { tempFolder } from '../../../support/cli.js';
import { head, load, names, read } from './plugin-of.js';

test('a command with the name of a skill has its own text, and is listed like the skill', () => {
  const files = {
    'commands/x.md': head('description: c', 'Command'),
    'skills/x/SKILL.md': head('description: s', 'Skill'),
  };
  expect(load({}, files).slash).toEqual([
    expect.objectContaining({
      name: 'p:x',
      kind: 'command',
      isListedSkill: true,
      body: expect.stringContaining('Command'),
    }),
  ]);
});

describe('commands', () => {
  test.each([
    [
      'a folder',
      { commands: './x' },
      { 'x/a.md': 'A', 'x/b/c.md': 'C', 'commands/d.md': 'D' },
      ['p:a', 'p:b:c'],
    ],
    ['a file', { commands: './x/a.md' }, { 'x/a.md': 'A' }, ['p:a']],
    ['a list', { commands: ['./x/a.md', './y'] }, { 'x/a.md': 'A', 'y/b.md': 'B' }, ['p:a', 'p:b']],
    [
      'an object',
      { commands: { go: { source: './x/a.md' }, say: { content: 'Say' } } },
      { 'x/a.md': 'A' },
      ['p:go', 'p:say'],
    ],
    [
      'nothing',
      {},
      { 'commands/a.md': 'A', 'commands/b/SKILL.md': 'B', 'commands/b/c.md': 'C' },
      ['p:a', 'p:b'],
    ],
  ])('named as %s', (_, manifest, files, expected) => {
    expect(names(load(manifest, { ...files }).slash)).toEqual(expected);
  });

  test('answer to a declared name, with and without the plugin, beside that of the path', () => {
    const { slash } = load({}, { 'commands/sub/b.md': head('name: zed') });
    expect(slash).toMatchObject([{ name: 'p:sub:b', aliases: ['p:sub:zed', 'zed'] }]);
  });
});

describe('skills', () => {
  test('are those directly in the folder, and hidden ones are not listed', () => {
    const { slash } = load(
      {},
      {
        'skills/a/SKILL.md': head('name: other\ndescription: d'),
        'skills/b/c/SKILL.md': head('description: d'),
        'skills/d/SKILL.md': head('description: d\nuser-invocable: false'),
        'skills/e/SKILL.md': 'No description',
      },
    );
    expect(slash.map(({ name, isListed, isListedSkill }) => [name, isListed, isListedSkill])).toEqual([
      ['p:a', true, true],
      ['p:d', false, false],
      ['p:e', true, false],
    ]);
  });

  test.each([
    ['the top of the plugin', {}, { 'SKILL.md': head('name: My Top\ndescription: d') }, ['p:My-Top']],
    ['a folder that is one', { skills: './x/y' }, { 'x/y/SKILL.md': head('description: d') }, ['p:y']],
    [
      'a folder of them, besides its own',
      { skills: './x' },
      { 'x/a/SKILL.md': 'A', 'skills/b/SKILL.md': 'B' },
      ['p:a', 'p:b'],
    ],
    ['the folder skills itself', {}, { 'skills/SKILL.md': 'A', 'skills/b/SKILL.md': 'B' }, ['p:skills']],
  ])('from %s', (_, manifest, files, expected) => {
    expect(names(load(manifest, { ...files }).slash)).toEqual(expected);
  });
});

describe('names of skills', () => {
  test.each([
    ['a.b', 'a-b'],
    ['é', '-'],
    ['A B', 'A-B'],
    ['x_y-z', 'x_y-z'],
    ['日本', '--'],
    ['.hid', '-hid'],
    ['e..f', 'e--f'],
  ])('the folder %s is called %s', (folder, name) => {
    const { slash } = load({}, { [`skills/${folder}/SKILL.md`]: head('description: d') });
    expect(names(slash)).toEqual([`p:${name}`]);
  });

  test('files of commands and agents keep theirs', () => {
    const { slash, agents } = load(
      {},
      {
        'commands/a.b.md': 'A',
        'commands/d é/f.md': 'F',
        'commands/k.l/SKILL.md': 'K',
        'agents/é.x.md': 'E',
      },
    );
    expect(names(slash)).toEqual(['p:a.b', 'p:d é:f', 'p:k.l']);
    expect(names(agents)).toEqual(['p:é.x']);
  });

  test('a skill with a folder of its own is called after its declared name', () => {
    const { slash } = load({ skills: './x/q.r' }, { 'x/q.r/SKILL.md': head('name: na.me é x') });
    expect(slash).toMatchObject([{ name: 'p:na-me---x', aliases: ['p:na.me é x', 'na.me é x'] }]);
  });
});

test('links in folders of commands and agents are left out, and those of skills are followed', () => {
  const root = join(tempFolder(), 'p');
  for (const path of ['real/l.md', 'real/dir/in.md', 'rs/SKILL.md', 'real/S.md', 'top/t.md']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), head('description: d'));
  }
  const link = (path: string, target: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  };
  link('agents', 'top');
  link('commands/l.md', '../real/l.md');
  link('commands/ld', '../real/dir');
  link('skills/ls', '../rs');
  link('skills/x/SKILL.md', '../../real/S.md');
  const content = readPluginContent(root);
  expect('slash' in content && names(content.slash)).toEqual(['p:ls', 'p:x']);
  expect('agents' in content && names(content.agents)).toEqual(['p:t']);
});

describe('flags of commands and skills', () => {
  test.each(['true', 'yes', 'on', '1', 'TRUE', '"true"', '" true "'])('%s is on', (value) => {
    const files = { 'commands/a.md': head(`user-invocable: ${value}\ndisable-model-invocation: ${value}`) };
    expect(load({}, files).slash).toMatchObject([{ isListed: true, isForUsersOnly: true }]);
  });

  test.each(['false', 'no', 'off', '0', 'n', 'N', 'null', '~', '""', '[]', 'nope', 'y', 't', '-1', '{}'])(
    '%s is off',
    (value) => {
      const files = { 'commands/a.md': head(`user-invocable: ${value}\ndisable-model-invocation: ${value}`) };
      expect(load({}, files).slash).toMatchObject([{ isListed: false, isForUsersOnly: false }]);
    },
  );
});

test('agents have their declared name after their folders, or else that of the file', () => {
  const { agents } = load(
    {},
    {
      'agents/a.md': head('name: alpha'),
      'agents/sub/b.md': head('name: beta'),
      'agents/c.md': 'No head',
      'agents/d.md': head('name: alpha\ndescription: the second'),
    },
  );
  expect(names(agents)).toEqual(['p:alpha', 'p:c', 'p:sub:beta']);
});

describe('heads that strict YAML rejects', () => {
  test.each([
    'Use when: it is',
    '*.ts files',
    '`code` first',
    '@you',
    '[a] b: c',
    '> not folded',
    "it's: fine",
    '{a} b',
  ])('description: %s', (description) => {
    const { agents } = load({}, { 'agents/a.md': head(`name: alpha\ndescription: ${description}`) });
    expect(agents).toMatchObject([{ name: 'p:alpha', description }]);
  });

  test('a carriage return at the end of each line', () => {
    const text = head('name: alpha\nargument-hint: "[x]"').replaceAll('\n', '\r\n');
    expect(names(load({}, { 'agents/a.md': text }).agents)).toEqual(['p:alpha']);
  });

  test.each(['Use when: it is', '*.ts files'])(
    'a carriage return keeps special characters from being quoted: %s',
    (description) => {
      const text = head(`name: alpha\ndescription: ${description}`).replaceAll('\n', '\r\n');
      expect(names(load({}, { 'agents/a.md': text }).agents)).toEqual(['p:a']);
    },
  );

  test('words in quotes stay, however many spaces are before them', () => {
    const text = head('name:  "my: agent"\ndescription: Use when: it is');
    expect(load({}, { 'agents/a.md': text }).agents).toMatchObject([{ name: 'p:my: agent' }]);
  });

  test.each(['name: "open', '- a', 'words', 'description: a\n  b: c'])(
    '%s: the file stays, and a session reports no error',
    (fields) => {
      const { agents, faults } = load({}, { 'agents/a.md': head(fields) });
      expect([names(agents), faults]).toEqual([['p:a'], []]);
    },
  );
});

test.each([
  ['the usual file', {}, { '.mcp.json': '{"mcpServers":{"a":{"command":"x"}}}' }, ['a']],
  ['the usual file without a wrapper', {}, { '.mcp.json': '{"a":{"command":"x"}}' }, ['a']],
  ['an empty file', {}, { '.mcp.json': '{}' }, []],
  ['the manifest itself', { mcpServers: { b: { type: 'http', url: 'http://h/' } } }, {}, ['b']],
  [
    'several',
    { mcpServers: ['./x.json', { c: { command: 'x' } }] },
    { 'x.json': '{"d":{"command":"x"}}' },
    ['c', 'd'],
  ],
  [
    'a file with one that Claude Code drops',
    {},
    { '.mcp.json': '{"a":{"url":"http://h/"},"b":{"command":"x"}}' },
    ['a', 'b'],
  ],
])('servers from %s', (_, manifest, files, expected) => {
  expect(Object.keys(load(manifest, { ...files }).servers).sort()).toEqual(expected);
});

describe('an entry of a marketplace', () => {
  test.each([
    ['adds commands and skills', false, ['e:a', 'e:b', 'e:c', 'e:d']],
    ['has skills that replace those of a whole marketplace', true, ['e:a', 'e:b', 'e:d']],
  ])('%s', (_, isWholeMarketplace, expected) => {
    const files = { 'commands/a.md': 'A', 'x/b.md': 'B', 'skills/c/SKILL.md': 'C', 'y/d/SKILL.md': 'D' };
    const entry = { name: 'e', commands: ['./x/b.md'], skills: ['./y/d'], isWholeMarketplace };
    const content = read(null, files, entry);
    expect('slash' in content && names(content.slash)).toEqual(expected);
  });

  test.each([
    ['with parts, beside a manifest', { strict: false, skills: ['./d'] }, true],
    ['without parts', { strict: false }, false],
    ['with parts that come on top', { strict: true, skills: ['./d'] }, false],
  ])('that is not strict, %s', (_, entry, isConflict) => {
    const content = read({ name: 'e' }, { 'd/SKILL.md': 'D' }, { name: 'e', ...entry });
    expect('fault' in content && /has conflicting manifests/.test(content.fault.message)).toBe(isConflict);
  });
});

test.each([
  ['no name', {}, 'name: '],
  ['a name with a space', { name: 'a b' }, 'name: '],
  ['a name with a colon', { name: 'a:b' }, 'name: '],
  ['a folder of agents', { name: 'p', agents: './agents' }, 'agents: '],
  ['commands outside the plugin', { name: 'p', commands: './x/../../y' }, 'commands: '],
  ['a command without a text', { name: 'p', commands: { go: {} } }, 'commands'],
  [
    'a command with two texts',
    { name: 'p', commands: { go: { source: './a.md', content: 'A' } } },
    'commands',
  ],
  ['a command without words', { name: 'p', commands: { go: { content: '' } } }, 'commands'],
  ['servers in a file of another kind', { name: 'p', mcpServers: './x.txt' }, 'mcpServers'],
  ['hooks in a file of another kind', { name: 'p', hooks: './x.txt' }, 'hooks'],
  ['a displayed name that is no text', { name: 'p', displayName: 5 }, 'displayName: '],
  ['an author who is a text', { name: 'p', author: 'me' }, 'author: '],
  ['an author without a name', { name: 'p', author: { email: 'a@b' } }, 'author: '],
  ['a home page that is no address', { name: 'p', homepage: 'here' }, 'homepage: '],
  ['a keyword in place of a list', { name: 'p', keywords: 'x' }, 'keywords: '],
  ['a license that is no text', { name: 'p', license: 1 }, 'license: '],
  ['a version that is null', { name: 'p', version: null }, 'version: '],
])('a manifest with %s cannot be read', (_, manifest, field) => {
  const start = `Plugin p has an invalid manifest file at `;
  expect(read(manifest, {})).toEqual({
    name: null,
    fault: {
      type: 'generic-error',
      message: expect.stringMatching(new RegExp(`^${start}.*: ${field}`, 's')),
    },
  });
});

test('a file of servers that is no object is a fault, and the rest is loaded', () => {
  const { faults, servers } = load({ mcpServers: { b: { command: 'x' } } }, { '.mcp.json': '["x"]' });
  expect(Object.keys(servers)).toEqual(['b']);
  expect(faults).toEqual([{ type: 'mcp-config-invalid', message: expect.stringMatching(/^\.mcp\.json: /) }]);
});

test('a path that leads nowhere is a fault, and the rest is loaded', () => {
  const { faults, agents } = load(
    { commands: ['./no.md'], skills: './no', hooks: './hooks/hooks.json' },
    { 'agents/a.md': 'A' },
  );
  expect(faults.map(({ type }) => type)).toEqual(Array(3).fill('path-not-found'));
  expect(names(agents)).toEqual(['p:a']);
});
