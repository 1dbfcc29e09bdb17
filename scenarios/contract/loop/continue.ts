import type { Promises } from '../../../src/authoring.js';

export const continuation: Promises = {
  'needs a scratchpad': {
    promise: '`--continue` without a scratchpad is refused with the path that is missing.',
    source: 'ralph-cli/src/main.rs: run_command',
    heldBy: { 'continue-nothing': ['refuses', 'neverCalled'] },
    about: ['flag run --continue'],
  },
  'keeps the notes': {
    promise: '`--continue` keeps the scratchpad of the earlier session, and its prompt has the notes.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: {
      continue: ['told', 'file', 'iterations'],
      'continue-limit': ['notes'],
      'cost-of-earlier-sessions': ['notes'],
      'three-broken-lines': ['notes'],
    },
    about: ['flag run --continue'],
  },
  'counts on': {
    promise: '`--continue` counts iterations on from the earlier session.',
    source: 'ralph-core/src/event_loop/mod.rs: restore_loop_state',
    heldBy: { continue: ['countsOn'], 'continue-state': ['countsOn'] },
    about: ['flag run --continue'],
  },
  'earlier iterations count': {
    promise: 'Iterations of the earlier session count toward the limit.',
    source: 'ralph-core/src/event_loop/mod.rs: restore_loop_state',
    heldBy: { 'continue-limit': ['ends', 'iterations'] },
    about: ['flag run --continue', 'config event_loop.max_iterations'],
  },
  'earlier cost counts': {
    promise: 'The cost of the earlier session counts toward the limit of cost.',
    source: 'ralph-core/src/event_loop/mod.rs: restore_loop_state',
    heldBy: { 'cost-of-earlier-sessions': ['ends', 'neverCalled'] },
    about: ['flag run --continue', 'config event_loop.max_cost_usd'],
  },
  'remembers its usage': {
    promise:
      'After each iteration, Ralph keeps what the loop cost, and how full the context of each hat was.',
    source: 'ralph-core/src/event_loop/mod.rs: persisted_loop_state',
    heldBy: { rpc: ['remembered'] },
    about: ['flag run --continue'],
  },
  'resumes, does not start': {
    promise:
      '`--continue` publishes task.resume with the objective, and not task.start or the starting event.',
    source: 'ralph-core/src/event_loop/mod.rs: initialize_resume',
    heldBy: { continue: ['untold'], 'continue-state': ['resumed'] },
    about: ['flag run --continue', 'topic task.resume'],
  },
  'required events': {
    promise: 'A required event of the earlier session still counts.',
    source: 'ralph-core/src/event_loop/mod.rs: replay_resume_events_from_jsonl',
    heldBy: { 'continue-state': ['ends', 'iterations'] },
    about: ['flag run --continue', 'config event_loop.required_events'],
  },
  'same events file': {
    promise: '`--continue` goes on in the events file of the earlier session; a fresh run starts a new one.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'continue-state': ['ends', 'news'] },
    about: ['flag run --continue'],
  },
  'events in between': {
    promise:
      'Events that arrived after the end of the earlier session reach the first prompt; events before it do not come again, even if the loop ended twice.',
    source: 'ralph-core/src/event_loop/mod.rs: replay_resume_events_from_jsonl',
    heldBy: { 'continue-state': ['news', 'old', 'done'], 'continue-by-old-command': ['old'] },
    about: ['flag run --continue'],
  },
  'same tasks': {
    promise:
      '`--continue` keeps the id of the loop, so its open tasks are still its own; `--loop-id` names another one.',
    source: 'ralph-cli/src/loop_runner.rs: resolve_loop_id',
    heldBy: { 'continue-state': ['task', 'iterations', 'blocked'], 'continue-by-old-command': ['chosen'] },
    about: ['flag run --continue', 'flag run --loop-id'],
  },
  'loop id needs continue': {
    promise: '`--loop-id` without `--continue` is a usage error.',
    source: 'ralph-cli/src/main.rs: RunArgs',
    heldBy: { 'continue-limit': ['usage'] },
    about: ['flag run --loop-id'],
  },
  'fresh start': {
    promise:
      'A run without `--continue` starts over: no notes of the earlier session, and iterations from 1.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'continue-limit': ['fresh', 'countsOn', 'turns'] },
    about: ['flag run --continue'],
  },
  'old command': {
    promise: '`ralph resume` still continues, and says that `ralph run --continue` replaces it.',
    source: 'ralph-cli/src/main.rs: resume_command',
    heldBy: {
      'continue-by-old-command': [
        'refused',
        'warned',
        'resumed',
        'warnedAgain',
        'begins',
        'notes',
        'countsOn',
      ],
    },
  },
  'old command on a terminal': {
    promise: '`ralph resume` has its interface on a terminal, and none with --no-tui or -a.',
    source: 'ralph-cli/src/main.rs: resume_command',
    heldBy: { 'where-the-interface-is': ['shown', 'hidden'] },
  },
  'old command for programs': {
    promise: '`ralph resume --rpc` prints JSON lines and nothing else to stdout, and its log to stderr.',
    source: 'ralph-cli/src/main.rs: main',
    heldBy: { 'where-the-interface-is': ['onlyJson', 'logged'] },
  },
};
