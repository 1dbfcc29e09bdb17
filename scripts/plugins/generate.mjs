// Writes plugins with every form of declaration, drawn by a seed. Most are sound; some have one thing wrong.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small generator of numbers (mulberry32), so that a seed gives the same plugins everywhere. */
function makeDraw(seed) {
  let state = [...String(seed)].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 7);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    some: (list, most) => [...list].sort(() => next() - 0.5).slice(0, 1 + below(most)),
  };
}

const WORDS =
  'amber birch cedar delta ember flint grove heron iris jade kite lotus maple nova onyx pearl'.split(' ');

/** Writes `count` plugins below a folder: most as folders, each sixth as an entry of a marketplace. */
export function generatePlugins(root, count, seed) {
  const draw = makeDraw(seed);
  const entries = [];
  for (let index = 0; index < count; index += 1) {
    const name = `${draw.pick(WORDS)}-${index}`;
    const inMarket = index % 6 === 5;
    const plugin = makePlugin(name, draw);
    if (inMarket) entries.push(makeEntry(name, plugin, draw));
    write(join(root, inMarket ? join('market', 'plugins', name) : name), plugin);
  }
  const market = {
    ...{ name: `market-${seed}`, owner: { name: 'nobody' }, description: 'Generated' },
    ...{ metadata: { pluginRoot: './plugins' }, plugins: entries },
  };
  if (entries.length > 0)
    put(join(root, 'market', '.claude-plugin', 'marketplace.json'), JSON.stringify(market, null, 2));
}

function makePlugin(name, draw) {
  const plugin = {
    files: {},
    manifest: { name, version: '1.0.0', description: `Plugin ${name}`, author: { name: 'nobody' } },
  };
  for (const aspect of draw.some([addCommands, addSkills, addAgents, addHooks, addServers], 4))
    aspect(plugin, draw, name);
  if (draw.chance(0.12)) draw.pick(MISTAKES)(plugin, draw);
  else if (
    draw.chance(0.08) &&
    Object.keys(plugin.manifest).length === 4 &&
    Object.keys(plugin.files).length > 0
  )
    plugin.manifest = null;
  return plugin;
}

const COMMANDS = {
  folder: ({ files }, draw) => {
    for (const word of draw.some(WORDS, 3)) files[`commands/${word}.md`] = markdown(draw, word);
    if (draw.chance(0.4))
      files[`commands/${draw.pick(WORDS)}/${draw.pick(WORDS)}.md`] = markdown(draw, 'deep');
    if (draw.chance(0.2)) files['commands/review/SKILL.md'] = markdown(draw, 'review');
  },
  otherFolder: (plugin, draw) => {
    plugin.manifest.commands = draw.pick(['./slash', './slash/']);
    plugin.files['slash/run.md'] = markdown(draw, 'run');
    plugin.files['slash/sub/walk.md'] = markdown(draw, 'walk');
    if (draw.chance(0.5)) plugin.files['commands/unseen.md'] = markdown(draw, 'unseen');
  },
  file: (plugin, draw) => {
    plugin.manifest.commands = './docs/single.md';
    plugin.files['docs/single.md'] = markdown(draw, 'single');
  },
  array: (plugin, draw) => {
    plugin.manifest.commands = ['./docs/first.md', './more'];
    plugin.files['docs/first.md'] = markdown(draw, 'first');
    plugin.files['more/second.md'] = markdown(draw, 'second');
  },
  object: (plugin, draw) => {
    plugin.manifest.commands = {
      [draw.pick(WORDS)]: { source: './docs/named.md', description: 'Named', argumentHint: '[x]' },
      inline: { content: 'Say $ARGUMENTS.', description: 'Inline' },
    };
    plugin.files['docs/named.md'] = markdown(draw, 'named');
  },
};

