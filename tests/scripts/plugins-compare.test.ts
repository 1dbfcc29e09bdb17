import { describe, expect, test } from 'vitest';

// A script without types.
const { compare } = await import(new URL('../../scripts/plugins/compare.mjs', import.meta.url).href);

const REAL = {
  ...{ verdict: 'loaded', why: [], commands: ['p:a'], skills: ['p:s'], aliases: [], agents: ['p:g'] },
  ...{ servers: ['x'], hooks: { count: 1, ran: ['Stop success'] } },
  sent: { command: 'p:a', text: 'Do it.' },
};
const OURS = {
  ...{ verdict: 'loaded', error: '', commands: ['p:a'], skills: ['p:s'], aliases: [], agents: ['p:g'] },
  ...{ servers: ['x'], hooks: 1, registered: 1, listed: 1, ran: ['Stop success'], counted: 1 },
  ...{ read: { slash: ['p:a', 'p:s'], agents: ['p:g'] }, expanded: 'Do it.' },
};

describe('a comparison of plugins', () => {
  test('is equal if everything is', () => {
    expect(compare(REAL, OURS)).toMatchObject({ outcome: 'equal' });
  });

  test.each([
    ['a command that was not read', { read: { slash: ['p:s'], agents: ['p:g'] } }],
    ['a skill that Claude Code does not have', { read: { slash: ['p:a', 'p:s', 'p:t'], agents: ['p:g'] } }],
    ['an agent that was not read', { read: { slash: ['p:a', 'p:s'], agents: [] } }],
    ['a hook too many', { hooks: 2 }],
    ['a hook that was not registered', { registered: 0 }],
    ['a hook that is not listed', { listed: 0 }],
    ['a run too many', { ran: ['Stop success', 'Stop success'] }],
    ['a run with another end', { ran: ['Stop failed'] }],
    ['a run that is not counted', { counted: 0 }],
    ['a server that was not started', { servers: ['x', 'y'] }],
    ['another text for a command', { expanded: 'Do that.' }],
  ])('sees %s', (_, change) => {
    expect(compare(REAL, { ...OURS, ...change })).toMatchObject({ outcome: 'wrong' });
  });

  test('accepts that the text of a command is not known beforehand', () => {
    expect(compare(REAL, { ...OURS, expanded: null })).toMatchObject({ outcome: 'equal' });
  });

  test.each([
    [
      'equal',
      'InstallationError: Failed to install plugin "p@m": Its entry is invalid: hooks: Invalid input',
    ],
    ['wrong', 'InstallationError: Failed to install plugin "p@m": Source path does not exist'],
    ['refused', 'UnsupportedError: The stand-in for claude does not support marketplaces'],
    ['wrong', 'PluginInvalidError: Cannot read it'],
  ])('where nothing was installed is %s for %s', (outcome, refused) => {
    const why = [
      'install: ✔ Successfully added marketplace: m Installing plugin "p@m"...✘ Failed to install plugin "p@m": Its entry is invalid: hooks: Invalid input',
    ];
    expect(compare({ ...REAL, why }, { refused })).toMatchObject({ outcome });
  });
});
