import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest } from '../../../../src/backends/claude/plugins/manifest.js';
import { findObjections } from '../../../../src/backends/claude/plugins/validate.js';
import { head, write } from './plugin-of.js';

function find(root: string) {
  const manifest = readManifest(root);
  if ('message' in manifest) throw new Error(manifest.message);
  return findObjections(root, manifest);
}

/** What `claude plugin validate --json` of Claude Code 2.1.325 lists with errors. */
const refused = (root: string) => find(root).map(({ message }) => message.replace(/: .*/s, ''));
const bad = head('name: "open');

test('reads the usual folders, whatever the manifest names in their place', () => {
  const seen = ['commands/.a.md', 'commands/b/c.MD', 'commands/s/SKILL.md', 'commands/s/more.md'];
  seen.push('agents/a/b.md', 'skills/a/SKILL.md');
  const unseen = ['SKILL.md', 'x/a.md', 'skills/SKILL.md', 'skills/a/b/SKILL.md', 'skills/a/more.md'];
  const files = Object.fromEntries([...seen, ...unseen].map((path) => [path, bad]));
  const root = write({ name: 'p', commands: './x/a.md', agents: './x/a.md', skills: './x' }, files);
  expect(refused(root).sort()).toEqual(seen.sort());
});

test('follows no links', () => {
  const root = write({ name: 'p' }, { 'x/a.md': bad, 's/a/SKILL.md': bad });
  symlinkSync('x', join(root, 'commands'));
  symlinkSync('s', join(root, 'skills'));
  mkdirSync(join(root, 'agents'));
  symlinkSync('../x/a.md', join(root, 'agents/a.md'));
  expect(refused(root)).toEqual([]);
});

describe('heads', () => {
  test.each([
    ...['name: "open', '- a', 'words', 'description: a\n  b: c', 'name: 12', 'name: [a]'],
    ...['description: [a]', 'allowed-tools: 5', 'allowed-tools: [1]'],
  ])('refuses %s', (fields) => {
    expect(refused(write({ name: 'p' }, { 'agents/a.md': head(fields) }))).toEqual(['agents/a.md']);
  });

  test.each([
    ...['', 'name:', 'description: 5', 'description: Use when: it is', 'model: 7', 'arguments: 5'],
    ...['allowed-tools: [Read, Bash]', 'allowed-tools: Read', 'shell: bash', 'user-invocable: maybe'],
  ])('accepts %s', (fields) => {
    expect(refused(write({ name: 'p' }, { 'commands/a.md': head(fields) }))).toEqual([]);
  });

  test('refuses an unknown shell, which an agent does not have', () => {
    const files = { 'commands/a.md': head('shell: fish'), 'agents/a.md': head('shell: fish') };
    expect(refused(write({ name: 'p' }, files))).toEqual(['commands/a.md']);
  });

  test('refuses special characters where lines end with a carriage return', () => {
    const text = head('description: Use when: it is').replaceAll('\n', '\r\n');
    expect(refused(write({ name: 'p' }, { 'commands/a.md': text }))).toEqual(['commands/a.md']);
  });
});

test.each([
  ...['claude', 'Claude-helper', 'claude_helper', 'claudé-x', '-anthropics.x', 'claude-mods', 'ccplugin-x'],
  ...['my-official-claude', 'anthropicofficial'],
])("refuses the name %s, which passes as Anthropic's own", (name) => {
  expect(refused(write({ name }, {}))).toEqual([name]);
});

test.each(['my-claude', 'claudette', 'x.claude.y', 'cc-plugin', 'claude1', 'official'])(
  'accepts the name %s',
  (name) => {
    expect(refused(write({ name }, {}))).toEqual([]);
  },
);

describe('a folder without a manifest', () => {
  test.each([
    ['commands', { 'commands/a.md': 'A' }, ['no-manifest']],
    ['hooks', { 'hooks/hooks.json': '{"hooks":{}}' }, ['no-manifest']],
    ['one skill', { 'SKILL.md': 'S' }, ['no-manifest']],
    ['a deeper skill', { 'skills/a/b/SKILL.md': 'S' }, ['no-manifest']],
    ['skills', { 'skills/a/SKILL.md': 'S', 'commands/a.md': 'A' }, []],
    ['skills and a bad head', { 'skills/a/SKILL.md': 'S', 'commands/a.md': bad }, ['head']],
    ['a marketplace', { '.claude-plugin/marketplace.json': '{}', 'commands/a.md': bad }, []],
  ])('with %s', (_, files, expected) => {
    expect(find(write(null, { ...files })).map(({ type }) => type)).toEqual(expected);
  });
});
