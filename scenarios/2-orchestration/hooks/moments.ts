import {
  completed,
  fileContains,
  fileEquals,
  fileHasJson,
  fileLacks,
  HOOK_PHASES,
  hats,
  iterationCount,
  loop,
  onHat,
  onObjective,
  onPrompt,
  promptContained,
  RALPH_TOPICS,
  type RalphConfig,
  rowWithTopic,
  scenario,
  terminatedBecause,
} from '../../../src/authoring.js';
import { emitting, withoutEmitting } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { hooksAt, rehooking } from '../../support/hooks.js';
import { neverStops } from '../../support/saboteurs.js';

/** Writes down where it runs: the phase, the iteration, whether the end is recorded, and the reason or the question. */
const DIARY = `#!/bin/sh
payload=$(cat)
field() { printf '%s' "$payload" | sed -n "s/.*\\"$1\\": *\\"\\{0,1\\}\\([^\\",}]*\\).*/\\1/p"; }
ended=$(grep -c '${rowWithTopic(RALPH_TOPICS.end)}' "$(cat .ralph/current-events)" 2>/dev/null)
echo "$(field phase_event) $(field current) ended:\${ended:-0} $(field termination_reason) $(field question)" | sed 's/ null//g; s/ *$//' >> diary.txt
`;

const diaryAt = (phases: readonly string[]): RalphConfig =>
  hooksAt(phases, { name: 'diary', command: ['./diary.sh'], on_error: 'warn' });

const atTheLimit = (maxIterations: number, phases: readonly string[] = HOOK_PHASES) =>
  loop({ maxIterations, more: { hooks: diaryAt(phases) } });

/** A loop that ends at its limit: each hook at its moment, in every iteration, and those for errors at the end. */
const hooksAtError = scenario({
  ...MECHANICS,
  id: 'hooks-at-error',
  phase: 'red',
  description:
    'A loop that fails runs the hooks for errors and not those for completion; plans and questions run theirs',
  covers: ['FR5', 'FR9'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: atTheLimit(2),
    files: { 'diary.sh': { content: DIARY, mode: 0o755 } },
    prompt: `Publish a plan and ask about ${nonce} in the first iteration. Work on in the second.`,
  }),

  expect: ({ nonce }) => ({
    ends: terminatedBecause('max_iterations', 2),
    iterations: iterationCount(2),
    plans: fileContains('diary.txt', /^pre\.plan\.created 1 [\s\S]*^post\.plan\.created 1 /m),
    questions: fileContains(
      'diary.txt',
      `pre.human.interact 1 ended:0 Is ${nonce.toUpperCase()} right?\npost.human.interact 1 ended:0 Is ${nonce.toUpperCase()} right?`,
    ),
    atTheEnd: fileContains(
      'diary.txt',
      'pre.loop.error 2 ended:0 max_iterations\npost.loop.error 2 ended:1 max_iterations',
    ),
    diary: fileEquals(
      'diary.txt',
      [
        'pre.loop.start 0 ended:0',
        'post.loop.start 0 ended:0',
        'pre.iteration.start 1 ended:0',
        'post.iteration.start 1 ended:0',
        'agent 1',
        'pre.plan.created 1 ended:0',
        `pre.human.interact 1 ended:0 Is ${nonce.toUpperCase()} right?`,
        `post.human.interact 1 ended:0 Is ${nonce.toUpperCase()} right?`,
        'post.plan.created 1 ended:0',
        'pre.iteration.start 2 ended:0',
        'post.iteration.start 2 ended:0',
        'agent 2',
        'pre.loop.error 2 ended:0 max_iterations',
        'post.loop.error 2 ended:1 max_iterations',
      ].join('\n'),
    ),
    plan: promptContained('Event: plan.draft - two steps', { iteration: 2 }),
  }),

  agent: [
    onObjective(/ask about (\w+) in the first/)
      .once()
      .appends('diary.txt', 'agent 1\n')
      .emits('plan.draft', 'two steps')
      .emits('human.interact', 'Is {{upper 1}} right?'),
    onObjective('Work on').appends('diary.txt', 'agent 2\n').emits('work.step', 'done'),
  ],

  saboteurs: {
    'has no plan': { agent: withoutEmitting('plan.draft'), kills: ['diary', 'plans', 'plan'] },
    'asks something else': {
      agent: emitting('human.interact', { payload: 'Well?' }),
      kills: ['diary', 'questions'],
    },
    'Ralph runs the hooks for completion': { target: 'wrong-end-hooks', kills: ['diary', 'atTheEnd'] },
    'Ralph ignores the limit': neverStops('ends', 'iterations', 'diary', 'atTheEnd'),
  },
});

