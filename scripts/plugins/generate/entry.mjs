import { events } from './hooks.mjs';
import { markdown } from './markdown.mjs';

/** An entry of a marketplace that declares parts itself, beside those of the plugin. */
export function makeEntry(name, plugin, draw) {
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
