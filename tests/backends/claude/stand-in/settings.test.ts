import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../../src/backends/claude/stand-in/settings.js';
import { tempFolder } from '../../../support/cli.js';

const SOURCES = ['user', 'project', 'local'];

/** Settings in three places, as the program reads them. */
function read(
  files: Readonly<Partial<Record<'user' | 'project' | 'local', unknown>>>,
  { given = [] }: { given?: string[] } = {},
) {
  const base = tempFolder();
  const [cwd, home] = [join(base, 'w'), join(base, 'h')];
  const paths = {
    user: join(home, '.claude', 'settings.json'),
    project: join(cwd, '.claude', 'settings.json'),
    local: join(cwd, '.claude', 'settings.local.json'),
  };
  for (const folder of [cwd, home]) mkdirSync(join(folder, '.claude'), { recursive: true });
  for (const source of ['user', 'project', 'local'] as const) {
    const content = files[source];
    if (content !== undefined)
      writeFileSync(paths[source], typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readSettings(cwd, join(home, '.claude'), { sources: SOURCES, given });
}

const RULES = {
  permissions: { allow: ['Write'], deny: ['Read(a)'], ask: ['Edit'] },
};

describe('an untrusted project', () => {
  test('cannot allow anything, and the program says so', () => {
    const { allow, deny, ask, warnings } = read({ project: RULES });
    expect({ allow, deny, ask }).toEqual({ allow: [], deny: ['Read(a)'], ask: ['Edit'] });
    expect(warnings).toEqual([expect.stringMatching(/^Ignoring what \.claude\/settings\.json allows/)]);
  });

  test.each(['user', 'local'] as const)('does not affect the settings of %s', (source) => {
    expect(read({ [source]: RULES })).toMatchObject({ allow: ['Write'], warnings: [] });
  });
});

test.each([
  ['project', 'acceptEdits', 'acceptEdits'],
  ['project', 'bypassPermissions', undefined],
  ['user', 'bypassPermissions', 'bypassPermissions'],
] as const)('%s may choose the mode %s: %s', (source, defaultMode, expected) => {
  expect(read({ [source]: { permissions: { defaultMode } } }).defaultMode).toBe(expected);
});

test('a path with one slash belongs to the project, or has no effect', () => {
  const permissions = { deny: ['Read(/a)', 'Bash(/bin/ls)'] };
  expect(read({ project: { permissions } }).deny).toEqual(['Read(/a)', 'Bash(/bin/ls)']);
  expect(read({ user: { permissions } }).deny).toEqual(['Bash(/bin/ls)']);
  expect(read({}, { given: [JSON.stringify({ permissions })] }).deny).toEqual(['Bash(/bin/ls)']);
});

test('a rule that cannot be read is left out', () => {
  expect(read({ user: { permissions: { allow: ['Write(', 'Write', 'Bash(npm:*'] } } }).allow).toEqual([
    'Write',
  ]);
});

test.each([
  ['{nope', /invalid JSON/],
  [{ permissions: { allow: 'Write' } }, /permissions\.allow in .* is not a list/],
  [{ permissions: { defaultMode: 'nope' } }, /permissions\.defaultMode "nope" in /],
  [{ permissions: { defaultMode: ['plan'] } }, /permissions\.defaultMode \["plan"\] in /],
  [
    { permissions: { disableBypassPermissionsMode: 'disable' } },
    /permissions\.disableBypassPermissionsMode in /,
  ],
  [{ permissions: { defaultMode: 'auto' } }, /permissions\.defaultMode "auto" in /],
])('%j, which the stand-in does not play, is reported', (content, message) => {
  expect(() => read({ user: content })).toThrow(message);
});
