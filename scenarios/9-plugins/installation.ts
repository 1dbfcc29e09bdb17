import {
  type ConversationArrangement,
  type ConversationErrand,
  commandsOffered,
  componentsOffered,
  conversation,
  errandAnswered,
  fixtureMarketplace,
  hookRan,
  mcpServerIs,
  pluginLoaded,
  turnSays,
  turnsCompleted,
} from '../../src/authoring.js';
import { outOfCredits } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { answersReverse, askReverse, pluginIn } from '../support/plugins.js';
import { noBuiltIns, REPEATS_THE_WORD } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/** What each plugin contains. */
const PLUGINS = [
  {
    name: 'agent-loop',
    commands: ['explore', 'plan', 'code', 'commit'],
    agents: ['workflow-agent'],
    skills: ['code-exploration'],
    server: null,
    listens: true,
  },
  {
    name: 'epti',
    commands: ['write-tests', 'verify-fail', 'commit-tests', 'implement', 'iterate', 'commit-code'],
    agents: ['tdd-agent'],
    skills: ['test-execution'],
    server: null,
    listens: true,
  },
  {
    name: 'visual-iteration',
    commands: ['load-mock', 'implement-design', 'screenshot', 'feedback', 'refine', 'commit-visual'],
    agents: ['visual-iteration-agent'],
    skills: ['visual-comparison'],
    server: 'browser-tools',
    listens: false,
  },
  {
    name: 'promptctl',
    commands: [],
    agents: [],
    skills: [],
    server: 'promptctl',
    listens: true,
  },
] as const;
type PluginCase = (typeof PLUGINS)[number];

/** For scenarios that install plugins: not in the live lane, which uses the user's own settings. */
const REAL_MARKETPLACE = {
  lanes: ['scripted', 'sim'],
  unplayable: { sim: 'the stand-in for claude has no marketplaces' },
  programs: ['python3'],
} as const;

const COVERS = ['H37', 'H75', 'H77'];
const NO_AGENT = noBuiltIns('the agent plays no part: the checks look at what the CLI installed');

/** Checks that a plugin is loaded with all its parts. */
function isThere({ name, commands, agents, skills, server, listens }: PluginCase, withServer: boolean) {
  const own = (names: readonly string[]) => names.map((part) => `${name}:${part}`);
  return {
    loaded: pluginLoaded(name),
    commands: commands.length === 0 ? undefined : commandsOffered(...own(commands)),
    components:
      agents.length === 0 ? undefined : componentsOffered({ agents: own(agents), skills: own(skills) }),
    hook: listens ? hookRan(1, 'UserPromptSubmit') : undefined,
    server: withServer && server !== null ? mcpServerIs(`${name}:${server}`, 'connected') : undefined,
  };
}

/** Names the checks of `isThere` that fail for an empty plugin in every lane. */
function partsOf({ commands, agents, listens }: PluginCase): ('commands' | 'components' | 'hook')[] {
  return [
    ...(commands.length === 0 ? [] : ['commands' as const]),
    ...(agents.length === 0 ? [] : ['components' as const]),
    ...(listens ? ['hook' as const] : []),
  ];
}

/** Names the checks of `isThere` that fail for an empty plugin where its server is started. */
function partsWithServer(plugin: PluginCase): (ReturnType<typeof partsOf>[number] | 'server')[] {
  return [...partsOf(plugin), ...(plugin.server === null ? [] : ['server' as const])];
}

/** A plugin is loaded for one conversation. */
function loads(plugin: PluginCase) {
  const { name } = plugin;
  return conversation({
    id: `plugin-loads-${name}`,
    priority: 'must',
    description: `${name} loads without an error and with all its parts`,
    covers: [...COVERS, 'H4', 'H46', 'A7'],
    timeoutSeconds: 120,
    arrange: ({ nonce, lane }) => ({ plugins: [pluginIn(lane, name)], turns: [askReverse(nonce)] }),
    expect: ({ nonce, lane }) => ({
      ...isThere(plugin, lane !== 'sim'),
      says: turnSays(1, reverse(nonce)),
    }),
    agent: [answersReverse],
    saboteurs: {
      'its manifest is invalid': {
        config: arranging(({ lane }) => ({
          plugins: [pluginIn(lane, name, { '.claude-plugin/plugin.json': '{ "name": 7 }\n' })],
        })),
        kills: ['loaded', ...partsOf(plugin)],
        failure: 'ConfigurationError',
      },
      'repeats the word as it is': REPEATS_THE_WORD,
    },
  });
}

