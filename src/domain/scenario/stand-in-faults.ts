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
  'case-sensitive-search': 'a search finds words only in the case in which they are given',
  'show-wrong-memory': 'the first memory is shown, whichever was requested',
  'keep-deleted-memories': 'the deletion of a memory is confirmed but not done',
  'inject-always': 'the prompt has memories although the configuration excludes them',
  'drop-skills': 'the prompt lacks the skills that teach the commands of Ralph',
  'skip-commit': 'a completed loop commits nothing',
  'no-handoff': 'a completed loop leaves no handoff',
  'praise-every-end': 'summary.md says that the loop completed, whatever ended it',
  'inherit-scratchpad': 'a fresh run keeps the notes of the earlier one',
  'count-foreign-tasks': 'open tasks of other loops also prevent completion',
  'ignore-blocked-by': 'a task counts as ready although another task blocks it',
  'first-blocker-only': 'of several blockers of a new task only the first is kept',
  'duplicate-keyed-tasks': 'a known key makes another task',
  'drop-scratchpad': 'no prompt has the notes of earlier iterations',
  'drop-ready-tasks': 'no prompt has the open tasks',
  'drop-guidance': 'no prompt has the messages of people',
  'first-guidance-only': 'a prompt has only the first message of people',
  'bare-prompt': 'a prompt has the request and the events, but no orientation, guardrails and guides',
  'tell-hats-everything': 'an active hat also gets the workflow, the table of hats and the way to complete',
  'default-promise-in-prompt': 'the prompt asks for LOOP_COMPLETE, whatever the completion promise is',
  'list-known-notes': 'the list of other notes in a prompt has the scratchpad and the memories, too',
  'first-event-only': 'a prompt lists only the first of several pending events',
  'repeat-events': 'a prompt lists the events of the last prompt once more',
  'drop-tool-restrictions': 'no prompt has the tools that a hat may not use',
  'repeat-exhausted': 'an exhausted hat is reported each time that an event would activate it',
  'drop-hat-arguments': 'the arguments that a hat has for its backend are not in its call',
  'always-default-publishes': 'the default event of a hat is published although the hat published another',
  'ignore-urgent-steer': 'an event is published although an urgent message is pending',
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
  'promise-anywhere': 'the promise completes the loop wherever it is in the output',
  'first-required-event-only': 'the loop completes as soon as the first required event was seen',
  'stale-by-topic': 'three events of one topic in a row make a loop stale, whatever their payloads',
  'keep-malformed-count': 'broken lines in the events file are counted over the whole loop',
  'ignore-cooldown': 'the loop does not wait between iterations',
  'ignore-late-events': 'an event that arrives after its iteration is not looked for',
  'keep-stop-file': 'a stop request also ends later loops',
  'forget-abandoned-tasks': 'a task that is blocked again and again is not abandoned',
  'one-pending-event': 'only the first pending event of each hat is in the prompt',
  'catch-all-first': 'a hat with the trigger * also gets the events that trigger another hat',
  'empty-recovery': 'after an iteration without an event, the next prompt does not say so',
  'misreport-end': 'the screen and the record call every end a stop',
  'never-stop':
    'nothing stops the loop: no limit of iterations, time or failures, no staleness, no stop file',
  'wrong-end-hooks':
    'the hooks for completion run when the loop failed, and those for errors when it completed',
  'ignore-hook-failures': 'a hook that fails neither blocks nor suspends the loop',
  'ignore-hook-timeouts': 'a hook may take as long as it likes',
  'forgive-late-hooks': 'a hook that was ended because it took too long counts as passed',
  'lose-events': 'events of agents are confirmed but not recorded',
  'corrupt-events': 'events of agents arrive as half a line in the events file',
  'cut-payloads': 'only the first line of an emitted payload is kept',
  'cut-output': 'only the first 64 KiB of the output of a backend are read',
  'leak-backend': 'every iteration leaves a backend process behind',
  'wrong-exit-code': 'a completed loop exits with 1, any other with 0',
  'hang-after-completion': 'the process keeps running after a completed loop has written all its records',
  'accept-bad-config': 'a configuration that cannot work is accepted',
  'drop-backend-flags': 'an agent CLI gets its prompt and none of its flags',
  'drop-agent-environment': 'an agent gets none of the variables that lead it back to Ralph',
  'ignore-hats-file-loop': 'a hat collection brings its hats, but not its events and promises',
  'no-diagnostics': 'a run records no diagnostics',
  crash: 'the process panics with exit code 101 after the backend of the first iteration',
} as const satisfies Readonly<Record<string, string>>;
export type StandInFault = keyof typeof STAND_IN_FAULTS;

/** The environment variable with the names of the faults, separated by commas. */
export const FAULT_VARIABLE = 'RALPH_STANDIN_FAULT';

/** The environment variable with the path of a file to which the stand-in appends each fault as it takes effect. */
export const FAULT_LOG_VARIABLE = 'RALPH_STANDIN_FAULT_LOG';

/** Reads the names in the value of the variable. They may be misspelled. */
export function readFaultNames(value = ''): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Finds a name that is not a fault: a misspelled one would look like a healthy program. */
export function findUnknownFault(names: readonly string[]): string | undefined {
  return names.find((name) => !Object.hasOwn(STAND_IN_FAULTS, name));
}
