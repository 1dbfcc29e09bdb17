/** What the stand-in for ralph can be told to break: name, and what breaks. */
export const STAND_IN_FAULTS = {
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
export type StandInFault = keyof typeof STAND_IN_FAULTS;

/** Names the faults, separated by commas. */
export const FAULT_VARIABLE = 'RALPH_STANDIN_FAULT';

/** A file to which the stand-in appends the name of each fault at the moment it bites. */
export const FAULT_LOG_VARIABLE = 'RALPH_STANDIN_FAULT_LOG';
