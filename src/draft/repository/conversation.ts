import { nameConstant, quoteText, writeCall, writeImport, writeValue } from '../source.js';
import type { DraftedPlugin } from './plugin.js';

/** Drafts a first conversation for each plugin: it loads, offers its parts, uses one, and lets the agent answer. */
export function draftConversations(plugins: readonly DraftedPlugin[]): string {
  const ids = nameScenarios(plugins);
  const drafts = plugins.map((plugin, index) => draftConversation(plugin, ids[index] ?? ''));
  const names = new Set(drafts.flatMap(({ imports }) => imports));
  return [
    "import { fileURLToPath } from 'node:url';",
    writeImport([...names].sort(), 'ralph-e2e'),
    '',
    ...drafts.map(({ source }) => source),
  ].join('\n');
}

/** An id is a plain name; what a plugin is called may not be. Names that become the same are numbered. */
function nameScenarios(plugins: readonly DraftedPlugin[]): readonly string[] {
  if (plugins.length === 1) return ['plugin-loads'];
  const taken = new Set<string>();
  return plugins.map(({ name }) => {
    const plain = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
    for (let number = 1; ; number += 1) {
      const id = `${plain || 'plugin'}${number === 1 ? '' : `-${number}`}-loads`;
      const constant = nameConstant(id, new Set());
      if (taken.has(constant)) continue;
      taken.add(constant);
      return id;
    }
  });
}

interface Draft {
  readonly imports: readonly string[];
  readonly source: string;
}

/** A check of the draft: its name, its source, and whether the missing plugin makes it fail. */
interface DraftedCheck {
  readonly key: string;
  readonly call: string;
  readonly import: string;
}

function draftConversation(plugin: DraftedPlugin, id: string): Draft {
  const { name, folder, use, hooks, notPlayed } = plugin;
  const asks = use === null ? [] : [writeUse(use)];
  const last = asks.length + 1;
  const checks = listChecks(plugin, last);
  const rules = [
    ...(use === null ? [] : [writeUseRule(use)]),
    `onPrompt(/Say (\\w+) in uppercase/)${hooks.onWrite.length === 0 ? '' : ".writes('draft.txt', 'A draft.')"}.says('{{upper 1}}')`,
  ];
  const unplayable =
    notPlayed === null
      ? ''
      : `\n  unplayable: { sim: ${quoteText(`the stand-in for Claude Code does not play ${notPlayed}`)} },`;
  const source = `export const ${nameConstant(id, new Set())} = conversation({
  id: ${quoteText(id)},
  description: ${quoteText(`The plugin ${name} loads${use === null ? '' : `, ${describeUse(use)}`}, and the agent still answers`)},${unplayable}

  // The folder of the plugin, and what the user says. Each attempt has a new random word (\`nonce\`).
  arrange: ({ nonce }) => ({
    plugins: [fileURLToPath(new URL(${quoteText(folder === '' ? '..' : `../${folder}`)}, import.meta.url))],
    turns: [
${[...asks, '`Say ${nonce} in uppercase, and do nothing else.`'].map((turn) => `      ${turn},`).join('\n')}
    ],
  }),

  // What the evidence must show. You choose the names; saboteurs refer to them.${use === null ? '' : ' Nobody sees what a live model gets.'}
  expect: ({ nonce${use === null ? '' : ', lane'} }) => ({
${checks.map(({ key, call }) => `    ${key}: ${call},`).join('\n')}
    completed: turnsCompleted(),
    answer: turnSays(${last}, nonce.toUpperCase()),
  }),

  // What a good agent does in the offline lanes. The script never gets the nonce: it reads it from the prompt.
  agent: [
${rules.map((rule) => `    ${rule},`).join('\n')}
  ],

  // Ways to break the scenario, and the checks that must then fail.
  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['answer'] },
    'the plugin is missing': {
      config: (arranged) => ({ ...arranged, plugins: [] }),
      kills: ${writeValue(
        checks.map(({ key }) => key),
        '      ',
      )},
    },
    'a turn calls a command that does not exist': {
      config: (arranged) => ({ ...arranged, turns: [...arranged.turns, '/no-such-command'] }),
      kills: ['completed'],
    },
  },
});
`;
  const own = ['conversation', 'onPrompt', 'turnSays', 'turnsCompleted', 'without'];
  return { imports: [...own, ...checks.map((check) => check.import)], source };
}

function listChecks(plugin: DraftedPlugin, last: number): DraftedCheck[] {
  const { name, offered, agents, use, hooks } = plugin;
  const check = (key: string, made: string, ...args: readonly unknown[]): DraftedCheck => ({
    key,
    call: writeCall(made, args, '    '),
    import: made,
  });
  const used = use === null ? [] : [check('used', 'modelReceived', 1, use.line)];
  return [
    check('loaded', 'pluginLoaded', name),
    ...(offered.length === 0 ? [] : [check('commands', 'commandsOffered', ...offered)]),
    ...(agents.length === 0 ? [] : [check('agents', 'componentsOffered', { agents })]),
    ...used.map((made) => ({ ...made, call: `lane === 'live' ? undefined : ${made.call}` })),
    ...[...hooks.always, ...hooks.onWrite].map((event) =>
      check(`on${event}`, 'hookRan', event === 'SessionStart' ? 1 : last, event),
    ),
  ];
}

type Use = NonNullable<DraftedPlugin['use']>;

function describeUse({ by, name }: Use): string {
  return by === 'user' ? `the user calls /${name}` : `the agent loads the skill ${name}`;
}

function writeUse({ by, name }: Use): string {
  return by === 'user' ? `\`/${name} \${nonce}\`` : quoteText(`Use the skill ${name}.`);
}

function writeUseRule({ by, name, line }: Use): string {
  return by === 'user'
    ? `onPrompt(${quoteText(line)}).says('Done.')`
    : `onPrompt(${quoteText(`Use the skill ${name}`)}).calls('Skill', { skill: ${quoteText(name)} }).says('Done.')`;
}
