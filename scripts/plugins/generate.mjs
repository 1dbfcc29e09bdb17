// Writes plugins with every form of declaration, drawn by a seed. Most are sound; some have one thing wrong.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawFrom } from '../random.mjs';
import { events, HOOKS } from './generate/hooks.mjs';
import { markdown } from './generate/markdown.mjs';
import { MISTAKES } from './generate/mistakes.mjs';
import { AGENTS, COMMANDS, SKILLS } from './generate/parts.mjs';
import { SERVERS } from './generate/servers.mjs';
import { WORDS } from './generate/words.mjs';

/** So that a seed, whatever its letters, gives the same plugins everywhere. */
function makeDraw(seed) {
  return drawFrom([...String(seed)].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 7));
}

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

const oneOf = (forms) => (plugin, draw, name) => draw.pick(Object.values(forms))(plugin, draw, name);
const addCommands = oneOf(COMMANDS);
const addSkills = oneOf(SKILLS);
const addAgents = oneOf(AGENTS);
const addHooks = oneOf(HOOKS);
const addServers = oneOf({ ...SERVERS, none: () => {}, alsoEmpty: SERVERS.empty });

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

/** An entry of a marketplace that declares parts itself, beside those of the plugin. */
function makeEntry(name, plugin, draw) {
  const plain = { name, source: draw.pick([`./plugins/${name}`, name]), description: 'Generated' };
  const more = draw.pick(['skills', 'commands', 'hooks', 'hooks beside own', 'agents']);
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
    case 'hooks beside own':
      files['hooks/hooks.json'] ??= JSON.stringify({ hooks: events(draw) });
      return { ...plain, hooks: events(draw) };
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

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === 'string') writeFileSync(path, content);
  else symlinkSync(content.link, path);
}
