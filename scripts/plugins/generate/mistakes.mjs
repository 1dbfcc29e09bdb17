/** Sets one of these in the manifest. */
const manifestWith =
  (...choices) =>
  ({ manifest }, draw) =>
    Object.assign(manifest, draw.pick(choices));

function writeHooks({ files }, hooks) {
  files['hooks/hooks.json'] = JSON.stringify({ hooks });
}

export const MISTAKES = [
  ({ manifest }, draw) => Object.assign(manifest, { name: draw.pick(['Two Words', '', 'a:b', 'a/b', 7]) }),
  ({ manifest }) => Object.assign(manifest, { name: 'claude-helper' }),
  manifestWith({ author: 'me' }, { version: 2 }, { keywords: 'x' }, { homepage: 'here' }, { license: 1 }),
  manifestWith(
    { commands: './nowhere.md' },
    { skills: './nowhere' },
    { agents: ['./nowhere.md'] },
    { hooks: './nowhere.json' },
  ),
  manifestWith(
    { agents: './agents' },
    { commands: 'commands' },
    { commands: '../x' },
    { skills: { a: 1 } },
    { commands: { go: {} } },
  ),
  ({ files }, draw) =>
    Object.assign(files, { 'hooks/hooks.json': draw.pick(['{', '{}', '{"hooks":[]}', '{"Stop":[]}']) }),
  (plugin) =>
    writeHooks(plugin, {
      NoSuchEvent: [{ hooks: [{ type: 'command', command: 'true' }] }],
      Stop: [{ hooks: [{ type: 'unknown' }, { type: 'command', command: 'true' }] }],
    }),
  (plugin) =>
    writeHooks(plugin, {
      SessionStart: [{ hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/not-there.sh' }] }],
    }),
  (plugin, draw) =>
    writeHooks(plugin, {
      SessionStart: [{ hooks: [{ type: 'command', command: 'echo here' }] }],
      [draw.pick(['PreToolUse', 'PermissionRequest', 'PostToolUse', 'UserPromptSubmit'])]: draw.pick([
        [{ matcher: 5, hooks: [] }],
        [{ hooks: [{ type: 'command', command: 'true', timeout: 0 }] }],
        [{ matcher: 'Bash' }],
        {},
      ]),
    }),
  ({ files }, draw) =>
    Object.assign(files, {
      '.mcp.json': draw.pick(['{', '{"mcpServers":{"bad":{"nothing":1}}}', '{"dead":{"command":"false"}}']),
    }),
  ({ files }, draw) => {
    const path = draw.pick(['agents/bad.md', 'skills/bad/SKILL.md', 'commands/bad.md']);
    files[path] = `---\n${draw.pick(BAD_HEADS)}\n---\nText\n`;
  },
];

const BAD_HEADS = [
  'name: "open\ndescription: d',
  '- a\n- b',
  'just words',
  'description: a\n  b: c',
  'name: 12\ndescription: d',
  'name: n\ndescription: [a, b]',
];
