import {
  conversation,
  devServerRan,
  fileAfterTurn,
  fileEquals,
  onlyIn,
  onPrompt,
  turnChanges,
  turnChangesOnly,
  turnsCompleted,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { doingFirst } from '../../support/agent-changes.js';
import { anotherWord, arranging } from '../../support/arrangement-changes.js';
import { modelGivesOut } from '../../support/saboteurs.js';
import { reverse } from '../../support/texts.js';

/** The file is gone in the end: only the snapshots show what it was in between. */
const fileHistory = conversation({
  id: 'flow-file-history',
  priority: 'should',
  description: 'A file is written, changed and deleted, and its content after each turn is known',
  covers: ['C56', 'H74'],
  timeoutSeconds: 60,

  arrange: ({ nonce }) => ({
    files: { 'README.md': 'Notes come and go.\n' },
    allowedTools: ['Bash(rm *)'],
    turns: [
      `Write only the word ${nonce} backwards to NOTE.txt. Change no other file.`,
      `Write only the word ${nonce} in uppercase to NOTE.txt instead. Change no other file.`,
      'Delete NOTE.txt with rm. Change no other file.',
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    before: fileAfterTurn(0, 'NOTE.txt', null),
    first: fileAfterTurn(1, 'NOTE.txt', reverse(nonce)),
    second: fileAfterTurn(2, 'NOTE.txt', nonce.toUpperCase()),
    gone: fileAfterTurn(3, 'NOTE.txt', null),
    deleted: turnChanges(3, 'NOTE.txt'),
    only: turnChangesOnly(2, 'NOTE.txt'),
  }),

  agent: [
    onPrompt(/the word (\w+) backwards to NOTE/)
      .writes('NOTE.txt', '{{reverse 1}}\n')
      .says('Written.'),
    onPrompt(/the word (\w+) in uppercase to NOTE/)
      .writes('NOTE.txt', '{{upper 1}}\n')
      .says('Changed.'),
    onPrompt('Delete NOTE').runs('rm NOTE.txt').says('Deleted.'),
  ],

  saboteurs: {
    'changes another file, too': {
      agent: onlyIn('in uppercase', doingFirst({ do: 'write', path: 'README2.md', text: 'more\n' })),
      kills: ['only'],
    },
    'claims to delete it': { agent: onlyIn('Delete NOTE', without('runs')), kills: ['gone', 'deleted'] },
    'the user says another word': {
      config: anotherWord,
      kills: ['first', 'second'],
      failure: 'PromptIneffective',
    },
    'the note is there already': {
      config: arranging({ files: { 'README.md': 'Notes come and go.\n', 'NOTE.txt': 'old\n' } }),
      kills: ['before'],
      failure: 'PromptIneffective',
    },
    'the model fails in the last turn': modelGivesOut('Delete NOTE', 'ends'),
  },

  notApplicable: { 'acts-silently': 'what it says is not checked: the files are' },
});

/** Says its word to whoever asks. */
const SERVER = `import { createServer } from 'node:http';

const word = process.argv[2];
createServer((request, response) => {
  response.end(request.url === '/word' ? \`The word is \${word}.\\n\` : 'Ask for /word.\\n');
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** Answers once and ends. */
const ENDS_EARLY = `import { createServer } from 'node:http';

createServer((_, response) => {
  response.end('Goodbye.\\n', () => process.kill(process.pid));
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** The word is in no file: only the server says it. */
const devServer = conversation({
  id: 'flow-dev-server',
  programs: ['curl'],
  priority: 'should',
  description: 'A server of the project runs during the conversation, and the agent gets an answer from it',
  covers: ['C51', 'H74'],
  timeoutSeconds: 90,

  arrange: ({ nonce }) => ({
    files: { 'serve.mjs': SERVER },
    devServer: { run: ['node', 'serve.mjs', nonce] },
    allowedTools: ['Bash(curl *)'],
    turns: [
      'Ask {{devServer}}/word with curl, and write only the word that it says, backwards, to WORD.txt.',
    ],
  }),

  expect: ({ nonce }) => ({
    ends: turnsCompleted(),
    asked: turnUses(1, 'run'),
    file: fileEquals('WORD.txt', reverse(nonce)),
    ran: devServerRan(),
  }),

  agent: [
    onPrompt(/Ask (http\S+)\/word with curl/).runs('curl -s {{1}}/word'),
    onPrompt('/word with curl')
      .when({ toolResult: { regex: 'The word is (\\w+)' } })
      .writes('WORD.txt', '{{reverse 1}}\n')
      .says('Written.'),
  ],

  saboteurs: {
    'does not ask': { agent: without('runs'), kills: ['asked', 'file'] },
    'the server ends early': {
      config: arranging({ files: { 'serve.mjs': ENDS_EARLY } }),
      kills: ['ran', 'file'],
      failure: 'PromptIneffective',
    },
    'the model fails': modelGivesOut('/word with curl', 'ends'),
  },

  notApplicable: { 'acts-silently': 'what it says is not checked: the file is' },
});

/** Conversations in which files and a server change, or answer, from turn to turn. */
export const flowsOverFiles = [fileHistory, devServer] as const;
