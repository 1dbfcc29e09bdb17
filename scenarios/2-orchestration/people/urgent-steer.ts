import {
  completed,
  errandAnswered,
  fileContains,
  iterationCount,
  loop,
  onEvent,
  onObjective,
  pendingEvents,
  promptContained,
  scenario,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

const BY_HAND = 'this tests what Ralph makes of messages, and not the commands of Ralph';

const EMITS = [
  'ralph emit first.word one > first.txt 2>&1; echo "exit $?" >> first.txt',
  'sh steer.sh',
  'ralph emit second.word two > second.txt 2>&1; echo "exit $?" >> second.txt',
  'ralph emit second.word three',
].join('; ');

const LATE = 'emit late.word four';

/** Messages that cannot wait: Ralph's own API writes them to a file, which `steer.sh` does here. */
export const urgentSteer = scenario({
  ...MECHANICS,
  id: 'urgent-steer',
  description:
    'Urgent messages stop `ralph emit` once, and all are shown; those that another run left stop nothing',
  covers: ['FR6'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 3 }),
    files: {
      // Left behind by another run: it must not stop this one.
      '.ralph/urgent-steer.json': JSON.stringify({ messages: ['old'], created_at: '2026-01-01T00:00:00Z' }),
      'steer.sh': [
        'cat > .ralph/urgent-steer.json <<END',
        JSON.stringify({ messages: [`Stop at ${nonce}.`, 'Turn back.'], created_at: '2026-01-01T00:00:00Z' }),
        'END',
        '',
      ].join('\n'),
    },
    prompt: 'Publish three words.',
    after: [{ ralph: LATE.split(' ') }],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(2),
    stale: fileContains('first.txt', 'exit 0'),
    stopped: fileContains('second.txt', /exit 1$/m),
    messages: fileContains('second.txt', `\n1. Stop at ${nonce}.\n2. Turn back.\n`),
    pending: pendingEvents(['first.word', 'second.word'], { iteration: 2 }),
    again: promptContained('\nEvent: second.word - three\n', { iteration: 2 }),
    // The agent sent another message in its last iteration: the run takes it with it.
    cleared: errandAnswered(LATE, { stdout: 'Event emitted: late.word' }),
  }),

  agent: [
    onEvent('second.word').runs('sh steer.sh').completes(),
    onObjective(/Publish three words/).runs(EMITS),
  ],

  notApplicable: { 'by-hand': BY_HAND, 'forged-output': BY_HAND },

  saboteurs: {
    'urgent messages are ignored': {
      target: 'ignore-urgent-steer',
      kills: ['stopped', 'messages', 'pending'],
    },
    'the message comes before the first word': {
      agent: replacing('ralph emit first.word', 'sh steer.sh; ralph emit first.word'),
      kills: ['stale', 'pending'],
    },
    'gives up at the message': {
      agent: replacing('; ralph emit second.word three', ''),
      kills: ['pending', 'again'],
    },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});
