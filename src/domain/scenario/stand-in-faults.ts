/** The faults that the stand-in for Ralph can have: their names, and what breaks. */
export const STAND_IN_FAULTS = {
  'drop-hat-instructions': 'the prompt of an active hat lacks its instructions',
  'no-topology': 'the prompt of the coordinator lacks the table of hats',
  'skip-memory-injection': 'memories are stored, but no prompt has them',
  'ignore-memory-budget': 'the prompt has all memories, whatever the budget',
  'forget-memories-between-runs': 'a fresh run starts by deleting the memories of earlier runs',
  'lose-memories': 'a new memory is confirmed but not stored',
  'mistype-memories': 'every new memory is stored as a pattern',
  'cut-memories': 'a long memory loses its end when it is stored',
  'unlocked-memories': 'processes that add memories at the same time overwrite each other',
  'distrust-damaged-memories': 'a memory file with a line that belongs to no memory counts as empty',
  'search-finds-all': 'a search for words finds every memory',
  'show-wrong-memory': 'the first memory is shown, whichever was requested',
  'keep-deleted-memories': 'the deletion of a memory is confirmed but not done',
  'inject-always': 'the prompt has memories although the configuration excludes them',
  'drop-skills': 'the prompt lacks the skills that teach the commands of Ralph',
  'skip-commit': 'a completed loop commits nothing',
  'count-foreign-tasks': 'open tasks of other loops also prevent completion',
  'ignore-blocked-by': 'a task counts as ready although another task blocks it',
  'drop-scratchpad': 'no prompt has the notes of earlier iterations',
  'drop-ready-tasks': 'no prompt has the open tasks',
  'drop-guidance': 'no prompt has the messages of people',
  'route-to-wrong-hat': 'an event activates a hat that it does not trigger',
  'literal-triggers': 'a star in a trigger matches only a star',
  'drop-orphans': 'an event that triggers no hat does not reach the coordinator',
  'repeat-starting-event': 'an active hat is also asked to publish the starting event',
  'drop-default-publishes': 'a silent hat publishes nothing by default',
  'wrong-backend-for-hat': 'a hat with its own backend runs on the global one',
  'accept-any-build-done': 'build.done passes without evidence',
  'accept-any-review-done': 'review.done passes without evidence',
  'accept-any-verify-passed': 'verify.passed passes whatever the quality report says',
  'ignore-event-tags': 'event tags in the output of an agent are ignored',
  'drop-pending-events': 'no prompt lists pending events, except the request itself',
  'ignore-hat-scope': 'a hat publishes undeclared events although its scope is enforced',
  'ignore-max-activations': 'a hat is activated more often than its limit allows',
  'ignore-required-events': 'the loop completes although a required event is missing',
  'ignore-open-tasks': 'the loop completes although tasks are open',
  'ignore-cancellation': 'a cancellation does not end the loop',
  'ignore-completion': 'completion does not end the loop',
  'complete-too-early': 'the loop ends as completed after its first iteration, whatever the agent said',
  'never-stop':
    'nothing stops the loop: no limit of iterations, time or failures, no staleness, no stop file',
  'wrong-end-hooks':
    'the hooks for completion run when the loop failed, and those for errors when it completed',
  'ignore-hook-failures': 'a hook that fails neither blocks nor suspends the loop',
  'lose-events': 'events of agents are confirmed but not recorded',
  'corrupt-events': 'events of agents arrive as half a line in the events file',
  'cut-output': 'only the first 64 KiB of the output of a backend are read',
  'leak-backend': 'every iteration leaves a backend process behind',
  'wrong-exit-code': 'a completed loop exits with 1, any other with 0',
  'hang-after-completion': 'the process keeps running after a completed loop has written all its records',
  'accept-bad-config': 'a configuration that cannot work is accepted',
  crash: 'the process panics with exit code 101 after the backend of the first iteration',
} as const satisfies Readonly<Record<string, string>>;
export type StandInFault = keyof typeof STAND_IN_FAULTS;

/** The environment variable with the names of the faults, separated by commas. */
export const FAULT_VARIABLE = 'RALPH_STANDIN_FAULT';

/** The environment variable with the path of a file to which the stand-in appends each fault as it takes effect. */
export const FAULT_LOG_VARIABLE = 'RALPH_STANDIN_FAULT_LOG';
