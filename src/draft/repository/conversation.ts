import { quoteText, writeCall, writeImport } from '../source.js';
import type { Repository } from './read-repository.js';

/** Drafts a first conversation with a plugin: it loads, offers its commands, and lets the agent answer. */
export function draftConversation({
  name,
  commands,
  hasServers,
}: Extract<Repository, { readonly kind: 'plugin' }>): string {
  const offered = commands.map((command) => `${name}:${command}`);
  const hasCommands = offered.length > 0;
  const imports = [
    ...(hasCommands ? ['commandsOffered'] : []),
    ...['conversation', 'onPrompt', 'pluginLoaded', 'turnSays', 'turnsCompleted', 'without'],
  ];
  const kills = hasCommands ? "['loaded', 'commands']" : "['loaded']";
  const unplayable = hasServers
    ? "\n  unplayable: { sim: 'the plugin has MCP servers, which only the real Claude Code starts' },"
    : '';
  return `import { fileURLToPath } from 'node:url';
${writeImport(imports, 'ralph-e2e')}

export const pluginLoads = conversation({
  id: 'plugin-loads',
  description: 'The plugin loads, and the agent still answers',
${unplayable}

  // The folder of the plugin, and what the user says. Each attempt has a new random word (\`nonce\`).
  // To call a command of the plugin, say for example: ${hasCommands ? `\`/${offered[0]} \${nonce}\`` : '`/plugin:command ${nonce}`'}
  arrange: ({ nonce }) => ({
    plugins: [fileURLToPath(new URL('..', import.meta.url))],
    turns: [\`Say \${nonce} in uppercase, and do nothing else.\`],
  }),

  // What the evidence must show. You choose the names; saboteurs refer to them.
  expect: ({ nonce }) => ({
    loaded: pluginLoaded(${quoteText(name)}),${hasCommands ? `\n    commands: ${writeCall('commandsOffered', offered, '    ')},` : ''}
    completed: turnsCompleted(),
    answer: turnSays(1, nonce.toUpperCase()),
  }),

  // What a good agent does in the offline lanes. The script never gets the nonce: it reads it from the prompt.
  agent: [onPrompt(/Say (\\w+) in uppercase/).says('{{upper 1}}')],

  // Ways to break the scenario, and the checks that must then fail.
  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['answer'] },
    'the plugin is missing': {
      config: (arranged) => ({ ...arranged, plugins: [] }),
      kills: ${kills},
    },
    'a turn calls a command that does not exist': {
      config: (arranged) => ({ ...arranged, turns: [...arranged.turns, '/no-such-command'] }),
      kills: ['completed'],
    },
  },
});
`;
}
