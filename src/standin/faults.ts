import { CommandError } from './failure.js';

/** What can be broken on purpose: name, and what breaks. Each is asked for by `faulty` at the one place it bites. */
const FAULTS = {
  'drop-hat-instructions': 'the prompt of an active hat lacks its instructions',
  'no-topology': 'the prompt of the coordinator lacks the table of hats',
  'skip-memory-injection': 'memories are stored, but no prompt has them',
  'ignore-memory-budget': 'all memories stand in the prompt, whatever the budget',
  'forget-memories-between-runs': 'a fresh run starts by deleting the memories of earlier ones',
  'drop-scratchpad': 'notes of earlier iterations are in no prompt',
  'drop-ready-tasks': 'open tasks are in no prompt',
  'drop-guidance': 'messages of people are in no prompt',
  'route-to-wrong-hat': 'an event wakes another hat than the one that waits for it',
  'drop-default-publishes': 'a silent hat publishes nothing by default',
  'wrong-backend-for-hat': 'a hat with a backend of its own runs on the global one',
  'accept-any-build-done': 'build.done passes without evidence',
  'ignore-hat-scope': 'a hat publishes what it did not declare, although the scope is enforced',
  'ignore-max-activations': 'a hat is woken more often than it allows',
  'ignore-required-events': 'completion is granted although a required event is missing',
  'ignore-open-tasks': 'completion is granted although tasks are open',
  'ignore-cancellation': 'a cancellation does not end the loop',
  'ignore-completion': 'completion does not end the loop',
  'complete-too-early': 'the loop ends as completed after its first iteration, whatever the agent said',
  'never-stop':
    'no limit ends the loop: neither iterations nor time nor failures nor staleness nor a stop file',
  'lose-events': 'what agents publish is confirmed and written nowhere',
  'corrupt-events': 'what agents publish arrives as half a line in the events file',
  'leak-backend': 'every iteration leaves a process of its backend behind',
  'wrong-exit-code': 'a loop that completed exits with 1, any other with 0',
  'hang-after-completion': 'after a completed loop has left all its records, the process stays',
  crash: 'the process panics after the backend of its first iteration, exit code 101',
} as const satisfies Readonly<Record<string, string>>;

type Fault = keyof typeof FAULTS;

const VARIABLE = 'RALPH_STANDIN_FAULT';

/** Whether this process was told to misbehave in that way. */
export function faulty(fault: Fault): boolean {
  return readNames().includes(fault);
}

/** Refuses a fault that does not exist: a misspelt one would pass for a healthy program. */
export function checkFaults(): void {
  const unknown = readNames().find((name) => !(name in FAULTS));
  if (unknown === undefined) return;
  throw new CommandError(
    `Unknown fault '${unknown}' in ${VARIABLE}. Expected one or more of: ${Object.keys(FAULTS).join(', ')}. \`ralph --faults\` explains them.`,
  );
}

/** All faults, one line each. */
export function renderFaults(): string {
  return Object.entries(FAULTS)
    .map(([name, effect]) => `${name}: ${effect}\n`)
    .join('');
}

function readNames(): readonly string[] {
  return (process.env[VARIABLE] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
