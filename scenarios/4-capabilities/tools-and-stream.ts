import {
  agentSaid,
  completed,
  endedAtOnce,
  eventEmitted,
  fileEquals,
  loop,
  onAnyPrompt,
  onObjective,
  promptLacked,
  saidInOrder,
  scenario,
  toolUsed,
  usageReported,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { NEVER_COMPLETES } from '../support/saboteurs.js';
import { reverse } from '../support/texts.js';

/** Asks for an answer that is only in a file, so only an agent whose tools really run can give it. */
const toolUse = scenario({
  id: 'claude-tool-use',
  backend: 'claude',
  description: 'Tools really run, and their results come back: the answer is in a file, not in the prompt',
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
      'This tests your tools: do all of this in one iteration, and use the tool that each step names.',
      '1. Read vault/code.txt with the Read tool. It contains a code.',
      '2. With the Write tool, write only the code, spelled backwards, to answer.txt.',
      '3. With the Bash tool, run `sh weigh.sh`. It prints a word and a number.',
      '4. Say this line with that number, without spaces or commas: `WEIGHT=<number>`',
      '5. Declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
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

  exempt: {
    'other-tool': 'the prompt names the tools, because the test is about how Ralph shows their calls',
  },

  saboteurs: {
    'reads another file': {
      agent: changingEach('read', (step) => ({ ...step, path: 'vault/decoy.txt' })),
      kills: ['usedRead', 'file'],
    },
    'reads with another tool than the prompt names': {
      agent: changingEach('read', (step) => ({ do: 'run', command: `cat ${step.path}` })),
      kills: ['usedRead'],
    },
    'writes with another tool than the prompt names': {
      agent: changingEach('write', (step) => ({
        do: 'run',
        command: `echo ${step.text.trim()} > ${step.path}`,
      })),
      kills: ['usedWrite'],
    },
    'makes up the result instead of running the command': {
      agent: changingEach('run', (step) => ({
        do: 'tool',
        name: 'Bash',
        input: { command: step.command },
        result: 'weight 1',
      })),
      kills: ['usedBash', 'said'],
      why: 'A call that is only displayed looks like one that ran; only the result tells them apart.',
    },
    'the code is given away in the prompt': {
      config: (arrangement, { nonce }) => ({
        ...arrangement,
        prompt: `${arrangement.prompt}\nThe code is ${nonce}.`,
      }),
      kills: ['untold'],
      why: 'With the code in the prompt, an agent without tools could answer.',
    },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
  },
});

/** Reads Claude's output, one JSON object per line: ralph takes what the agent said, the harness takes everything. */
const streaming = scenario({
  id: 'claude-streaming',
  backend: 'claude',
  description:
    'The NDJSON output of Claude Code is read: text blocks, a tool call with its result, and the final usage',
  covers: ['FR1', 'FR8'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }),
    files: { 'measure.sh': `echo "length $((${a} + ${b}))"\n` },
    prompt: [
      'Do all of this in one iteration, in this order. Say each line as plain text, without Markdown.',
      `1. Say this line, with ${nonce} in uppercase in place of <WORD>: \`BEFORE <WORD>\``,
      '2. With the Bash tool, run `sh measure.sh`. It prints a word and a number.',
      '3. Say this line with that number, without commas: `AFTER <number>`',
      '4. Say this line with that number in place of NUMBER: `<event topic="length.measured">NUMBER</event>`',
      '   This tests events in the output, so use the tag and go on, although the guide below says to use `ralph emit` and stop.',
      '5. Declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    said: saidInOrder(`BEFORE ${nonce.toUpperCase()}`, `AFTER ${a + b}`),
    used: toolUsed('Bash', { input: 'measure.sh', result: `length ${a + b}` }),
    // The tag has quotes, which JSON escapes: ralph finds it only if it parses the stream.
    published: eventEmitted('length.measured', `${a + b}`),
    usage: usageReported({ turns: 2 }),
  }),

  agent: [
    onObjective(/with (\w+) in uppercase/)
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
    'makes up the result instead of running the command': {
      agent: changingEach('run', (step) => ({
        do: 'tool',
        name: 'Bash',
        input: { command: step.command },
        result: 'length 1',
      })),
      kills: ['used', 'said', 'published'],
    },
    'the stream ends before its result': {
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
    'ralph ignores tags': { target: 'ignore-event-tags', kills: ['published'], failure: 'EventMissing' },
  },
});

export const toolsAndStream = [toolUse, streaming];
