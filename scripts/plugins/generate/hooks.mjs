import { WORDS } from './words.mjs';

/** Matchers that are names, lists of names, patterns for a part of the name, and no patterns at all. */
const MATCHERS = [
  'Bash',
  'Bash|Write',
  'Write',
  '*',
  'Bas',
  '.ash',
  'B.*',
  '^Write$',
  'Write, Bash',
  'Bash(',
  '',
];

const BAD_HANDLERS = [
  { type: 'command', command: 'true', timeout: 0 },
  { type: 'command', command: 'true', timeout: '10' },
  { type: 'unheard-of' },
  { type: 'command' },
  { type: 'command', command: 'true', async: 'no' },
];

const FAILING = ['exit 1', 'echo broken >&2; exit 3', 'echo no >&2; exit 2'];

export const HOOKS = {
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

export function events(draw) {
  const handler = () =>
    draw.chance(0.05)
      ? draw.pick(BAD_HANDLERS)
      : { type: 'command', command: `${draw.pick(['', '', '', 'echo same; '])}echo ${draw.pick(WORDS)}` };
  const group = (matcher) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: Array.from({ length: 1 + draw.below(2) }, handler),
  });
  /** Hooks around a tool that fail, block, or are registered twice. */
  const toolGroup = (matcher) => {
    const { hooks } = group(matcher);
    if (draw.chance(0.3)) hooks.push({ type: 'command', command: draw.pick(FAILING) });
    if (draw.chance(0.3)) hooks.push(hooks[0]);
    return { matcher, hooks };
  };
  const all = {
    SessionStart: () => group(draw.pick([undefined, 'startup', '*', ''])),
    UserPromptSubmit: () => group(),
    PreToolUse: () => toolGroup(draw.pick(MATCHERS)),
    PostToolUse: () => toolGroup(draw.pick([...MATCHERS, undefined])),
    Stop: () => group(),
    SessionEnd: () => group(),
    Notification: () => group(),
    SubagentStop: () => group(),
    PreCompact: () => group(),
    PermissionRequest: () => group('Bash'),
    PostToolBatch: () => group(),
  };
  return Object.fromEntries(draw.some(Object.keys(all), 3).map((event) => [event, [all[event]()]]));
}