const SKILLS = {
  folder: ({ files }, draw) => {
    for (const word of draw.some(WORDS, 3)) files[`skills/${word}/SKILL.md`] = markdown(draw, word);
    if (draw.chance(0.4)) files['skills/outer/inner/SKILL.md'] = markdown(draw, 'inner');
    if (draw.chance(0.3))
      files['skills/hidden/SKILL.md'] = '---\ndescription: d\nuser-invocable: false\n---\nText\n';
    if (draw.chance(0.3))
      files['skills/manual/SKILL.md'] = '---\ndescription: d\ndisable-model-invocation: true\n---\nText\n';
  },
  declared: (plugin, draw) => {
    plugin.manifest.skills = draw.pick(['./abilities', ['./abilities', './single/one']]);
    plugin.files['abilities/swim/SKILL.md'] = markdown(draw, 'swim');
    plugin.files['single/one/SKILL.md'] = markdown(draw, 'one');
    if (draw.chance(0.5)) plugin.files['skills/own/SKILL.md'] = markdown(draw, 'own');
  },
  top: ({ files }, draw) => {
    files['SKILL.md'] = markdown(draw, 'top');
  },
  whole: ({ files }, draw) => {
    files['skills/SKILL.md'] = markdown(draw, 'whole');
  },
};

const AGENTS = {
  folder: ({ files }, draw) => {
    for (const word of draw.some(WORDS, 3)) files[`agents/${word}.md`] = markdown(draw, word);
    if (draw.chance(0.4)) files[`agents/team/${draw.pick(WORDS)}.md`] = markdown(draw, 'team');
    if (draw.chance(0.3)) files['agents/README.md'] = '# Agents\n\nNot really one.\n';
  },
  declared: (plugin, draw) => {
    plugin.manifest.agents = draw.pick(['./people/one.md', ['./people/one.md', './people/two.md']]);
    plugin.files['people/one.md'] = markdown(draw, 'one');
    plugin.files['people/two.md'] = markdown(draw, 'two');
    if (draw.chance(0.5)) plugin.files['agents/unseen.md'] = markdown(draw, 'unseen');
  },
};

const HOOKS = {
  file: ({ files }, draw) => {
    files['hooks/hooks.json'] = JSON.stringify({ hooks: events(draw) });
  },
  inline: ({ manifest }, draw) => {
    manifest.hooks = events(draw);
  },
  path: (plugin, draw) => {
    plugin.manifest.hooks = draw.pick(['./config/hooks.json', './hooks/hooks.json']);
    plugin.files[plugin.manifest.hooks.slice(2)] = JSON.stringify({ description: 'x', hooks: events(draw) });
  },
  several: (plugin, draw) => {
    plugin.manifest.hooks = ['./config/more.json', events(draw)];
    plugin.files['config/more.json'] = JSON.stringify({ hooks: events(draw) });
    plugin.files['hooks/hooks.json'] = JSON.stringify({ hooks: events(draw) });
  },
};

const SERVERS = {
  file: (plugin, draw, name) => {
    plugin.files['.mcp.json'] = JSON.stringify(
      draw.pick([{ mcpServers: servers(name, 'a') }, servers(name, 'a')]),
    );
  },
  inline: ({ manifest }, _, name) => {
    manifest.mcpServers = servers(name, 'b');
  },
  path: (plugin, draw, name) => {
    plugin.manifest.mcpServers = './config/servers.json';
    plugin.files['config/servers.json'] = JSON.stringify(
      draw.pick([{ mcpServers: servers(name, 'c') }, servers(name, 'c')]),
    );
  },
  several: (plugin, _, name) => {
    plugin.manifest.mcpServers = ['./config/servers.json', servers(name, 'e')];
    plugin.files['config/servers.json'] = JSON.stringify(servers(name, 'd'));
    plugin.files['.mcp.json'] = JSON.stringify({ mcpServers: servers(name, 'f') });
  },
  empty: ({ files }, draw) => {
    files['.mcp.json'] = draw.pick(['{}', '{"mcpServers":{}}']);
  },
};

