import {
  fileContains,
  fileEquals,
  fileHasJson,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  onPrompt,
  printedJson,
  printedOnlyJson,
  promptContained,
  RALPH_TOPICS,
  scenario,
  terminatedBecause,
  without,
} from '../../../src/authoring.js';
import { withoutEmitting } from '../../support/agent-changes.js';
import { anotherWord } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';

/* JSON lines for programs that drive Ralph. The loop must end as it does without them. */

/** Sends a command, as a program that drives Ralph would. */
const sends = (command: object) => `echo '${JSON.stringify(command)}' >> typed.txt`;
/** Gives Ralph the time to take the commands in. */
const AND_WAITS = 'sleep 0.5';

const COMMANDS = [
  { type: 'get_state', id: 's1' },
  { type: 'get_iterations', id: 'i1' },
  { type: 'guidance', id: 'g1', message: 'Sign with ADA.' },
  { type: 'follow_up', id: 'f1', message: 'Sign with BEA.' },
  { type: 'prompt', id: 'p1', prompt: 'Something else.' },
  { type: 'set_hat', id: 'h1', hat: 'builder' },
  { type: 'dance', id: 'd1' },
];

/** Drives Ralph with JSON lines: every answer, every event, and guidance that reaches the next prompt. */
const rpc = scenario({
  ...MECHANICS,
  id: 'rpc',
  description:
    'With --rpc, Ralph speaks JSON lines, answers commands, and its loop ends as it does without it',
  covers: ['FR5', 'FR10'],
  beyondStandIn: 'JSON lines on stdin and stdout',
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 5 }),
    prompt: `Take two iterations for ${nonce}.`,
    terminal: 'rpc',
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('completed', 0),
    iterations: iterationCount(2),
    calls: fileEquals('calls.txt', 'one\ntwo'),
    began: promptContained(nonce, { iteration: 1 }),
    json: printedOnlyJson(),
    started: printedJson(
      {
        type: 'loop_started',
        prompt: new RegExp(`^Take two iterations for ${nonce}\\.\\n?$`),
        max_iterations: 5,
        backend: 'claude',
        started_at: /^\d{13}$/,
      },
      { times: 1 },
    ),
    place: printedJson({ type: 'loop_started', workspace_root: /./ }),
    first: printedJson(
      { type: 'iteration_start', iteration: 1, max_iterations: 5, hat: 'ralph', backend: 'claude' },
      { times: 1 },
    ),
    second: printedJson({ type: 'iteration_start', iteration: 2 }, { times: 1 }),
    firstEnd: printedJson({
      type: 'iteration_end',
      iteration: 1,
      loop_complete_triggered: false,
      cost_usd: /^0\.00\d+$/,
    }),
    tokens: printedJson({
      type: 'iteration_end',
      iteration: 1,
      input_tokens: /^[1-9]\d*$/,
      output_tokens: /^[1-9]\d*$/,
      context_window: 200_000,
    }),
    secondEnd: printedJson({ type: 'iteration_end', iteration: 2 }),
    words: printedJson({ type: 'text_delta', iteration: 1, delta: new RegExp(`FOR ${nonce}`, 'i') }),
    tool: printedJson({ type: 'tool_call_start', iteration: 1, tool_name: 'Bash' }),
    event: printedJson(
      { type: 'orchestration_event', topic: 'human.guidance', payload: 'Sign with BEA.' },
      { times: 1 },
    ),
    terminate: printedJson({
      type: 'orchestration_event',
      topic: RALPH_TOPICS.end,
      payload: /^## Reason\ncompleted\n/,
    }),
    state: printedJson({
      type: 'response',
      command: 'get_state',
      id: 's1',
      success: true,
      data: { iteration: 1, max_iterations: 5, hat: 'ralph', backend: 'claude', completed: false },
    }),
    asked: printedJson({
      type: 'response',
      command: 'get_iterations',
      id: 'i1',
      success: true,
      data: { iteration: 1, max_iterations: 5 },
    }),
    guided: printedJson({ type: 'response', command: 'guidance', id: 'g1', success: true }),
    acknowledged: printedJson(
      { type: 'guidance_ack', message: 'Sign with ADA.', applies_to: 'next' },
      { times: 1 },
    ),
    followed: printedJson({ type: 'response', command: 'follow_up', id: 'f1', success: true }),
    prompted: printedJson({
      type: 'response',
      command: 'prompt',
      id: 'p1',
      success: false,
      error: /^loop already running/,
    }),
    hatless: printedJson({ type: 'response', command: 'set_hat', id: 'h1', success: false }),
    unknown: printedJson({
      type: 'response',
      command: 'parse',
      success: false,
      error: /unknown variant `dance`/,
    }),
    told: promptContained(/ROBOT GUIDANCE[\s\S]*Sign with ADA\.[\s\S]*Sign with BEA\./, { iteration: 2 }),
    remembered: fileHasJson('.ralph/api/loop-state.json', {
      iteration: 2,
      total_cost_usd: /^0\.0\d*[1-9]/,
      last_hat: 'ralph',
      peak_input_tokens: /^[1-9]\d*$/,
      last_input_tokens: /^[1-9]\d*$/,
      hat_peak_input_tokens: { ralph: /^[1-9]\d*$/ },
    }),
  }),

  agent: [
    onPrompt(/ROBOT GUIDANCE[\s\S]*Sign with ADA/)
      .appends('calls.txt', 'two\n')
      .emits('human.guidance.ack', 'signed')
      .emits('LOOP_COMPLETE', 'done'),
    onObjective(/Take two iterations for (\w+)\./)
      .appends('calls.txt', 'one\n')
      .says('FOR {{upper 1}}')
      .runs([...COMMANDS.map(sends), AND_WAITS].join('; ')),
  ],

  saboteurs: {
    'sends nothing and runs nothing': {
      agent: without('runs'),
      kills: [
        'iterations',
        'event',
        'state',
        'asked',
        'guided',
        'acknowledged',
        'followed',
        'prompted',
        'hatless',
        'unknown',
        'told',
      ],
      failure: 'AssertionMismatch',
    },
    'never completes': {
      agent: withoutEmitting('LOOP_COMPLETE'),
      kills: ['ends', 'iterations', 'terminate'],
      failure: 'UnexpectedTermination',
    },
    'works for somebody else': {
      config: anotherWord,
      kills: ['began', 'started', 'words'],
    },
    'runs without --rpc': {
      config: ({ terminal: _, ...arrangement }) => arrangement,
      kills: ['json', 'started', 'place', 'first', 'second', 'firstEnd', 'tokens', 'secondEnd', 'remembered'],
    },
  },
  exempt: { 'one-more-iteration': 'it counts the iterations' },
});