const plugin = (...args: readonly string[]): ConversationErrand => ({ run: ['claude', 'plugin', ...args] });
const ADD_MARKETPLACE = plugin('marketplace', 'add', fixtureMarketplace());
const idOf = ({ name }: PluginCase) => `${name}@ralph-e2e`;

/** Changes the errands before the conversation. */
function preparing(
  change: (before: readonly ConversationErrand[]) => readonly ConversationErrand[],
): (arranged: ConversationArrangement) => ConversationArrangement {
  return (arranged) => ({ ...arranged, before: change(arranged.before ?? []) });
}

/** A plugin is installed from a marketplace, and later sessions load it without naming it. */
function installs(about: PluginCase) {
  const id = idOf(about);
  return conversation({
    id: `plugin-installs-${about.name}`,
    priority: 'must',
    description: `${about.name} is installed from a marketplace, and the next session finds it`,
    covers: [...COVERS, 'H1', 'H3', 'A7'],
    ...REAL_MARKETPLACE,
    timeoutSeconds: 180,
    arrange: ({ nonce }) => ({
      before: [ADD_MARKETPLACE, plugin('install', id)],
      turns: [askReverse(nonce)],
      after: [plugin('list', '--json')],
    }),
    expect: () => ({
      ends: turnsCompleted(),
      installed: errandAnswered(`claude plugin install ${id}`, { stdout: about.name }),
      ...isThere(about, true),
      listed: errandAnswered('claude plugin list --json', {
        stdout: new RegExp(
          `"id": "${id}",\\s+"version": "1\\.0\\.0",\\s+"scope": "user",\\s+"enabled": true`,
        ),
      }),
    }),
    agent: [answersReverse],
    saboteurs: {
      'it is never installed': {
        config: preparing((before) => before.slice(0, 1)),
        kills: ['installed', 'loaded', 'listed', ...partsWithServer(about)],
        failure: 'PromptIneffective',
      },
      'the model fails': { agent: outOfCredits, kills: ['ends'], failure: 'BackendError' },
      'it is disabled': {
        config: preparing((before) => [...before, plugin('disable', id)]),
        kills: ['loaded', 'listed', ...partsWithServer(about)],
        failure: 'PromptIneffective',
        why: 'A plugin that is installed and not loaded is useless.',
      },
    },
    notApplicable: NO_AGENT,
  });
}

/** A plugin is removed without a trace, installed again with all its parts, and removed again. */
function reinstalls(about: PluginCase) {
  const id = idOf(about);
  const remove = plugin('uninstall', id);
  return conversation({
    id: `plugin-reinstalls-${about.name}`,
    priority: 'should',
    description: `${about.name} is removed without a trace, and comes back with all its parts`,
    covers: [...COVERS, 'H2', 'H50', 'A12'],
    ...REAL_MARKETPLACE,
    timeoutSeconds: 180,
    arrange: ({ nonce }) => ({
      before: [ADD_MARKETPLACE, plugin('install', id), remove, plugin('list'), plugin('install', id)],
      turns: [askReverse(nonce)],
      after: [remove, plugin('list', '--json')],
    }),
    expect: () => ({
      removed: errandAnswered('claude plugin list', { stdout: /No plugins installed/i }),
      ...isThere(about, true),
      removedAgain: errandAnswered('claude plugin list --json', { stdout: /^\[\]\s*$/ }),
    }),
    agent: [answersReverse],
    saboteurs: {
      'it is not removed': {
        config: preparing((before) => before.filter((errand) => errand !== remove)),
        kills: ['removed'],
        failure: 'PromptIneffective',
      },
      'it does not come back': {
        config: preparing((before) => before.slice(0, -1)),
        kills: ['loaded', ...partsWithServer(about)],
        failure: 'PromptIneffective',
      },
      'it is not removed in the end': {
        config: (arranged) => ({ ...arranged, after: (arranged.after ?? []).slice(1) }),
        kills: ['removedAgain'],
        failure: 'PromptIneffective',
      },
    },
    notApplicable: NO_AGENT,
  });
}

/** Plugins that are loaded, installed, and installed again. */
export const installations = [...PLUGINS.map(loads), ...PLUGINS.map(installs), ...PLUGINS.map(reinstalls)];
