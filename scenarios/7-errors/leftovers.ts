import {
  type Arrangement,
  backendNeverCalled,
  completed,
  endReported,
  fileEquals,
  loop,
  onAnyPrompt,
  pendingEvents,
  promptContained,
  RALPH_TOPICS,
  type RalphConfig,
  scenario,
  scratchpadContains,
  terminatedBecause,
  without,
} from '../../src/authoring.js';
import { arranging } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { ignoresCompletion, neverStops, noBuiltIns } from '../support/saboteurs.js';
import { finishes } from './requests.js';

/* What Ralph makes of files that an earlier loop left behind. */

const LIMIT_USD = 2.5;
const withCostLimit = (config: RalphConfig): RalphConfig => ({
  ...config,
  event_loop: { ...Object(config.event_loop), max_cost_usd: LIMIT_USD },
});
const NOTES = { '.ralph/agent/scratchpad.md': 'Half of the work is done.\n' };
const EVENTS = '.ralph/events-20260101-000000.jsonl';
const record = (topic: string, payload: string) =>
  JSON.stringify({ ts: '2026-01-01T00:00:00+00:00', iteration: 1, hat: 'loop', topic, payload });

/** A loop that has ended, and lines that came later. The broken line before its end is history. */
const ended = (...later: readonly string[]) => ({
  ...NOTES,
  '.ralph/current-events': EVENTS,
  [EVENTS]: [
    record(RALPH_TOPICS.start, 'Do the work.'),
    'broken long ago',
    record(RALPH_TOPICS.end, '## Reason\nmax_iterations\n\n## Status\nStopped at iteration limit.'),
    ...later,
    '',
  ].join('\n'),
});

const spent = (usd: number) => ({
  ...ended(),
  '.ralph/api/loop-state.json': JSON.stringify({ iteration: 3, total_cost_usd: usd, last_hat: 'ralph' }),
});

const withOtherNotes = (arrangement: Arrangement): Arrangement => ({
  ...arrangement,
  files: { ...arrangement.files, '.ralph/agent/scratchpad.md': 'Nothing is done.\n' },
});

/** Checks that a continued loop ends for this reason before it calls an agent, and keeps its notes. */
const endsBeforeItsAgent = (
  reason: string,
  end: Pick<Parameters<typeof endReported>[0], 'label' | 'status' | 'exitCode'>,
) => ({
  ends: terminatedBecause(reason, end.exitCode),
  neverCalled: backendNeverCalled(),
  notes: scratchpadContains('Half of the work is done.'),
  reported: endReported({ ...end, resumable: true }),
});

/** Saboteurs for the checks of `endsBeforeItsAgent`. */
const OTHER_ENDS = {
  'Ralph reports another end': { target: 'misreport-end', kills: ['reported'] },
  'Ralph exits with success': { target: 'wrong-exit-code', kills: ['ends'] },
  'there are other notes': { config: withOtherNotes, kills: ['notes'] },
} as const;

/** An earlier session has spent everything that the loop may cost. */
const costReached = scenario({
  id: 'cost-of-earlier-sessions',
  ...MECHANICS,
  phase: 'red',
  description: 'A continued loop whose earlier sessions reached the cost limit ends before it spends more',
  covers: ['FR9'],

  arrange: () => ({
    config: withCostLimit(loop({ maxIterations: 9 })),
    files: spent(LIMIT_USD),
    prompt: 'Do the other half of the work.',
    args: ['--continue'],
  }),

  expect: () =>
    endsBeforeItsAgent('max_cost', {
      label: 'Maximum cost exceeded',
      status: 'Stopped at cost limit.',
      exitCode: 2,
    }),

  agent: [onAnyPrompt().completes()],

  saboteurs: {
    'a cent is left': {
      config: arranging({ files: spent(LIMIT_USD - 0.01) }),
      kills: ['ends', 'neverCalled', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'Ralph ignores the limit': neverStops('ends', 'neverCalled'),
    ...OTHER_ENDS,
  },

  notApplicable: noBuiltIns('no agent takes part: the loop may not spend anything'),
});

/** Only broken lines since the loop ended, and no event between them. */
const threeBrokenLines = scenario({
  id: 'three-broken-lines',
  ...MECHANICS,
  phase: 'red',
  description: 'Three lines in a row that are not events end the loop with validation_failure',
  covers: ['FR6', 'FR9'],

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 5 }),
    files: ended(nonce, '{"topic": "no.time"}', '[1]'),
    prompt: 'Do the other half of the work.',
    args: ['--continue'],
  }),

  expect: () =>
    endsBeforeItsAgent('validation_failure', {
      label: 'Too many malformed JSONL events',
      status: 'Too many consecutive malformed JSONL events.',
      exitCode: 1,
    }),

  agent: [onAnyPrompt().completes()],

  saboteurs: {
    'an event is between them': {
      config: arranging(({ nonce }) => ({ files: ended(nonce, '[1]', record('good.news', 'yes'), nonce) })),
      kills: ['ends', 'neverCalled', 'reported'],
      failure: 'UnexpectedTermination',
    },
    'Ralph ignores broken lines': neverStops('ends', 'neverCalled'),
    ...OTHER_ENDS,
  },

  notApplicable: noBuiltIns('no agent takes part: the events file is broken'),
});

/** The other side of the limit. */
const twoBrokenLines = scenario({
  id: 'two-broken-lines',
  ...MECHANICS,
  phase: 'red',
  description: 'Two lines in a row that are not events are reported to the agent, and the loop continues',
  covers: ['FR6', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 5 }),
    files: ended(`broken ${nonce}`, '[1]'),
    prompt: `Write ${nonce} in uppercase to final.txt, then declare the objective complete.`,
    args: ['--continue'],
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    pending: pendingEvents([RALPH_TOPICS.resume, RALPH_TOPICS.malformed, RALPH_TOPICS.malformed], {
      iteration: 1,
    }),
    told: promptContained(new RegExp(`- Line 4: .+\\nContent: broken ${nonce}$`, 'm'), { iteration: 1 }),
    file: fileEquals('final.txt', nonce.toUpperCase()),
  }),

  agent: [finishes],

  saboteurs: {
    'a third line is broken': {
      config: arranging(({ nonce }) => ({ files: ended(nonce, '[1]', '[2]') })),
      kills: ['ends', 'pending', 'told', 'file'],
      failure: 'UnexpectedTermination',
    },
    'Ralph passes no event on': { target: 'drop-pending-events', kills: ['pending', 'told'] },
    'completes without its work': { agent: without('writes'), kills: ['file'] },
    'Ralph does not notice the promise': ignoresCompletion('ends'),
  },
});

export const leftovers = [costReached, threeBrokenLines, twoBrokenLines];
