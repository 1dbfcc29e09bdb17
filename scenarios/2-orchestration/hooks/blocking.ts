import {
  type Check,
  errandAnswered,
  failedToRun,
  fileEquals,
  loop,
  onObjective,
  type RalphConfig,
  scenario,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { hooksAt } from '../../support/hooks.js';

/** A run of its own: one hook that blocks at one phase. */
interface Blocked {
  readonly phase: string;
  readonly command: readonly string[];
  readonly why: string;
  readonly more?: RalphConfig;
  readonly maxIterations?: number;
}

const FAILS = { command: ['sh', '-c', 'exit 9'], why: 'hook exited with code 9' };

/** One phase each, and every way to fail at least once. */
const BLOCKED: Readonly<Record<string, Blocked>> = {
  start: { phase: 'pre.loop.start', ...FAILS },
  started: {
    phase: 'post.loop.start',
    command: ['sleep', '600'],
    why: 'hook timed out',
    more: { timeout_seconds: 1 },
  },
  begin: {
    phase: 'pre.iteration.start',
    command: ['./gone.sh'],
    why: "hook execution failed: .*command './gone\\.sh' could not be resolved: .*the file does not exist",
  },
  begun: {
    phase: 'post.iteration.start',
    command: ['./plain.sh'],
    why: "hook execution failed: .*command './plain\\.sh' could not be resolved: .*it is not executable",
  },
  plan: {
    phase: 'pre.plan.created',
    command: ['echo', '[]'],
    why: 'invalid mutation output: mutation payload must be a JSON object',
    more: { mutate: { enabled: true } },
  },
  planned: {
    phase: 'post.plan.created',
    command: ['echo', '{"prompt": "x"}'],
    why: 'invalid mutation output: mutation payload supports only .*found keys: \\["prompt"\\]',
    more: { mutate: { enabled: true } },
  },
  ask: {
    phase: 'pre.human.interact',
    command: ['no-such-tool'],
    why: "hook execution failed: .*command 'no-such-tool' was not found in PATH",
  },
  asked: { phase: 'post.human.interact', ...FAILS },
  finished: { phase: 'post.loop.complete', ...FAILS },
  fail: { phase: 'pre.loop.error', ...FAILS, maxIterations: 1 },
  failed: { phase: 'post.loop.error', ...FAILS, maxIterations: 1 },
};

const blockedRun = (name: string) => ['run', '-c', `${name}.yml`, '--no-tui', '-p', `Work on ${name}.`];

function blockedConfig(name: string, { phase, command, more, maxIterations = 3 }: Blocked): string {
  const { hooks: _, ...config } = loop({ maxIterations });
  // The hook before it fails too, and the one after it runs all the same.
  const hooks = [
    { name: 'early', command: ['false'], on_error: 'warn' },
    { name, command, on_error: 'block', ...more },
    { name: 'late', command: ['sh', '-c', `echo ${name} >> late.txt`], on_error: 'warn' },
  ];
  return JSON.stringify({
    ...config,
    cli: { backend: 'claude' },
    hooks: { enabled: true, events: { [phase]: hooks } },
  });
}

const blockedAnswer = (name: string, { phase, why }: Blocked) =>
  errandAnswered(blockedRun(name).join(' '), {
    exitCode: 1,
    stderr: new RegExp(`^Error: Lifecycle hook '${name}' blocked orchestration at '${phase}': ${why}`, 'm'),
  });

/** A hook that may block and fails ends the run wherever it runs, and Ralph says which one, where and why. */
export const hooksBlockEverywhere = scenario({
  ...MECHANICS,
  id: 'hooks-block-everywhere',
  phase: 'red',
  description:
    'A blocking hook ends the run at each phase, whatever its failure, and Ralph names the hook and the reason',
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({
      maxIterations: 3,
      more: { hooks: hooksAt(['pre.loop.complete'], { name: 'end', command: ['false'], on_error: 'block' }) },
    }),
    files: {
      'plain.sh': 'exit 0\n',
      ...Object.fromEntries(
        Object.entries(BLOCKED).map(([name, blocked]) => [`${name}.yml`, blockedConfig(name, blocked)]),
      ),
    },
    before: Object.keys(BLOCKED).map((name) => ({ ralph: blockedRun(name) })),
    prompt: 'Work on the end.',
  }),

  expect: (): Record<string, Check> => ({
    ...Object.fromEntries(
      Object.entries(BLOCKED).map(([name, blocked]) => [name, blockedAnswer(name, blocked)]),
    ),
    refuses: failedToRun(
      1,
      /Lifecycle hook 'end' blocked orchestration at 'pre\.loop\.complete': hook exited with code 1/,
    ),
    late: fileEquals('late.txt', Object.keys(BLOCKED).join('\n')),
    calls: fileEquals('calls.txt', 'plan\nplanned\nask\nasked\nfinished\nfail\nfailed\nthe'),
  }),

  agent: [
    onObjective(/^Work on (plan\w*)\.$/m)
      .appends('calls.txt', '{{1}}\n')
      .emits('plan.draft', 'a plan'),
    onObjective(/^Work on (ask\w*)\.$/m)
      .appends('calls.txt', '{{1}}\n')
      .emits('human.interact', 'Well?'),
    onObjective(/^Work on (\w+)/m)
      .appends('calls.txt', '{{1}}\n')
      .completes(),
  ],

  saboteurs: {
    'Ralph ignores the failure': {
      target: 'ignore-hook-failures',
      kills: [...Object.keys(BLOCKED), 'refuses', 'calls'],
      failure: 'AssertionMismatch',
    },
    'Ralph forgives a hook that it ended': {
      target: 'forgive-late-hooks',
      kills: ['started'],
      failure: 'AssertionMismatch',
    },
  },
});