const oneOf = (forms) => (plugin, draw, name) => draw.pick(Object.values(forms))(plugin, draw, name);
const addCommands = oneOf(COMMANDS);
const addSkills = oneOf(SKILLS);
const addAgents = oneOf(AGENTS);
const addHooks = oneOf(HOOKS);
const addServers = oneOf({ ...SERVERS, none: () => {}, alsoEmpty: SERVERS.empty });

const MISTAKES = [
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

/** Heads that strict YAML rejects and Claude Code reads, and forms that names come in. */
function markdown(draw, word) {
  const name = draw.pick([null, null, word, `${word}-other`, `"${word}-quoted"`, `${word} spaced`]);
  const description = draw.pick([
    ...[
      null,
      'Plain words',
      'Use when: something happens',
      '"Quoted: fine"',
      "It's here",
      '*.ts files',
      '`code` first',
    ],
    ...[
      '|\n  two\n  lines',
      '>-\n  folded\n  text',
      '@mention it',
      '[a] list? no: text',
      'Ends # with a comment',
      '{curly} first',
    ],
  ]);
  const lines = [
    ...(name === null ? [] : [`name: ${name}`]),
    ...(description === null ? [] : [`description: ${description}`]),
    ...(draw.chance(0.3) ? ['argument-hint: "[what]"'] : []),
    ...(draw.chance(0.2) ? ['allowed-tools: Read, Bash(git *)'] : []),
  ];
  const body = `Do ${word} with $ARGUMENTS.\n`;
  if (lines.length === 0) return body;
  const text = `---\n${lines.join('\n')}\n---\n\n${body}`;
  return draw.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}

function events(draw) {
  const handler = () => ({ type: 'command', command: `echo ${draw.pick(WORDS)}${draw.below(1000)}` });
  const group = (matcher) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: Array.from({ length: 1 + draw.below(2) }, handler),
  });
  const all = {
    SessionStart: () => group(draw.pick([undefined, 'startup', '*', ''])),
    UserPromptSubmit: () => group(),
    PreToolUse: () => group(draw.pick(['Bash', 'Bash|Write', 'Write', '*'])),
    PostToolUse: () => group(draw.pick(['Bash', undefined])),
    Stop: () => group(),
    SessionEnd: () => group(),
    Notification: () => group(),
    SubagentStop: () => group(),
    PreCompact: () => group(),
  };
  return Object.fromEntries(draw.some(Object.keys(all), 3).map((event) => [event, [all[event]()]]));
}

/** A server that answers: Claude Code reports one that does not as failed. */
function servers(name, key) {
  const program = `
    const respond = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') respond(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: '${name}-${key}', version: '1' } });
      else if (method === 'tools/list') respond(id, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
      else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }) + '\\n');
    });`;
  return { [`${key}-server`]: { command: 'node', args: ['-e', program] } };
}

function makeEntry(name, plugin, draw) {
  const plain = { name, source: draw.pick([`./plugins/${name}`, name]), description: 'Generated' };
  const more = draw.pick(['skills', 'commands', 'hooks', 'agents']);
  const files = plugin.files;
  switch (more) {
    case 'skills':
      files['extra/dive/SKILL.md'] = markdown(draw, 'dive');
      return { ...plain, strict: false, skills: ['./extra/dive'] };
    case 'commands':
      files['extra/go.md'] = markdown(draw, 'go');
      return { ...plain, commands: ['./extra/go.md'] };
    case 'agents':
      files['extra/guide.md'] = markdown(draw, 'guide');
      return { ...plain, agents: ['./extra/guide.md'] };
    default:
      return { ...plain, hooks: events(draw) };
  }
}

function write(folder, { manifest, files }) {
  mkdirSync(folder, { recursive: true });
  if (manifest !== null)
    put(join(folder, '.claude-plugin', 'plugin.json'), JSON.stringify(manifest, null, 2));
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
