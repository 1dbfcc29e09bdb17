import type { Promises } from '../../../src/authoring.js';

export const loops: Promises = {
  'one at a time': {
    promise:
      'With `features.parallel: false`, a second run in the same workspace is refused, and the message names the first one.',
    source: 'ralph-cli/src/main.rs: run_command',
    heldBy: { 'lock-refuses': ['refused', 'code', 'order'] },
    about: ['config features.parallel'],
  },
  exclusive: {
    promise: '`--exclusive` waits until the first loop has ended, and then runs in the workspace itself.',
    source: 'ralph-cli/src/main.rs: run_command',
    heldBy: { 'lock-exclusive': ['order', 'second'] },
    about: ['flag run --exclusive'],
  },
  worktree: {
    promise:
      'Otherwise, a second run goes into a worktree of its own, on a branch of the same name, and leaves the files of the first alone.',
    source: 'ralph-core/src/worktree.rs: create_worktree',
    heldBy: {
      'second-loop': ['name', 'second'],
      'second-loop-inside': ['page', 'inside', 'second'],
      'second-loop-on-terminal': ['page', 'inside', 'second'],
    },
    about: ['config features.parallel'],
  },
  'worktree content': {
    promise:
      'A worktree starts with what was not committed: new and changed files and links, except ignored ones.',
    source: 'ralph-core/src/worktree.rs: sync_working_directory_to_worktree',
    heldBy: { 'second-loop': ['content', 'synced'] },
  },
  'worktree shares': {
    promise: 'Loops share memories, specs and code tasks; notes, tasks and events are their own.',
    source: 'ralph-core/src/loop_context.rs: setup_worktree_symlinks',
    heldBy: { 'second-loop': ['shared'] },
  },
  'worktree context': {
    promise:
      'A worktree has a file with its name, its folders, its branch and its prompt, and the repository ignores the folder of worktrees, with one line.',
    source: 'ralph-core/src/loop_context.rs: generate_context_file',
    heldBy: { 'second-loop': ['context', 'ignoredOnce'] },
  },
  names: {
    promise: 'A second loop gets a name of two words that no other loop has.',
    source: 'ralph-core/src/loop_name.rs: generate_memorable_unique',
    heldBy: { 'second-loop': ['name'] },
    about: ['config features.loop_naming'],
  },
  'dead lock': {
    promise: 'The lock of a process that is gone does not keep a run out of the workspace.',
    source: 'ralph-core/src/loop_lock.rs: try_acquire',
    heldBy: { 'lock-refuses': ['ends', 'freed'] },
  },
  'lock tells': {
    promise: 'The lock names the process and the prompt of the loop that holds it.',
    source: 'ralph-core/src/loop_lock.rs: write_metadata',
    heldBy: { 'lock-refuses': ['refused', 'lock'] },
  },
  registry: {
    promise: 'A second loop is in the list while it runs, and no longer when it ended.',
    source: 'ralph-core/src/loop_registry.rs: deregister_current_process',
    heldBy: { 'second-loop': ['running', 'over', 'deregistered'] },
    about: ['command loops list', 'flag loops list --json'],
  },
  'list shows all': {
    promise:
      '`ralph loops list` shows running loops, the queue with its states, and worktrees that belong to nobody; merged and discarded ones only with `--all`.',
    source: 'ralph-cli/src/loops.rs: list_loops',
    heldBy: {
      'merge-queue': ['all', 'table', 'after'],
      'second-loop': ['running', 'over'],
      'loops-stop': ['unlisted'],
    },
    about: ['command loops', 'command loops list', 'flag loops list --json', 'flag loops list --all'],
  },
  'no auto merge': {
    promise:
      'By default and with `--no-auto-merge`, a completed second loop keeps its worktree and is not queued.',
    source: 'ralph-core/src/loop_completion.rs: handle_completion',
    heldBy: { 'second-loop': ['over', 'retry'], 'auto-merge': ['waits', 'listed'] },
    about: ['flag run --no-auto-merge', 'config features.auto_merge'],
  },
  'auto merge': {
    promise:
      'With `features.auto_merge: true`, a completed second loop commits its work and is queued for merging, as its history says.',
    source: 'ralph-core/src/loop_completion.rs: handle_completion',
    heldBy: { 'auto-merge': ['waits', 'committed', 'recorded'] },
    about: ['config features.auto_merge'],
  },
  'merge when the first completes': {
    promise:
      'When the first loop completes, and with `ralph loops process`, a merge starts for each queued loop; a first loop that ends in any other way starts none.',
    source: 'ralph-cli/src/loop_runner.rs: process_pending_merges',
    heldBy: {
      'auto-merge': ['untouched', 'byItself', 'merged', 'mergedToo', 'processed', 'files', 'listed'],
    },
    about: ['config features.auto_merge', 'command loops process'],
  },
  merge: {
    promise:
      '`ralph loops merge` runs a merge loop, also for a worktree that is not in the queue; when that completes, the entry is merged, with the commit.',
    source: 'ralph-cli/src/loops.rs: merge_loop',
    heldBy: { 'loops-merge': ['found', 'began', 'merged', 'mergedToo', 'listed'] },
    about: ['command loops merge', 'flag loops merge --force'],
  },
  'merge that fails': {
    promise: 'A merge loop that ends in any other way leaves the entry for review, with the reason.',
    source: 'ralph-cli/src/loop_runner.rs: handle_termination',
    heldBy: { 'loops-merge': ['fails', 'stopped', 'stale', 'listed'] },
    about: ['command loops retry'],
  },
  'merge refusals': {
    promise:
      'A loop that is running, merging, merged, discarded or unknown is not merged; `--force` overrides merging alone.',
    source: 'ralph-cli/src/loops.rs: merge_loop',
    heldBy: {
      'merge-queue': ['mergeBusy', 'mergeDone', 'mergeGone'],
      'second-loop': ['unknown'],
      'loops-merge': ['forced'],
    },
    about: ['command loops merge', 'flag loops merge --force'],
  },
  'retry only for review': {
    promise: '`ralph loops retry` merges again what needs review, and refuses everything else.',
    source: 'ralph-cli/src/loops.rs: retry_merge',
    heldBy: { 'merge-queue': ['retryWaiting', 'retryNobody'], 'loops-merge': ['retried', 'merged'] },
    about: ['command loops retry'],
  },
  discard: {
    promise:
      '`ralph loops discard` removes worktree and branch and marks the entry; without `--yes` it asks first; what is merging or merged is not discarded.',
    source: 'ralph-cli/src/loops.rs: discard_loop',
    heldBy: {
      'second-loop': ['keep', 'discard', 'gone'],
      'merge-queue': ['discard', 'discardBusy', 'discardDone', 'after', 'branchGone'],
    },
    about: ['command loops discard', 'flag loops discard --yes'],
  },
  stop: {
    promise: '`ralph loops stop` refuses a loop that does not run.',
    source: 'ralph-cli/src/loops.rs: stop_loop',
    heldBy: { 'second-loop': ['stop'], 'merge-queue': ['stop'], 'loops-stop': ['dead'] },
    about: ['command loops stop'],
  },
  'stop a running loop': {
    promise:
      '`ralph loops stop` asks a running loop to end after its iteration, and with `--force` kills it.',
    source: 'ralph-cli/src/loops.rs: stop_loop',
    heldBy: {
      'loops-stop': ['ends', 'atOnce', 'finished', 'asked', 'killed'],
      'loops-stop-second': ['asked', 'stopped'],
    },
    about: ['command loops stop', 'flag loops stop --force'],
  },
  'lost worktree': {
    promise:
      'A running loop whose worktree is gone is listed as an orphan and ends after its iteration; `ralph loops stop` ends it at once, waits for its end and forgets it.',
    source: 'ralph-cli/src/loops.rs: stop_loop',
    heldBy: { 'second-loop-lost': ['orphan', 'noticed', 'stopped', 'deregistered'] },
    about: ['command loops stop', 'reason workspace_gone'],
  },
  'failed preflight': {
    promise: 'A second run whose preflight checks fail leaves no worktree and no branch behind.',
    source: 'ralph-cli/src/main.rs: run_command',
    heldBy: { 'second-loop': ['refused'] },
    about: ['config features.preflight.enabled'],
  },
  resume: {
    promise:
      '`ralph loops resume` resumes a suspended loop, and says so if there is nothing to resume, it was resumed already or nobody can tell.',
    source: 'ralph-cli/src/loops.rs: resume_loop',
    heldBy: {
      'hooks-suspend': ['answers', 'nothingLeft'],
      'merge-queue': ['resume', 'resumeAgain', 'resumeSuspended'],
      'loops-review': ['resumeUnlisted'],
      'second-loop': ['resume', 'unreadable'],
      'loops-resume': ['resumed', 'ends', 'calls'],
    },
    about: ['command loops resume'],
  },
  prune: {
    promise:
      'The entries of dead processes are not listed; `ralph loops prune` also removes those whose worktree is gone, and says how many there were.',
    source: 'ralph-cli/src/loops.rs: prune_stale',
    heldBy: { 'merge-queue': ['all', 'prune'], 'second-loop-lost': ['pruned', 'forgotten'] },
    about: ['command loops prune'],
  },
  logs: {
    promise:
      '`ralph loops logs` and `ralph loops history` print the events and the history of a loop, and refuse unknown loops; with `--follow` the events are followed, and it fails only if that fails.',
    source: 'ralph-cli/src/loops.rs: show_logs',
    heldBy: {
      'second-loop': ['history'],
      'loops-logs': ['logs', 'history', 'lines', 'followed', 'notFollowed'],
      'merge-queue': ['logs', 'history', 'logsNobody'],
    },
    about: [
      'command loops logs',
      'flag loops logs --follow',
      'command loops history',
      'flag loops history --json',
    ],
  },
  attach: {
    promise: '`ralph loops attach` opens a shell in the worktree of a loop, and refuses a loop without one.',
    source: 'ralph-cli/src/loops.rs: attach_to_loop',
    heldBy: { 'second-loop': ['attach'], 'merge-queue': ['attach'] },
    about: ['command loops attach'],
  },
  diff: {
    promise:
      '`ralph loops diff` shows what a loop changed since it branched off, and nothing that the base changed since.',
    source: 'ralph-cli/src/loops.rs: show_diff',
    heldBy: { 'second-loop': ['diff', 'whole'] },
    about: ['command loops diff', 'flag loops diff --stat'],
  },
  'publish review': {
    promise:
      '`ralph loops publish-review` pushes the branch of a loop and writes a summary for the reviewer.',
    source: 'ralph-cli/src/loops.rs: publish_review',
    heldBy: {
      'loops-review': ['publish', 'publishPlain', 'publishNowhere', 'pushed', 'summary', 'summaryToo'],
      'second-loop': ['publish'],
    },
    about: [
      'command loops publish-review',
      'flag loops publish-review --remote',
      'flag loops publish-review --remote-branch',
      'flag loops publish-review --base',
      'flag loops publish-review --summary',
    ],
  },
  rebase: {
    promise:
      '`ralph loops rebase` moves the branch of one loop, or of all that can be reviewed, onto the base, and pushes only if asked.',
    source: 'ralph-cli/src/loops.rs: rebase_loops',
    heldBy: {
      'loops-review': ['rebase', 'rebaseNowhere', 'rebased', 'unmoved', 'rebasePush', 'moved', 'rebaseAll'],
    },
    about: [
      'command loops rebase',
      'flag loops rebase --base',
      'flag loops rebase --remote',
      'flag loops rebase --no-fetch',
      'flag loops rebase --push',
    ],
  },
  'merge button': {
    promise:
      '`ralph loops merge-button-state` is active, and blocked with a reason while the loop merges or the first loop runs.',
    source: 'ralph-core/src/merge_queue.rs: merge_button_state',
    heldBy: { 'merge-queue': ['ready', 'blocked'], 'second-loop': ['blocked'] },
    about: ['command loops merge-button-state'],
  },
  'part of a name': {
    promise: 'A loop can be named by a part of its id.',
    source: 'ralph-cli/src/loops.rs: resolve_loop',
    heldBy: { 'second-loop': ['part'] },
    about: ['command loops'],
  },
  signals: {
    promise:
      'SIGINT, SIGTERM and SIGHUP end the loop with exit code 130, an `interrupted` record and without leaving the agent behind.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: {
      'interrupted-by-signal': ['ends'],
      'interrupted-by-sigint': ['ends'],
      'interrupted-by-sighup': ['ends'],
    },
    about: ['reason interrupted'],
  },
  tui: {
    promise: 'On a terminal, the TUI is the default, and a loop comes to the same end as without it.',
    source: 'ralph-cli/src/main.rs: run_subprocess_tui',
    heldBy: {
      tui: ['ends', 'iterations', 'told', 'calls'],
      'tui-limit': ['ends', 'iterations', 'published', 'calls'],
    },
    about: ['flag run --no-tui', 'flag run --autonomous'],
  },
  'rpc lines': {
    promise: 'With `--rpc`, every line on stdout is JSON, and a loop comes to the same end as without it.',
    source: 'ralph-cli/src/rpc_stdin.rs: run_stdout_emitter',
    heldBy: { rpc: ['json', 'ends', 'iterations', 'calls', 'began'] },
    about: ['flag run --rpc'],
  },
  'rpc events': {
    promise:
      'With `--rpc`, Ralph reports the start and the end of the loop and of each iteration, the words and tools of the agent, its cost and every event.',
    source: 'ralph-proto/src/json_rpc.rs: RpcEvent',
    heldBy: {
      rpc: [
        ...['started', 'place', 'first', 'second', 'firstEnd', 'tokens', 'secondEnd'],
        ...['words', 'tool', 'event', 'terminate'],
      ],
      'rpc-abort': ['terminated'],
    },
    about: ['flag run --rpc'],
  },
  'rpc workers': {
    promise:
      'With `--rpc`, Ralph reports what each worker of a wave says and does, with long results cut, whatever JSON its CLI speaks.',
    source: 'ralph-cli/src/loop_runner.rs: extract_readable_delta, truncate_wave_worker_preview',
    heldBy: {
      'rpc-streams': ['workerOnPi', 'workerOnCopilot', 'workerOnClaude', 'workerOnText'],
    },
    about: ['flag run --rpc'],
  },
  'rpc settings of pi': {
    promise:
      'With `--rpc`, Ralph says with which provider and model it calls pi, in every form of the flags.',
    source: 'ralph-adapters/src/pty_executor.rs: run_observe_streaming, extract_cli_flag_value',
    heldBy: {
      'rpc-streams': [
        'nothingConfigured',
        'longFlags',
        'flagsWithEquals',
        'shortFlags',
        'shortWithEquals',
        'noValue',
        'otherProgram',
      ],
    },
    about: ['flag run --rpc'],
  },
  'rpc guidance': {
    promise: 'A guidance, steer or follow_up command is confirmed, and reaches the next prompt.',
    source: 'ralph-cli/src/rpc_stdin.rs: dispatch',
    heldBy: { rpc: ['guided', 'acknowledged', 'followed', 'told', 'calls'], 'rpc-steer': ['ends'] },
    about: ['flag run --rpc', 'topic human.guidance'],
  },
  'rpc steer is urgent': {
    promise: 'After a steer command, `ralph emit` refuses the events of the current iteration.',
    source: 'ralph-cli/src/rpc_stdin.rs: dispatch',
    heldBy: { 'rpc-steer': ['acknowledged', 'answered', 'refused', 'code', 'told', 'ends'] },
    about: ['flag run --rpc'],
  },
  'rpc abort': {
    promise: 'An abort command is confirmed, ends the loop as interrupted and leaves no process behind.',
    source: 'ralph-cli/src/rpc_stdin.rs: dispatch',
    heldBy: { 'rpc-abort': ['answered', 'ends', 'terminated'] },
    about: ['flag run --rpc', 'reason interrupted'],
  },
  'rpc state': {
    promise:
      'get_state and get_iterations answer with the id of the request, the iteration, its limit, the hat and the backend.',
    source: 'ralph-cli/src/rpc_stdin.rs: dispatch',
    heldBy: { rpc: ['state', 'asked'] },
    about: ['flag run --rpc'],
  },
  'rpc errors': {
    promise:
      'A command that is no JSON, unknown, or not possible while the loop runs is answered with an error, and the loop goes on.',
    source: 'ralph-cli/src/rpc_stdin.rs: run_stdin_reader',
    heldBy: { rpc: ['prompted', 'hatless', 'unknown', 'ends'] },
    about: ['flag run --rpc'],
  },
  'loops by part of a name': {
    promise:
      'A loop is found by any part of its name: while it runs, in the merge queue, and by its worktree.',
    source: 'ralph-cli/src/loops.rs: resolve_loop',
    heldBy: { 'second-loop': ['part', 'front', 'busy'], 'merge-queue': ['middle'] },
    about: ['command loops'],
  },
  'running loops are left alone': {
    promise: '`ralph loops merge` and `ralph loops publish-review` refuse a loop that still runs.',
    source: 'ralph-cli/src/loops.rs: ensure_loop_not_running',
    heldBy: { 'second-loop': ['busy', 'publish'] },
    about: ['command loops merge', 'command loops publish-review'],
  },
  'orphan worktrees': {
    promise: '`ralph loops prune` names worktrees without a loop, and says how to remove them.',
    source: 'ralph-cli/src/loops.rs: prune_stale',
    heldBy: { 'second-loop': ['orphan', 'gone'] },
    about: ['command loops prune'],
  },
  'notes below the table': {
    promise:
      'Below its table, `ralph loops` says how many loops it hides and how to retry, and neither if there is nothing to say.',
    source: 'ralph-cli/src/loops.rs: list_loops',
    heldBy: { 'merge-queue': ['table', 'wholeTable', 'lastTable'] },
    about: ['command loops list'],
  },
  'branches that stay': {
    promise: '`ralph loops discard` warns if git cannot delete the branch, and of nothing if there is none.',
    source: 'ralph-cli/src/loops.rs: cleanup_missing_worktree_artifacts',
    heldBy: { 'merge-queue': ['discardBare', 'discardHeld', 'discard', 'discardStuck'] },
    about: ['command loops discard'],
  },
  'links in worktrees': {
    promise:
      'The worktree of a second loop has untracked files of all folders, and links as links; a file that was removed is no error.',
    source: 'ralph-core/src/worktree.rs: copy_file_with_structure',
    heldBy: { 'second-loop': ['synced', 'syncedAll'] },
  },
};