/** Keeps the payload, with names for what differs from run to run. */
const RECORD = `#!/bin/sh
sed "s|\\"$(cat .ralph/current-loop-id)\\"|\\"LOOP\\"|; s|\\"$PWD\\"|\\"WORKSPACE\\"|g; s|\\"pid\\": *$PPID\\b|\\"pid\\":\\"RALPH\\"|" >> payloads.jsonl
echo >> payloads.jsonl
`;
const RECORDS = { name: 'record', command: ['./record.sh'], on_error: 'block' } as const;

const hook = (name: string, ...command: readonly string[]) => ({ name, command, on_error: 'block' });
const hands = (name: string, field: string, value: string) => ({
  ...hook(name, 'printf', '%s', JSON.stringify({ metadata: { [field]: value } })),
  mutate: { enabled: true, format: 'json' },
});

const payloadHooks = (word: string): RalphConfig => ({
  enabled: true,
  events: {
    'pre.loop.start': [
      RECORDS,
      hands('ticket', 'word', word),
      // Without `mutate`, what a hook prints goes nowhere.
      hook('chatter', 'printf', '%s', '{"metadata": {"word": "chatter"}}'),
    ],
    'post.loop.start': [hands('owner', 'name', 'ada')],
    'pre.iteration.start': [RECORDS],
    'post.iteration.start': [RECORDS],
    'pre.loop.complete': [RECORDS],
  },
});

const builder = (word: string) =>
  hats(
    {
      builder: {
        triggers: ['build.task'],
        publishes: ['build.finished'],
        instructions: 'Build it.',
      },
    },
    { maxIterations: 5, more: { hooks: payloadHooks(word) } },
  );

/** What a hook reads: where it is in which loop, and what earlier hooks handed on. */
const hooksPayload = scenario({
  ...MECHANICS,
  id: 'hooks-payload',
  description: 'A hook reads the loop, the iteration, the hats, the reason and the metadata of earlier hooks',
  covers: ['FR5', 'FR15'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: builder(nonce).startingWith('build.task'),
    files: { 'record.sh': { content: RECORD, mode: 0o755 } },
    prompt: 'Build it, then declare the objective complete.',
  }),

  expect: ({ nonce }) => {
    const handed = { hook_metadata: { ticket: { word: nonce }, owner: { name: 'ada' } } };
    const inIteration = (current: number, hat: string) => ({
      phase: 'post',
      event: 'iteration.start',
      phase_event: 'post.iteration.start',
      iteration: { current, max: 5 },
      context: { active_hat: hat, selected_hat: hat, termination_reason: null },
    });
    return {
      ends: completed(),
      built: fileEquals('built.txt', 'done'),
      start: fileHasJson('payloads.jsonl', {
        schema_version: 1,
        phase: 'pre',
        event: 'loop.start',
        loop: { id: 'LOOP', is_primary: true, workspace: 'WORKSPACE', repo_root: 'WORKSPACE', pid: 'RALPH' },
        iteration: { current: 0, max: 5 },
        context: { active_hat: 'ralph', selected_hat: null, human_interact: null, termination_reason: null },
        metadata: { accumulated: {} },
        timestamp: /^20\d\d-\d\d-\d\dT/,
      }),
      builder: fileHasJson('payloads.jsonl', inIteration(1, 'builder'), { times: 1 }),
      coordinator: fileHasJson('payloads.jsonl', inIteration(2, 'ralph'), { times: 1 }),
      handedOn: fileHasJson(
        'payloads.jsonl',
        { phase_event: 'post.iteration.start', metadata: { accumulated: handed } },
        { times: 2 },
      ),
      every: fileHasJson('payloads.jsonl', { phase_event: 'pre.iteration.start' }, { times: 2 }),
      reason: fileHasJson('payloads.jsonl', {
        phase_event: 'pre.loop.complete',
        context: { termination_reason: 'completed' },
        metadata: { accumulated: handed },
      }),
      chatter: fileLacks('payloads.jsonl', 'chatter'),
    };
  },

  agent: [
    onHat('Builder').writes('built.txt', 'done\n').emits('build.finished', 'built'),
    onPrompt('build.finished').completes(),
  ],

  saboteurs: {
    'the chatter is metadata too': {
      config: rehooking('pre.loop.start', [RECORDS, hands('chatter', 'word', 'chatter')]),
      kills: ['chatter'],
    },
  },
});

export const hookMoments = [hooksAtError, hooksPayload];
