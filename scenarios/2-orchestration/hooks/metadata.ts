import {
  completed,
  fileHasJson,
  HOOK_PHASES,
  loop,
  onEvent,
  onObjective,
  type RalphConfig,
  scenario,
} from '../../../src/authoring.js';
import { withoutEmitting } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

/** Keeps what it is told, and hands on the iteration in which it ran. */
const HAND = `#!/bin/sh
payload=$(cat)
printf '%s\\n' "$payload" >> payloads.jsonl
printf '%s' "$payload" | sed -n 's/.*"current": *\\([0-9]*\\).*/{"metadata":{"iteration":\\1}}/p'
`;

type HookPhase = (typeof HOOK_PHASES)[number];

const nameOf = (phase: HookPhase) => phase.replaceAll('.', '-');
const hand = (phase: HookPhase): RalphConfig => ({
  name: nameOf(phase),
  command: ['./hand.sh'],
  on_error: 'block',
  mutate: { enabled: true, format: 'json' },
});

/** What a hook at this phase is told of the hooks before it, each with the iteration of its last run. */
const knows = (
  phase: HookPhase,
  current: number | RegExp,
  handed: Partial<Record<HookPhase, number | RegExp>>,
) =>
  fileHasJson('payloads.jsonl', {
    phase_event: phase,
    iteration: { current },
    metadata: {
      accumulated: {
        hook_metadata: Object.fromEntries(
          HOOK_PHASES.flatMap((at) => {
            const iteration = handed[at];
            return iteration === undefined ? [] : [[nameOf(at), { iteration }]];
          }),
        ),
      },
    },
  });

const ANY = /^[1-9]$/;
const LATER = /^[2-9]$/;
const STARTED = { 'pre.loop.start': 0, 'post.loop.start': 0 } as const;
const BEGUN = { ...STARTED, 'pre.iteration.start': ANY, 'post.iteration.start': ANY };
const WORKED = {
  ...BEGUN,
  'pre.plan.created': ANY,
  'post.plan.created': ANY,
  'pre.human.interact': ANY,
  'post.human.interact': ANY,
};

/** Each phase has a hook that hands something on. */
export const hooksMetadata = scenario({
  ...MECHANICS,
  id: 'hooks-metadata',
  description: 'What a hook hands on at any phase reaches all later hooks, also in later iterations',
  covers: ['FR5'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({
      maxIterations: 4,
      more: {
        hooks: {
          enabled: true,
          events: Object.fromEntries(HOOK_PHASES.map((phase) => [phase, [hand(phase)]])),
        },
      },
    }),
    files: { 'hand.sh': { content: HAND, mode: 0o755 } },
    prompt: 'Make a plan and ask about it. Then declare the objective complete.',
  }),

  expect: () => ({
    ends: completed(),
    started: knows('post.loop.start', 0, { 'pre.loop.start': 0 }),
    begun: knows('post.iteration.start', 1, { ...STARTED, 'pre.iteration.start': 1 }),
    planned: knows('post.plan.created', ANY, { ...BEGUN, 'pre.plan.created': ANY }),
    asked: knows('post.human.interact', ANY, { ...BEGUN, 'pre.human.interact': ANY }),
    next: knows('pre.iteration.start', LATER, WORKED),
    // The newest counts.
    over: knows('post.loop.complete', LATER, {
      ...WORKED,
      'pre.iteration.start': LATER,
      'post.iteration.start': LATER,
      'pre.loop.complete': LATER,
    }),
  }),

  agent: [
    onEvent('plan.draft').completes(),
    onObjective('Make a plan').emits('plan.draft', 'two steps').emits('human.interact', 'Is it right?'),
  ],

  saboteurs: {
    'has no plan': {
      agent: withoutEmitting('plan.draft'),
      kills: ['ends', 'planned', 'next', 'over'],
      failure: 'EventMissing',
    },
    'does not ask': {
      agent: withoutEmitting('human.interact'),
      kills: ['asked', 'next', 'over'],
      failure: 'EventMissing',
    },
    'never completes': neverCompletes('ends', 'over'),
  },
});
