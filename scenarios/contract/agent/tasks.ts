import type { Promises } from '../../../src/authoring.js';

export const tasks: Promises = {
  'add-stores-it': {
    promise: 'A new task is open, with its title, description, priority and the loop that runs.',
    source: 'ralph-cli/src/task_cli.rs: execute_add',
    heldBy: {
      'tasks-lifecycle': ['added', 'ofTheLoop'],
      'tasks-several-blockers': ['confirmed'],
      'tasks-disabled': ['task'],
    },
    about: ['command tools task add', 'flag tools task add --description', 'flag tools task add --priority'],
  },
  priority: {
    promise: 'The priority is 3 unless given, and a number outside 1 to 5 becomes the nearest of these.',
    source: 'ralph-core/src/task.rs: new',
    heldBy: { 'tasks-lifecycle': ['added', 'highest'], 'tasks-ensure': ['lowest', 'refreshed'] },
    about: ['flag tools task add --priority', 'flag tools task ensure --priority'],
  },
  'several-blockers': {
    promise: 'A task with several blockers is ready once all of them are closed, and not before.',
    source: 'ralph-cli/src/task_cli.rs: add_common_task_fields',
    heldBy: {
      'tasks-several-blockers': ['bothOpen', 'oneClosed', 'bothClosed'],
      'tasks-counted-in-prompt': ['blocked'],
    },
    about: ['flag tools task add --blocked-by', 'flag tools task ensure --blocked-by'],
  },
  'failed-blocker': {
    promise: 'A task stays blocked by a task that failed, is in progress or does not exist.',
    source: 'ralph-core/src/task.rs: is_ready',
    heldBy: { 'tasks-several-blockers': ['bothOpen', 'oneClosed', 'bothClosed'] },
    about: ['command tools task ready', 'command tools task fail'],
  },
  'add-formats': {
    promise: 'A new task is confirmed with its fields, as JSON or as the bare id.',
    source: 'ralph-cli/src/task_cli.rs: execute_add',
    heldBy: {
      'tasks-lifecycle': ['added', 'addedQuiet'],
      'tasks-several-blockers': ['confirmed'],
      'tasks-ensure': ['created', 'refreshed', 'keptId'],
      'tasks-of-another-loop': ['command'],
    },
    about: ['flag tools task add --format', 'flag tools task ensure --format'],
  },
  'ensure-once': {
    promise: 'The same key twice leaves one task, which keeps its id and its state.',
    source: 'ralph-core/src/task_store.rs: ensure',
    heldBy: { 'tasks-ensure': ['keptId', 'keptState', 'four'] },
    about: ['command tools task ensure', 'flag tools task ensure --key'],
  },
  'ensure-refreshes': {
    promise:
      'A known key takes over the new title and priority, and the description and blockers if they are given.',
    source: 'ralph-core/src/task_store.rs: ensure',
    heldBy: { 'tasks-ensure': ['refreshed', 'keptBlockers'] },
    about: ['command tools task ensure', 'flag tools task ensure --description'],
  },
  'ensure-other-key': {
    promise:
      'Another key makes another task, even with the same title. Without a key the command is refused.',
    source: 'ralph-cli/src/task_cli.rs: EnsureArgs',
    heldBy: { 'tasks-ensure': ['lowest', 'four', 'refused'] },
    about: ['flag tools task ensure --key'],
  },
  'list-hides-done': {
    promise: 'The list hides closed and failed tasks; `--all` shows them.',
    source: 'ralph-cli/src/task_cli.rs: filter_tasks_for_list',
    heldBy: { 'tasks-list-formats': ['open', 'all'] },
    about: ['command tools task list', 'flag tools task list --all'],
  },
  'list-order': {
    promise: 'The list is sorted: in progress, open, closed, failed; then by priority; then by age.',
    source: 'ralph-cli/src/task_cli.rs: filter_tasks_for_list',
    heldBy: { 'tasks-list-formats': ['open', 'all'] },
    about: ['command tools task list'],
  },
  'list-filters': {
    promise: 'The list can be limited to a status, to recent days and to a number of tasks.',
    source: 'ralph-cli/src/task_cli.rs: filter_tasks_for_list',
    heldBy: {
      'tasks-list-formats': ['status', 'failed', 'limit', 'days'],
      'tasks-lifecycle': ['highest', 'recent'],
    },
    about: ['flag tools task list --status', 'flag tools task list --days', 'flag tools task list --limit'],
  },
  'list-formats': {
    promise: 'The list is a table with status, priority, title and key, JSON with all fields, or ids.',
    source: 'ralph-cli/src/task_cli.rs: execute_list',
    heldBy: {
      'tasks-list-formats': ['table', 'inProgress', 'whole', 'json', 'open'],
      'tasks-several-blockers': ['ofThisLoop', 'bothClosed'],
    },
    about: ['flag tools task list --format', 'flag tools task ready --format'],
  },
  'ready-of-this-loop': {
    promise: 'The ready tasks are those of the current loop; `--all` adds those of other loops.',
    source: 'ralph-cli/src/task_cli.rs: filter_tasks_for_ready',
    heldBy: {
      'tasks-several-blockers': ['ofThisLoop', 'ofAllLoops'],
      'tasks-lifecycle': ['ready'],
      'tasks-counted-in-prompt': ['nothingReady'],
    },
    about: ['command tools task ready', 'flag tools task ready --all'],
  },
  lifecycle: {
    promise:
      'Start, close, fail and reopen set the status. A start time is kept, and a closing time lasts until the task is reopened.',
    source: 'ralph-core/src/task_store.rs: close',
    heldBy: {
      'tasks-lifecycle': [
        'started',
        'closed',
        'failed',
        'reopened',
        'recordOfStarted',
        'recordOfClosed',
        'recordOfFailed',
        'recordOfReopened',
        'recordOfRestarted',
        'recordOfStartedTwice',
      ],
      'tasks-ready-in-prompt': ['sandClosed', 'paintClosed'],
      'tasks-counted-in-prompt': ['closed'],
    },
    about: [
      'command tools task start',
      'command tools task close',
      'command tools task fail',
      'command tools task reopen',
    ],
  },
  'unknown-id': {
    promise: 'An unknown id is an error for every command that takes one.',
    source: 'ralph-cli/src/task_cli.rs: execute_close',
    heldBy: {
      'tasks-list-formats': ['unknownShow', 'unknownStart', 'unknownClose', 'unknownFail', 'unknownReopen'],
    },
    about: ['command tools task show', 'command tools task close'],
  },
  'show-one': {
    promise: 'One task is shown with all its fields, as JSON or as its id.',
    source: 'ralph-cli/src/task_cli.rs: execute_show',
    heldBy: {
      'tasks-list-formats': ['shown', 'description', 'shownQuiet'],
      'tasks-lifecycle': ['recordOfClosed'],
    },
    about: ['command tools task show', 'flag tools task show --format'],
  },
  'in-the-prompt': {
    promise: 'The prompt counts ready, open and done tasks, and lists ready ones with priority, id and key.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
    heldBy: {
      'tasks-counted-in-prompt': ['counts', 'priority', 'key', 'hidden'],
      'tasks-ready-in-prompt': ['sandReady', 'file', 'closes'],
    },
    about: ['config tasks.enabled'],
  },
  'blocked-in-the-prompt': {
    promise: 'The prompt lists blocked tasks apart, with everything that blocks them.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
    heldBy: {
      'tasks-counted-in-prompt': ['blocked'],
      'tasks-ready-in-prompt': ['paintBlocked', 'paintReady', 'file'],
    },
    about: ['config tasks.enabled'],
  },
  disabled: {
    promise: 'With tasks disabled the prompt has no tasks.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
    heldBy: { 'tasks-disabled': ['keptOut', 'noTasks'] },
    about: ['config tasks.enabled'],
  },
  'open-blocks-completion': {
    promise:
      'Completion is refused while a task of the loop is open or in progress, and the prompt names it.',
    source: 'ralph-core/src/event_loop/mod.rs: check_completion_event',
    heldBy: {
      'tasks-block-completion': ['iterations', 'remaining', 'listed', 'task'],
      'tasks-counted-in-prompt': ['iterations', 'remaining'],
    },
    about: ['config tasks.enabled', 'config memories.enabled'],
  },
  'failed-does-not-block': {
    promise: 'A failed task does not stand in the way of completion.',
    source: 'ralph-core/src/event_loop/mod.rs: verify_tasks_complete',
    heldBy: { 'tasks-counted-in-prompt': ['ends', 'iterations', 'failed'] },
    about: ['command tools task fail'],
  },
  'other-loops': {
    promise: 'Tasks of other loops are not in the prompt and do not block completion.',
    source: 'ralph-core/src/event_loop/mod.rs: filter_tasks_by_loop',
    heldBy: { 'tasks-of-another-loop': ['ends', 'keptOut', 'task'] },
    about: ['config tasks.enabled'],
  },
  damage: {
    promise: 'A line that is no task is skipped with a warning, and the other tasks count.',
    source: 'ralph-core/src/task_store.rs: parse_task_line',
    heldBy: { 'tasks-list-formats': ['all', 'warned'] },
    about: ['command tools task list'],
  },
  'nothing open': {
    promise:
      'If all tasks of the loop are closed or failed, the prompt says that none is open and how to add one.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
    heldBy: { 'tasks-counted-in-prompt': ['nothingOpen'] },
  },
};
