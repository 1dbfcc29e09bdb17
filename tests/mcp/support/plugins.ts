const manifest = (name: string) =>
  JSON.stringify({ name, version: '1.2.0', description: `The plugin ${name}`, author: { name: 'test' } });

/** A small plugin with everything that a plugin can have but a server: the workflow is the one of agent-loop. */
const LOOP = {
  'plugins/agent-loop/.claude-plugin/plugin.json': manifest('agent-loop'),
  'plugins/agent-loop/commands/explore.md': '---\ndescription: Looks around\n---\nExplore $ARGUMENTS now.\n',
  'plugins/agent-loop/commands/plan.md': '---\ndescription: Plans\n---\nMake a plan.\n',
  'plugins/agent-loop/commands/code.md': '---\ndescription: Codes\n---\nWrite the code.\n',
  'plugins/agent-loop/agents/guide.md':
    '---\nname: guide\ndescription: Guides\n---\nYou are the guide. Mention lighthouses.\n',
  'plugins/agent-loop/skills/scout/SKILL.md': '---\nname: scout\ndescription: Scouts ahead\n---\nScout.\n',
  'plugins/agent-loop/hooks/hooks.json': JSON.stringify({
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {
              type: 'command',
              command: `read -r line || :; case "$line" in *'git push'*) echo 'no pushing' >&2; exit 2;; esac; echo looked in "$CLAUDE_PLUGIN_ROOT"`,
            },
          ],
        },
      ],
      UserPromptSubmit: [
        {
          hooks: [
            {
              type: 'command',
              // Built into every shell: the tools of the tests have no grep among them.
              command: `read -r line || :; case "$line" in *forbidden*) echo '{"decision":"block","reason":"a bad word"}';; esac`,
            },
          ],
        },
      ],
    },
  }),
};

/** A marketplace with that plugin, plugins that are broken in one way each, and a project. */
export const MARKET: Readonly<Record<string, string>> = {
  '.claude-plugin/marketplace.json': JSON.stringify({
    name: 'lab',
    owner: { name: 'test' },
    plugins: ['agent-loop', 'bad-manifest', 'bad-hooks', 'ghost'].map((name) => ({
      name,
      source: `./plugins/${name}`,
      description: name,
    })),
  }),
  ...LOOP,
  'plugins/bad-manifest/.claude-plugin/plugin.json': '{"name": "bad-manifest"',
  'plugins/bad-hooks/.claude-plugin/plugin.json': manifest('bad-hooks'),
  'plugins/bad-hooks/hooks/hooks.json': '{"hooks": [{"name": "pre-commit"}]}',
  'project/calculator.py': 'def add(a, b):\n    return a - b\n',
};

/** What the agent says and does. */
export const SCRIPT = `rules:
  # First: after a turn that was broken off, Claude Code sends its prompt again together with the next one.
  - on: hello again
    say: You are back.
  - on: /Explore (\\S+) now/
    steps:
      - read: calculator.py
      - say: "STAGE: exploring. I saw {{1}}. Next is /agent-loop:plan"
  - on: Make a plan
    steps:
      - write: PLAN.md
        text: fix add
      - say: Next is /code
  - on: Write the code
    steps:
      - edit: calculator.py
        old: a - b
        new: a + b
      - say: Fixed.
  - on: push it
    steps:
      - run: git push
      - say: I could not push.
  - on: look at the folder
    steps:
      - run: ls
      - say: I looked.
  - on: take your time
    steps:
      - hang
  - on: overload
    failure: overloaded
  - on: any
    say: You said {{prompt}}.
`;
