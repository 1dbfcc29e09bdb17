import type { Promises } from '../../../src/authoring.js';

export const landing: Promises = {
  'commits-everything': {
    promise: 'A completed loop commits new, changed and deleted files, and leaves ignored ones alone.',
    source: 'ralph-core/src/git_ops.rs: auto_commit_changes',
    heldBy: { 'landing-commits': ['changes', 'clean'], 'memory-persistence-git': ['answered'] },
    about: ['reason completed'],
  },
  'one-commit': {
    promise: 'There is one such commit, and its message names the loop.',
    source: 'ralph-core/src/git_ops.rs: auto_commit_changes',
    heldBy: { 'landing-commits': ['once'], 'auto-merge': ['named'] },
  },
  'nothing-to-commit': {
    promise: 'If the agent committed everything, there is no further commit.',
    source: 'ralph-core/src/git_ops.rs: has_uncommitted_changes',
    heldBy: { 'landing-handoff': ['noCommit'] },
  },
  'only-after-completion': {
    promise: 'A loop that did not complete commits nothing, keeps stashes and writes no handoff.',
    source: 'ralph-cli/src/loop_runner.rs: handle_termination',
    heldBy: {
      'left-behind-iterations': ['notCommitted', 'noHandoff'],
      'left-behind-runtime': ['notCommitted', 'noHandoff'],
      'left-behind-consecutive-failures': ['notCommitted', 'noHandoff'],
      'left-behind-stale': ['notCommitted', 'noHandoff'],
      'left-behind-stopped': ['notCommitted', 'noHandoff'],
      'left-behind-cancelled': ['notCommitted', 'noHandoff'],
    },
    about: ['reason max_iterations'],
  },
  stashes: {
    promise: 'A completed loop clears all stashes.',
    source: 'ralph-core/src/git_ops.rs: clean_stashes',
    heldBy: { 'landing-commits': ['stashes'] },
  },
  'git-that-fails': {
    promise:
      'If git cannot commit, clear the stashes or prune origin, Ralph warns of each and completes; else it warns of nothing.',
    source: 'ralph-core/src/landing.rs: land',
    heldBy: { 'landing-handoff': ['cleared', 'stuck'] },
  },
  prune: {
    promise: 'A completed loop forgets branches that origin no longer has.',
    source: 'ralph-core/src/git_ops.rs: prune_remote_refs',
    heldBy: { 'landing-commits': ['pruned'] },
  },
  'handoff-objective': {
    promise: 'A completed loop writes handoff.md with the objective.',
    source: 'ralph-core/src/handoff.rs: write_continuation_prompt',
    heldBy: { 'landing-commits': ['objective', 'nothingPending'] },
  },
  'handoff-git': {
    promise:
      'handoff.md has the branch, the last commit and the files that changed lately, or all files if there is only one commit.',
    source: 'ralph-core/src/handoff.rs: write_git_context',
    heldBy: {
      'landing-commits': ['branch', 'head', 'keyFiles'],
      'landing-handoff': ['head'],
      'landing-without-identity': ['keyFiles'],
    },
  },
  'handoff-tasks': {
    promise:
      'handoff.md lists closed tasks as completed, and open and failed ones as remaining with their blockers.',
    source: 'ralph-core/src/handoff.rs: write_tasks_section',
    heldBy: { 'landing-handoff': ['done', 'remaining'], 'landing-commits': ['noTasks'] },
  },
  'handoff-next-prompt': {
    promise: 'If tasks remain, handoff.md has a prompt that names them all and the objective.',
    source: 'ralph-core/src/handoff.rs: write_continuation_prompt',
    heldBy: { 'landing-handoff': ['next'] },
  },
  'no-identity': {
    promise: 'If git does not know who commits, the loop still completes, warns and writes the handoff.',
    source: 'ralph-core/src/landing.rs: land',
    heldBy: { 'landing-without-identity': ['ends', 'notCommitted', 'head', 'handoff', 'harmless'] },
  },
  'not-a-repo': {
    promise: 'Without a repository the loop still completes and writes the handoff.',
    source: 'ralph-core/src/landing.rs: land',
    not: 'git searches upward: it would find and change the repository around the workspaces',
  },
  'handoff-logged': {
    promise: 'The log says where the handoff is, and how many tasks are completed and open.',
    source: 'ralph-core/src/handoff.rs: count_tasks',
    heldBy: { 'landing-handoff': ['counted'] },
  },
  'open-tasks': {
    promise: 'A loop that lands while tasks are open warns how many.',
    source: 'ralph-core/src/landing.rs: verify_tasks',
    heldBy: { 'landing-handoff': ['warned'] },
  },
};
