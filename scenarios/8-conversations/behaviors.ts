import {
  agentLoop,
  type ConversationArrangement,
  componentsOffered,
  conversation,
  fileSeen,
  fixturePluginFolder,
  nothingOdd,
  oddityFound,
  onlyIn,
  onPrompt,
  type Saboteur,
  type Step,
  toolAnswered,
  turnAvoids,
  turnHandlesError,
  turnSays,
  turnsCompleted,
  turnUses,
  without,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { onCommand } from '../support/plugins.js';
import { CODE, LIBRARY } from '../support/projects.js';
import { modelGivesOut } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/** The file that the user names does not exist: the agent says so, looks around, and finds another one. */
const missingFile = conversation({
  id: 'behaviour-missing-file',
  programs: ['python3'],
  priority: 'must',
  description: 'The agent reports a missing file, and finds the one that was meant',
  covers: ['C47', 'H30', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: { 'notes/other.md': `This note ends with ${reverse(nonce)}` },
    turns: [
      `Read notes/${nonce}.md with the Read tool. If it is not found, say so, and say which note in that folder you read instead. Then say the last word of the note in uppercase.`,
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    answered: toolAnswered(1, 'Read', /does not exist/i, { failed: true }),
    uses: turnUses(1, 'read'),
    handles: turnHandlesError(1, 'file_not_found'),
    says: turnSays(1, reverse(nonce).toUpperCase()),
  }),

  agent: [
    onPrompt(/Read notes\/(\w+)\.md/).readsFile('notes/{{1}}.md'),
    onPrompt(/Read notes\/(\w+)\.md/)
      .when({ toolResult: { regex: 'does not exist', flags: 'i' } })
      .readsFile('notes/other.md'),
    onPrompt(/Read notes\/(\w+)\.md/)
      .when({ toolResult: { regex: 'ends with (\\w+)' } })
      .says('notes/{{1}}.md was not found. I read notes/other.md instead: {{upper 2}}.'),
  ],

  saboteurs: {
    'gives up at the missing file': {
      agent: (script) => ({ ...script, rules: script.rules.slice(0, 1) }),
      kills: ['uses', 'says'],
    },
    'the file exists': {
      config: (arranged, { nonce }) => ({
        ...arranged,
        files: { ...arranged.files, [`notes/${nonce}.md`]: 'Here it is.\n' },
      }),
      kills: ['answered', 'handles'],
      failure: 'PromptIneffective',
    },
    'the model fails': modelGivesOut('Read notes', 'ends'),
  },
});

/** The agent of a plugin answers instead of the default one: the model gets the text of its file. */
const agentMode = conversation({
  id: 'behaviour-agent-mode',
  programs: ['python3'],
  priority: 'must',
  description: 'An agent of a plugin follows its own rules: the text of its file reaches the model',
  covers: ['H14', 'H15', 'H37', 'A6', 'C2', 'H74'],
  timeoutSeconds: 60,

  arrange: () => ({
    files: LIBRARY,
    plugins: [fixturePluginFolder('epti')],
    agent: 'epti:tdd-agent',
    turns: ['Implement power(a, b) now.'],
  }),

  expect: () => ({
    ends: turnsCompleted(),
    components: componentsOffered({ agents: ['epti:tdd-agent'] }),
    says: turnSays(1, /commit the tests first/i),
    avoids: turnAvoids(1, 'write'),
  }),

  agent: [
    onPrompt('Implement power(a, b) now')
      .when({ systemPrompt: { contains: 'You are the TDD agent of epti.' } })
      .says('No: I commit the tests first.'),
    onPrompt('Implement power(a, b) now')
      .writes('power.py', 'def power(a, b):\n    return a ** b\n')
      .says('Here it is.'),
  ],

  saboteurs: {
    'the default agent answers': {
      config: ({ agent: _, ...arranged }) => arranged,
      kills: ['says', 'avoids'],
      failure: 'PromptIneffective',
    },
    'the plugin is missing': {
      config: ({ agent: _, plugins: __, ...arranged }) => arranged,
      kills: ['components'],
      failure: 'PromptIneffective',
    },
    'the model fails': modelGivesOut('Implement power(a, b) now', 'ends'),
  },
});

/** A sane agent: it mentions only files it has seen and repeats no call. */
const keepsToWhatItSaw = conversation({
  id: 'behaviour-keeps-to-files-seen',
  programs: ['python3'],
  priority: 'should',
  description: 'The agent mentions only files that it has seen, and does not go in circles',
  covers: ['C55', 'C57', 'C58', 'C60', 'H74'],
  backends: ['claude', 'opencode'],
  // OpenCode takes seconds to start, and it starts for each turn.
  timeoutSeconds: 240,

  arrange: ({ nonce }) => ({
    files: {
      'parts/first.md': 'See parts/second.md.\n',
      'parts/second.md': `It says ${reverse(nonce)}.\n`,
    },
    turns: [
      'Which file does parts/first.md point to? Do not open that file yet.',
      'Now read that file. Which word does it say? Answer in uppercase.',
    ],
  }),

  expect: ({ nonce }) => ({
    read1: fileSeen(1, 'parts/first.md', 'read'),
    named1: fileSeen(1, 'parts/second.md', 'mentioned'),
    read2: fileSeen(2, 'parts/second.md', 'read'),
    says1: turnSays(1, 'parts/second.md'),
    says2: turnSays(2, reverse(nonce).toUpperCase()),
    knownFiles: nothingOdd('unknown-file'),
    noCircles: nothingOdd('repeated-call', 'repeated-error'),
  }),

  agent: [
    onPrompt('Which file does parts/first.md point to')
      .readsFile('parts/first.md')
      .says('To parts/second.md.'),
    onPrompt('Now read that file').readsFile('parts/second.md'),
    onPrompt('Now read that file')
      .when({ toolResult: { regex: 'It says (\\w+)' } })
      .says('{{upper 1}}'),
  ],

  saboteurs: {
    'says nothing': { agent: without('says'), kills: ['says1', 'says2'] },
    'names the file without reading anything': {
      agent: onlyIn('Which file', without('readsFile')),
      kills: ['read1', 'knownFiles'],
    },
    'neither reads nor names a file': {
      agent: onlyIn('Which file', without('readsFile', 'says')),
      kills: ['read1', 'named1'],
    },
    'does not open the second file': {
      agent: onlyIn('Now read that file', without('readsFile')),
      kills: ['read2', 'says2'],
    },
    'reads it again and again': {
      agent: onlyIn(
        'Which file',
        changingEach('read', (step) => [step, step, step]),
      ),
      kills: ['noCircles'],
    },
  },
});

/** What a confused agent does, and the finding that the harness must report. */
const ASTRAY = [
  {
    prompt: 'Which file has the configuration?',
    kind: 'unknown-file',
    steps: [{ do: 'say', text: 'It is all in settings/secret.yaml.' }],
  },
  {
    prompt: 'Look at the code.',
    kind: 'repeated-call',
    steps: Array.from({ length: 3 }, (): Step => ({ do: 'read', path: CODE })),
  },
  {
    prompt: 'Look at the tests.',
    kind: 'repeated-error',
    steps: Array.from({ length: 2 }, (): Step => ({ do: 'read', path: 'no-such-test.py' })),
  },
  { prompt: '/commit', kind: 'invalid-transition', steps: [{ do: 'say', text: 'Committed, I believe.' }] },
] as const satisfies readonly {
  readonly prompt: string;
  readonly kind: Parameters<typeof oddityFound>[0];
  readonly steps: readonly Step[];
}[];

/** A confused agent: the harness reports a finding for each turn. Offline only, as a real model cannot be asked to err. */
const goesAstray = conversation({
  id: 'behaviour-goes-astray',
  programs: ['python3'],
  priority: 'should',
  phase: 'red',
  description: 'Invented files, repeated calls and a stage out of order are findings',
  covers: ['C57', 'C60', 'C63', 'H74'],
  lanes: ['scripted', 'sim'],
  timeoutSeconds: 60,

  arrange: () => ({
    files: LIBRARY,
    plugins: [fixturePluginFolder('agent-loop')],
    workflow: agentLoop,
    turns: ASTRAY.map(({ prompt }) => prompt),
  }),

  expect: () => ({
    'unknown-file': oddityFound('unknown-file', 1),
    'repeated-call': oddityFound('repeated-call', 2),
    'repeated-error': oddityFound('repeated-error', 3),
    'invalid-transition': oddityFound('invalid-transition', 4),
  }),

  agent: [
    ...ASTRAY.map(({ prompt, steps }) => {
      const { rule } = prompt === '/commit' ? onCommand('agent-loop:commit') : onPrompt(prompt);
      return { rule: { ...rule, respond: { steps: [...steps] } } };
    }),
    onCommand('agent-loop:explore').says('I look first.'),
  ],

  saboteurs: {
    ...Object.fromEntries(
      ASTRAY.slice(0, 3).map(({ prompt, kind }): [string, Saboteur<ConversationArrangement, typeof kind>] => [
        `does nothing odd when asked "${prompt}"`,
        { agent: onlyIn(prompt, without('says', 'readsFile')), kills: [kind] },
      ]),
    ),
    'the user starts with the first stage': {
      config: (arranged) => ({ ...arranged, turns: [...arranged.turns.slice(0, 3), '/explore'] }),
      kills: ['invalid-transition'],
      failure: 'PromptIneffective',
    },
  },

  notApplicable: { 'acts-silently': 'its errors are in what it does as well as in what it says' },
});

/** Good and bad behavior of single agents. */
export const behaviors = [missingFile, agentMode, keepsToWhatItSaw, goesAstray] as const;
