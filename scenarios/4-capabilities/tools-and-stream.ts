import {
  agentSaid,
  completed,
  eventEmitted,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  promptLacked,
  saidInOrder,
  scenario,
  toolUsed,
  usageReported,
  without,
} from '../../src/authoring.js';
import { changingEach, hesitating } from '../support/agent-changes.js';
import { NEVER_COMPLETES } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/** The answer stands in a file alone: only an agent whose tools really run can give it. */
const toolUse = scenario({
  id: 'claude-tool-use',
  backend: 'claude',
  tier: 4,
  priority: 'should',
  phase: 'green',
  description:
    'Tools really run, and their results come back: the answer stands in a file, not in the prompt',
  covers: ['FR1', 'FR7'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    files: {
      'vault/code.txt': `The code is ${nonce}.\n`,
      'vault/decoy.txt': 'The code is nothing77.\n',
      'weigh.sh': `echo "weight $((${a} + ${b}))"\n`,
    },
    prompt: [
      'Do all of this in one iteration.',
      '1. Read vault/code.txt with your tool for reading files. It names a code.',
      '2. Write the code backwards, nothing else, into answer.txt.',
      '3. Run: sh weigh.sh',
      '4. Say one line: the word WEIGHT, an equals sign and the number that it printed, without blanks.',
      '5. Declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    untold: promptLacked(nonce),
    usedRead: toolUsed('Read', { input: 'vault/code.txt', result: nonce }),
    usedWrite: toolUsed('Write', { input: 'answer.txt' }),
    usedBash: toolUsed('Bash', { input: 'weigh.sh', result: `weight ${a + b}` }),
    file: fileEquals('answer.txt', reverse(nonce)),
    said: agentSaid(`WEIGHT=${a + b}`),
  }),

  agent: [
    onObjective(/Read vault\/code\.txt/).readsFile('vault/code.txt'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'The code is (\\w+)\\.' } })
      .writes('answer.txt', '{{reverse 1}}\n')
      .runs('sh weigh.sh'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'weight (\\d+)' } })
      .says('WEIGHT={{1}}')
      .completes(),
  ],

  saboteurs: {
    'reads another file': {
      agent: changingEach('read', (step) => ({ ...step, path: 'vault/decoy.txt' })),
      kills: ['usedRead', 'file'],
    },
    'looks with another tool than it was told to': {
      agent: changingEach('read', (step) => ({ do: 'run', command: `cat ${step.path}` })),
      kills: ['usedRead'],
    },
    'writes with another tool': {
      agent: changingEach('write', (step) => ({
        do: 'run',
        command: `echo ${step.text.trim()} > ${step.path}`,
      })),
      kills: ['usedWrite'],
    },
    'makes the result up instead of running the command': {
      agent: changingEach('run', (step) => ({
        do: 'tool',
        name: 'Bash',
        input: { command: step.command },
        result: 'weight 1',
      })),
      kills: ['usedBash', 'said'],
      why: 'A call that is only shown looks like one that ran; what it should have found out tells them apart.',
    },
    'the code is given away in the prompt': {
      config: (arrangement, { nonce }) => ({
        ...arrangement,
        prompt: `${arrangement.prompt}\nThe code is ${nonce}.`,
      }),
      kills: ['untold'],
      failure: 'AssertionMismatch',
      why: 'With the code in the prompt an agent without tools could answer.',
    },
    'needs another iteration to begin': { agent: hesitating, kills: ['iterations'] },
    'never declares completion': NEVER_COMPLETES,
  },
});

/** Claude's output is one JSON object a line. ralph finds in it what the agent said; the harness reads all of it. */
const streaming = scenario({
  id: 'claude-streaming',
  backend: 'claude',
  tier: 4,
  priority: 'should',
  phase: 'green',
  description:
    'The NDJSON of Claude Code is read: text blocks, a tool call with its result, the result with its usage',
  covers: ['FR1', 'FR8'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    files: { 'measure.sh': `echo "length $((${a} + ${b}))"\n` },
    prompt: [
      'Do all of this in one iteration, in this order.',
      `1. Say one line: the word BEFORE, a blank, and ${nonce} in capital letters.`,
      '2. Run: sh measure.sh',
      '3. Say one line: the word AFTER, a blank, and the number that it printed.',
      '4. Say one line, with the number in its place: <event topic="length.measured">NUMBER</event>',
      '5. Declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    said: saidInOrder(`BEFORE ${nonce.toUpperCase()}`, `AFTER ${a + b}`),
    used: toolUsed('Bash', { input: 'measure.sh', result: `length ${a + b}`, iteration: 1 }),
    // The tag has quotes, which JSON escapes: ralph finds it only if it reads the stream, not the bytes.
    published: eventEmitted('length.measured', `${a + b}`),
    usage: usageReported({ turns: 2 }),
  }),

  agent: [
    onObjective(/a blank, and (\w+) in capital letters/)
      .says('BEFORE {{upper 1}}')
      .runs('sh measure.sh'),
    onAnyPrompt()
      .when({ toolResult: { regex: 'length (\\d+)' } })
      .says('AFTER {{1}}')
      .emits('length.measured', '{{1}}', 'tag')
      .completes(),
  ],

  saboteurs: {
    'says everything after the tool': {
      agent: changingEach('say', (step) => (step.text.startsWith('BEFORE') ? [] : step)),
      kills: ['said'],
    },
    'makes the result up instead of running the command': {
      agent: changingEach('run', (step) => ({
        do: 'tool',
        name: 'Bash',
        input: { command: step.command },
        result: 'length 1',
      })),
      kills: ['used', 'said', 'published'],
    },
    'forgets the tag': { agent: without('emits'), kills: ['published'], failure: 'EventMissing' },
    'the stream breaks off before its result': {
      agent: (script) => ({
        ...script,
        rules: script.rules.map((rule, index) =>
          index === 0 ? rule : { ...rule, respond: { ...rule.respond, failure: { type: 'crash' } } },
        ),
      }),
      kills: ['usage'],
      failure: 'BackendError',
    },
    'never declares completion': NEVER_COMPLETES,
    'ralph passes over tags': { target: 'ignore-event-tags', kills: ['published'], failure: 'EventMissing' },
  },
});

export const capabilities = [toolUse, streaming];
