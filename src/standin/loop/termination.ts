import type { EndReason } from '../../domain/evidence/ralph-words.js';
import { faulty } from '../faults.js';

/** Why a loop ended; the word is the one in its `loop.terminate` record. */
export type TerminationReason = keyof typeof TERMINATIONS;

interface Termination {
  readonly exitCode: number;
  /** After `Loop terminated:` on stdout. */
  readonly label: string;
  readonly icon: string;
  /** The word in the history, if different. */
  readonly history?: string;
  /** In `loop.terminate`. */
  readonly status: string;
  /** In summary.md. */
  readonly summary: string;
  /** Whether `--continue` makes sense. */
  readonly resumable: boolean;
}

const TERMINATIONS = {
  completed: {
    exitCode: 0,
    label: 'Completion promise detected',
    icon: '?',
    history: 'completion_promise',
    status: 'All tasks completed successfully.',
    summary: 'Completed successfully',
    resumable: false,
  },
  max_iterations: {
    exitCode: 2,
    label: 'Maximum iterations reached',
    icon: '?',
    status: 'Stopped at iteration limit.',
    summary: 'Stopped: max iterations reached',
    resumable: true,
  },
  max_runtime: {
    exitCode: 2,
    label: 'Maximum runtime exceeded',
    icon: '?',
    status: 'Stopped at runtime limit.',
    summary: 'Stopped: max runtime exceeded',
    resumable: true,
  },
  max_cost: {
    exitCode: 2,
    label: 'Maximum cost exceeded',
    icon: '?',
    status: 'Stopped at cost limit.',
    summary: 'Stopped: max cost exceeded',
    resumable: true,
  },
  consecutive_failures: {
    exitCode: 1,
    label: 'Too many consecutive failures',
    icon: '?',
    status: 'Too many consecutive failures.',
    summary: 'Failed: too many consecutive failures',
    resumable: true,
  },
  loop_stale: {
    exitCode: 1,
    label: 'Stale loop detected',
    icon: '?',
    status: 'Stale loop detected - same topic emitted 3+ times consecutively.',
    summary: 'Failed: stale loop detected',
    resumable: true,
  },
  validation_failure: {
    exitCode: 1,
    label: 'Too many malformed JSONL events',
    icon: '?',
    status: 'Too many consecutive malformed JSONL events.',
    summary: 'Failed: too many malformed JSONL events',
    resumable: true,
  },
  stopped: {
    exitCode: 1,
    label: 'Manually stopped',
    icon: '?',
    status: 'Manually stopped.',
    summary: 'Stopped manually',
    resumable: true,
  },
  workspace_gone: {
    exitCode: 1,
    label: 'Workspace directory removed',
    icon: '?',
    status: 'Workspace directory removed externally.',
    summary: 'Failed: workspace directory removed',
    resumable: false,
  },
  restart_requested: {
    // In the records; the process itself exits with 0 once it has started its successor.
    exitCode: 3,
    label: 'Restarting by human request',
    icon: '↻',
    status: 'Restarting by human request.',
    summary: 'Restarting by human request',
    resumable: false,
  },
  cancelled: {
    exitCode: 0,
    label: 'Cancelled gracefully',
    icon: '⏹',
    status: 'Cancelled gracefully (human rejection or timeout).',
    summary: 'Cancelled gracefully (human rejection or timeout)',
    resumable: false,
  },
} as const satisfies Readonly<Partial<Record<EndReason, Termination>>>;

/** Returns the exit code and the texts for a reason. */
export function describeTermination(reason: TerminationReason): Termination {
  const described = TERMINATIONS[reason];
  if (!faulty('misreport-end')) return described;
  const { label, status } = TERMINATIONS.stopped;
  return { ...described, label, status };
}
