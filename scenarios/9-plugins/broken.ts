import {
  type Check,
  type ConversationScenario,
  conversation,
  fixturePluginFolder,
  hookRan,
  mcpServerIs,
  type PluginSource,
  pluginFailed,
  turnEnded,
  turnSays,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { answersReverse, askReverse, HAS_SERVER, onCommand } from '../support/plugins.js';
import { REPEATS_THE_WORD } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/** A plugin with one mistake, how the CLI reports it, and the same plugin fixed. */
interface BrokenCase {
  readonly id: string;
  readonly description: string;
  readonly broken: PluginSource;
  readonly fixed: PluginSource;
  /** Whether its command `/hello` still works. */
  readonly hasCommand: boolean;
  readonly told: Check;
  readonly unplayable?: ConversationScenario['unplayable'];
}

const HELLO =
  '---\ndescription: Say hello\n---\nReply with exactly one line of plain text: "Hello WORD", with WORD replaced by $ARGUMENTS spelled backwards.\n';

function copyOf(
  name: 'broken-manifest' | 'broken-hook' | 'broken-folder' | 'broken-server',
  files: Readonly<Record<string, string>>,
): PluginSource {
  return { name, from: fixturePluginFolder(name), files };
}

const CASES: readonly BrokenCase[] = [
  {
    id: 'plugin-broken-manifest',
    description: 'A bad manifest is reported with its mistake, and no part of the plugin is loaded',
    broken: fixturePluginFolder('broken-manifest'),
    fixed: copyOf('broken-manifest', { '.claude-plugin/plugin.json': '{ "name": "broken-manifest" }\n' }),
    hasCommand: false,
    told: pluginFailed(/broken-manifest has an invalid manifest.*agents: .*must end with "\.md"/),
  },
  {
    id: 'plugin-broken-folder',
    description: 'A file that the manifest names and the plugin lacks is reported with its path',
    broken: fixturePluginFolder('broken-folder'),
    fixed: copyOf('broken-folder', { 'nowhere/hello.md': HELLO }),
    hasCommand: false,
    told: pluginFailed(/Path not found: .*nowhere\/hello\.md \(commands\)/),
  },
  {
    id: 'plugin-missing',
    description: 'A plugin that does not exist is reported with its path',
    broken: '/nowhere/at/all',
    fixed: { name: 'all', files: { 'commands/hello.md': HELLO } },
    hasCommand: false,
    told: pluginFailed('Path not found: /nowhere/at/all'),
  },
  {
    id: 'plugin-broken-hook',
    description: 'A hook without its script fails with that reason, and stops nothing',
    broken: fixturePluginFolder('broken-hook'),
    fixed: copyOf('broken-hook', { 'hooks/nowhere.mjs': '// Says nothing, stops nothing.\n' }),
    hasCommand: true,
    told: hookRan(1, 'UserPromptSubmit', { says: /nowhere\.mjs/ }),
  },
  {
    id: 'plugin-broken-server',
    description: 'An MCP server that dies is reported with its command, and the rest of its plugin works',
    broken: fixturePluginFolder('broken-server'),
    fixed: copyOf('broken-server', {
      '.mcp.json': JSON.stringify({
        mcpServers: {
          dying: { command: 'node', args: [`${fixturePluginFolder('promptctl')}/server.mjs`] },
        },
      }),
    }),
    hasCommand: true,
    told: mcpServerIs('broken-server:dying', 'failed', {
      because: /Connection closed: node .*broken-server\/server\.mjs/,
    }),
    unplayable: HAS_SERVER,
  },
];

/** Makes a scenario of a broken plugin: the CLI reports the mistake, and the conversation continues. */
function brokenScenario({
  id,
  description,
  broken,
  fixed,
  hasCommand,
  told,
  unplayable = {},
}: BrokenCase): ConversationScenario {
  return conversation({
    id,
    priority: 'must',
    phase: 'red',
    description,
    covers: ['H4', 'A1', 'C66'],
    timeoutSeconds: 120,
    unplayable,
    arrange: ({ nonce }) => ({
      plugins: [broken],
      turns: [askReverse(nonce), `/hello ${nonce}`],
    }),
    expect: ({ nonce }) => ({
      told,
      command: hasCommand ? turnSays(2, `Hello ${reverse(nonce)}`) : turnEnded(2, 'unknown-command', 'hello'),
      says: turnSays(1, reverse(nonce)),
    }),
    agent: [answersReverse, onCommand('[\\w-]+:hello').says('Hello {{reverse 1}}')],
    saboteurs: {
      'the plugin is fixed': {
        config: arranging({ plugins: [fixed] }),
        kills: hasCommand ? ['told'] : ['told', 'command'],
      },
      'repeats the word as it is': hasCommand
        ? { ...REPEATS_THE_WORD, kills: ['says', 'command'] }
        : REPEATS_THE_WORD,
    },
  });
}

/** Broken plugins, and how the CLI reports them. */
export const brokenPlugins = CASES.map(brokenScenario);
