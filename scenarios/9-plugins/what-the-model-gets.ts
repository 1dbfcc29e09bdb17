import {
  componentsOffered,
  conversation,
  hookRan,
  modelReceived,
  onPrompt,
  type PluginSource,
  toolAnswered,
  turnSays,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { answersReverse, askReverse, onCommand } from '../support/plugins.js';
import { REPEATS_THE_WORD } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/** Nobody sees what a live model receives. */
const OFFLINE = ['scripted', 'sim'] as const;

const manifest = (name: string) => ({
  '.claude-plugin/plugin.json': `${JSON.stringify({ name, version: '1.0.0', description: 'For tests' })}\n`,
});

/** A plugin that says something when a session starts. */
function greeter(command: string): PluginSource {
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] };
  return {
    name: 'greeter',
    files: { ...manifest('greeter'), 'hooks/hooks.json': JSON.stringify({ hooks }) },
  };
}

/** What a hook says before the first turn reaches the model. */
const sessionStart = conversation({
  id: 'plugin-session-start',
  priority: 'must',
  description: 'A SessionStart hook runs before the first turn, and the model receives what it says',
  covers: ['H20', 'H52'],
  timeoutSeconds: 120,
  lanes: OFFLINE,
  arrange: ({ nonce }) => ({
    plugins: [greeter(`echo "The greeter knows ${nonce}."`)],
    turns: [askReverse(nonce), `${askReverse(nonce)} Once more.`],
  }),
  expect: ({ nonce }) => ({
    hook: hookRan(1, 'SessionStart', { says: `The greeter knows ${nonce}.` }),
    received: modelReceived(1, `The greeter knows ${nonce}.`, { request: 1 }),
    says: turnSays(1, reverse(nonce)),
  }),
  agent: [answersReverse],
  saboteurs: {
    'the plugin says nothing': {
      config: arranging({ plugins: [greeter('true')] }),
      kills: ['hook', 'received'],
    },
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});

/** A plugin with a skill whose declared name is not that of its folder. */
function origami(text: string): PluginSource {
  const skill = `---\nname: paper-folding\ndescription: Use when: something is folded\n---\n${text}\n`;
  return { name: 'origami', files: { ...manifest('origami'), 'skills/folding/SKILL.md': skill } };
}

/** The model loads a skill, and the user calls it by its declared name. */
const skill = conversation({
  id: 'plugin-skill',
  priority: 'must',
  description: 'A skill is listed by its folder, known by its declared name, and its text reaches the model',
  covers: ['H15', 'H52'],
  timeoutSeconds: 120,
  lanes: OFFLINE,
  arrange: ({ nonce }) => ({
    plugins: [origami('Fold $ARGUMENTS twice.')],
    turns: [`Load the skill origami:folding for ${nonce}.`, `/origami:paper-folding ${nonce}`],
  }),
  expect: ({ nonce }) => ({
    offered: componentsOffered({ skills: ['origami:folding'] }),
    loaded: toolAnswered(1, 'Skill', 'Launching skill: origami:folding'),
    received: modelReceived(1, `Fold ${nonce} twice.`, { request: 2 }),
    called: modelReceived(2, `Fold ${nonce} twice.`, { request: 1 }),
    says: turnSays(2, reverse(nonce)),
  }),
  agent: [
    onPrompt(/Load the skill \S+ for (\w+)/)
      .calls('Skill', { skill: 'origami:folding', args: '{{1}}' })
      .says('It is folded.'),
    onCommand('origami:folding').says('{{reverse 1}}'),
  ],
  saboteurs: {
    'loads no skill': {
      agent: without('calls'),
      kills: ['loaded', 'received'],
      failure: 'PromptIneffective',
    },
    'the skill is not for users': {
      config: arranging({
        plugins: [
          {
            name: 'origami',
            files: {
              ...manifest('origami'),
              'skills/folding/SKILL.md':
                '---\ndescription: Only for the model\nuser-invocable: false\n---\nFold $ARGUMENTS twice.\n',
            },
          },
        ],
      }),
      kills: ['offered', 'called', 'says'],
    },
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});

/** A plugin with two agents. The name of one is not that of its file. */
function lore(files: Readonly<Record<string, string>>): PluginSource {
  return { name: 'lore', files: { ...manifest('lore'), ...files } };
}

const GUIDE = '---\nname: wise-guide\ndescription: Guides\n---\nYou know the old stories of the hills.\n';
const SCRIBE = '---\ndescription: Writes: everything\n---\nYou write.\n';

/** An agent answers, and its text replaces the instructions of the model. */
const agent = conversation({
  id: 'plugin-agent',
  priority: 'must',
  description: 'An agent is known by its declared name, or else by its file, and its text reaches the model',
  covers: ['H14', 'H15'],
  timeoutSeconds: 120,
  lanes: OFFLINE,
  arrange: ({ nonce }) => ({
    plugins: [lore({ 'agents/guide.md': GUIDE, 'agents/scribe.md': SCRIBE })],
    agent: 'lore:wise-guide',
    turns: [askReverse(nonce)],
  }),
  expect: ({ nonce }) => ({
    offered: componentsOffered({ agents: ['lore:wise-guide', 'lore:scribe'] }),
    received: modelReceived(1, 'You know the old stories of the hills.', { request: 1 }),
    says: turnSays(1, reverse(nonce)),
  }),
  agent: [answersReverse],
  saboteurs: {
    'there is no scribe': {
      config: arranging({ plugins: [lore({ 'agents/guide.md': GUIDE })] }),
      kills: ['offered'],
    },
    'the scribe answers': {
      config: arranging({ agent: 'lore:scribe' }),
      kills: ['received'],
    },
    'repeats the word as it is': REPEATS_THE_WORD,
  },
});

/** What hooks, skills and agents of plugins give to the model. */
export const givenToTheModel = [sessionStart, skill, agent];
