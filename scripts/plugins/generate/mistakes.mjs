export const MISTAKES = [
  ({ manifest }, draw) => Object.assign(manifest, { name: draw.pick(['Two Words', '', 'a:b', 'a/b', 7]) }),
  ({ manifest }) => Object.assign(manifest, { name: 'claude-helper' }),
  ({ manifest }, draw) =>
    Object.assign(
      manifest,
      draw.pick([{ author: 'me' }, { version: 2 }, { keywords: 'x' }, { homepage: 'here' }, { license: 1 }]),
    ),
  ({ manifest }, draw) =>
    Object.assign(
      manifest,
      draw.pick([
        { commands: './nowhere.md' },
        { skills: './nowhere' },
        { agents: ['./nowhere.md'] },
        { hooks: './nowhere.json' },
      ]),
    ),
  ({ manifest }, draw) =>
    Object.assign(
      manifest,
      draw.pick([
        { agents: './agents' },
        { commands: 'commands' },
        { commands: '../x' },
        { skills: { a: 1 } },
        { commands: { go: {} } },
      ]),
    ),
  ({ files }, draw) =>
    Object.assign(files, { 'hooks/hooks.json': draw.pick(['{', '{}', '{"hooks":[]}', '{"Stop":[]}']) }),
  ({ files }) =>
    Object.assign(files, {
      'hooks/hooks.json': JSON.stringify({
        hooks: {
          NoSuchEvent: [{ hooks: [{ type: 'command', command: 'true' }] }],
          Stop: [{ hooks: [{ type: 'unknown' }, { type: 'command', command: 'true' }] }],
        },
      }),
    }),
  ({ files }) =>
    Object.assign(files, {
      'hooks/hooks.json': JSON.stringify({
        hooks: {
          SessionStart: [{ hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/not-there.sh' }] }],
        },
      }),
    }),
  ({ files }, draw) =>
    Object.assign(files, {
      'hooks/hooks.json': JSON.stringify({
        hooks: {
          SessionStart: [{ hooks: [{ type: 'command', command: 'echo here' }] }],
          [draw.pick(['PreToolUse', 'PermissionRequest', 'PostToolUse', 'UserPromptSubmit'])]: draw.pick([
            [{ matcher: 5, hooks: [] }],
            [{ hooks: [{ type: 'command', command: 'true', timeout: 0 }] }],
            [{ matcher: 'Bash' }],
            {},
          ]),
        },
      }),
    }),
  ({ files }, draw) =>
    Object.assign(files, {
      '.mcp.json': draw.pick(['{', '{"mcpServers":{"bad":{"nothing":1}}}', '{"dead":{"command":"false"}}']),
    }),
  ({ files }, draw) =>
    Object.assign(files, {
      [draw.pick([
        'agents/bad.md',
        'skills/bad/SKILL.md',
        'commands/bad.md',
      ])]: `---\n${draw.pick(BAD_HEADS)}\n---\nText\n`,
    }),
];

const BAD_HEADS = [
  'name: "open\ndescription: d',
  '- a\n- b',
  'just words',
  'description: a\n  b: c',
  'name: 12\ndescription: d',
  'name: n\ndescription: [a, b]',
];