/** An urgent message: the agent cannot hand on before it has read it. */
const rpcSteer = scenario({
  ...MECHANICS,
  id: 'rpc-steer',
  description:
    'With --rpc, an urgent message holds up the handoff of the current iteration and reaches the next prompt',
  covers: ['FR5', 'FR6'],
  beyondStandIn: 'JSON lines on stdin and stdout',
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 5 }),
    prompt: 'Take two iterations.',
    terminal: 'rpc',
  }),

  expect: () => ({
    ends: terminatedBecause('completed', 0),
    calls: fileEquals('calls.txt', 'one'),
    acknowledged: printedJson(
      { type: 'guidance_ack', message: 'Stop: use INK.', applies_to: 'current' },
      { times: 1 },
    ),
    answered: printedJson({ type: 'response', command: 'steer', id: 'u1', success: true }),
    refused: fileContains('emit.log', /Urgent steer is pending[\s\S]*1\. Stop: use INK\.\n2\. Then DRAW\.\n/),
    code: fileContains('emit.log', 'first: 1, second: 0'),
    told: promptContained(/ROBOT GUIDANCE[\s\S]*1\. Stop: use INK\.\n2\. Then DRAW\.$/m),
  }),

  agent: [
    onPrompt(/ROBOT GUIDANCE[\s\S]*use INK/)
      .emits('human.guidance.ack', 'ink')
      .emits('LOOP_COMPLETE', 'done'),
    onObjective('Take two')
      .once()
      .appends('calls.txt', 'one\n')
      .runs(
        [
          sends({ type: 'steer', id: 'u1', message: 'Stop: use INK.' }),
          sends({ type: 'steer', id: 'u2', message: 'Then DRAW.' }),
          'for i in $(seq 100); do grep -qs DRAW .ralph/urgent-steer.json && break; sleep 0.05; done',
          'ralph emit half.done one > emit.log 2>&1; first=$?',
          'ralph emit half.done two >> emit.log 2>&1; second=$?',
          'echo "first: $first, second: $second" >> emit.log',
        ].join('; '),
      ),
    onObjective('Take two').emits('work.step', 'again'),
  ],

  saboteurs: {
    'sends nothing': {
      agent: without('runs'),
      kills: ['acknowledged', 'answered', 'refused', 'code', 'told'],
      failure: 'AssertionMismatch',
    },
    'never completes': {
      agent: withoutEmitting('LOOP_COMPLETE'),
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },
  notApplicable: { 'by-hand': 'a program that reads the same marker refuses in the same way' },
});

/** A program that drives Ralph gives up. */
const rpcAbort = scenario({
  ...MECHANICS,
  id: 'rpc-abort',
  phase: 'red',
  description:
    'With --rpc, an abort ends the loop as interrupted, with a record and without a process left behind',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'JSON lines on stdin and stdout',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 5 }),
    prompt: 'Take two iterations.',
    terminal: 'rpc',
  }),

  expect: () => ({
    ends: terminatedBecause('interrupted', 130),
    calls: fileEquals('calls.txt', 'one'),
    answered: printedJson({ type: 'response', command: 'abort', id: 'a1', success: true }),
    terminated: printedJson({ type: 'loop_terminated', reason: 'interrupted' }),
  }),

  agent: [
    onObjective('Take two')
      .once()
      .appends('calls.txt', 'one\n')
      .runs(sends({ type: 'abort', id: 'a1', reason: 'enough' }))
      .hangs(),
    onAnyPrompt().completes(),
  ],

  knownIssue: {
    upTo: '2.10.1',
    reason: 'Ralph kills itself with SIGKILL and leaves no record',
    link: 'docs/ralph-behavior.md',
    breaks: {
      ends: /^killed by SIGKILL, no termination record/,
      terminated: /^found 0 /,
      endedByItself: 'killed by SIGKILL',
    },
  },

  saboteurs: {
    'does not abort': {
      agent: [onAnyPrompt().appends('calls.txt', 'one\n').completes()],
      kills: ['answered'],
      failure: 'AssertionMismatch',
    },
  },
  notApplicable: {
    'acts-silently': 'nothing that it says is checked: Ralph kills itself before it prints it',
    leftovers: 'a command that is left over is sent again',
  },
});

export const rpcLoops = [rpc, rpcSteer, rpcAbort];
