/** What the stand-in for ralph can be told to break: name, and what breaks. */
export const STAND_IN_FAULTS = {
  'drop-hat-instructions': 'the prompt of an active hat lacks its instructions',
  'no-topology': 'the prompt of the coordinator lacks the table of hats',
  'skip-memory-injection': 'memories are stored, but no prompt has them',
  'ignore-memory-budget': 'all memories stand in the prompt, whatever the budget',
  'forget-memories-between-runs': 'a fresh run starts by deleting the memories of earlier ones',
  'lose-memories': 'a new memory is confirmed and written nowhere',
  'mistype-memories': 'every new memory is stored as a pattern',
  'cut-memories': 'a long memory loses its end when it is stored',
  'unlocked-memories': 'processes that add memories at the same time overwrite each other',
  'distrust-damaged-memories': 'a memory file with a line that is no part of a memory counts as empty',
  'search-finds-all': 'a search for words finds every memory',
  'show-wrong-memory': 'the first memory is shown, whichever was asked for',
  'keep-deleted-memories': 'the deletion of a memory is confirmed and not done',
  'inject-always': 'memories stand in the prompt although the config keeps them out',
  'drop-skills': 'the prompt lacks the skills that teach the commands of ralph',
  'skip-commit': 'a completed loop commits nothing',
  'count-foreign-tasks': 'open tasks of other loops refuse completion too',
  'ignore-blocked-by': 'a task counts as ready although it waits for another',
  'drop-scratchpad': 'notes of earlier iterations are in no prompt',
  'drop-ready-tasks': 'open tasks are in no prompt',
  'drop-guidance': 'messages of people are in no prompt',
  'route-to-wrong-hat': 'an event wakes another hat than the one that waits for it',
  'literal-triggers': 'a star in a trigger stands for itself only',
  'drop-orphans': 'an event that no hat waits for does not reach the coordinator',
  'repeat-starting-event': 'an active hat is told to publish the starting event, too',
  'drop-default-publishes': 'a silent hat publishes nothing by default',
  'wrong-backend-for-hat': 'a hat with a backend of its own runs on the global one',
  'accept-any-build-done': 'build.done passes without evidence',
  'accept-any-review-done': 'review.done passes without evidence',
  'accept-any-verify-passed': 'verify.passed passes whatever the quality report says',
  'ignore-event-tags': 'event tags in what an agent says are passed over',
  'drop-pending-events': 'no prompt tells which events are pending, the request itself aside',
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
  'cut-output': 'of what a backend prints only the first 64 KiB are read',
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
