import { completed, loop, onObjective, scenario } from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { type Meeting, meetingChecks, meetingFiles } from '../../support/at-once.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';
import { queueWaiting } from './queue.js';

const QUEUE = '.ralph/merge-queue.jsonl';
const REGISTRY = '.ralph/loops.json';
const HISTORY = '.ralph/history.jsonl';

const running = (...ids: readonly string[]) =>
  JSON.stringify({
    loops: ids.map((id) => ({ id, pid: 'PID', started: '2026-01-31T08:00:00Z', prompt: id, workspace: '/' })),
  }).replaceAll('"PID"', 'PID');
const started = (prompt: string) =>
  `${JSON.stringify({ ts: '2026-01-31T08:00:00Z', type: { kind: 'loop_started', prompt } })}\n`;

const MEETINGS: Record<'queue' | 'registry' | 'history', Meeting> = {
  queue: {
    ...{ store: QUEUE, lock: QUEUE, before: queueWaiting(1, 'one-fox') },
    meanwhile: queueWaiting(1, 'one-fox') + queueWaiting(2, 'two-owl'),
    command: 'ralph loops discard one-fox --yes',
    outcome: /^waits, exit 0\n.*\n.*"one-fox".*\n.*"two-owl".*"queued".*\n.*"one-fox".*"discarded".*\n$/,
  },
  registry: {
    ...{ store: REGISTRY, lock: REGISTRY, before: running(), meanwhile: running('two-owl') },
    command: 'ralph loops list --json',
    outcome:
      /^waits, exit 0\n\[\s+\{\s+"id": "two-owl",\s+"status": "running",[\s\S]*"id": "two-owl",\s+"pid"/,
  },
  history: {
    ...{ store: HISTORY, lock: `${HISTORY}.lock`, before: started('One.') },
    meanwhile: started('One.') + started('Two.'),
    command: 'ralph run -c ../idle.yml --no-tui -p Three.',
    outcome: /^waits, exit 2\n[\s\S]*"One\.".*\n.*"Two\.".*\n.*"Three\.".*\n.*"loop_completed".*\n$/,
  },
};

/** What several loops share: the merge queue, the list of running loops, and the history of a folder. */
export const loopsAtOnce = scenario({
  id: 'loops-at-once',
  ...MECHANICS,
  description:
    'Loops and commands wait for a process that writes the merge queue, the running loops or the history',
  covers: ['FR5'],
  beyondStandIn: 'locks',
  programs: ['flock'],
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: {
      ...meetingFiles(MEETINGS),
      'idle.yml': JSON.stringify({
        cli: { backend: 'custom', command: 'true' },
        event_loop: { max_iterations: 1 },
      }),
    },
    prompt: 'Run `sh at-once.sh`. Then declare the objective complete.',
  }),

  expect: () => ({ ends: completed(), ...meetingChecks(MEETINGS) }),

  agent: [onObjective('sh at-once.sh').runs('sh at-once.sh').completes()],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'the other process writes without the lock': {
      agent: replacing('sh at-once.sh', 'sed "s/flock/:/" at-once.sh | sh'),
      kills: ['queue', 'registry', 'history'],
    },
  },
});
