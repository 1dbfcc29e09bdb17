import { join } from 'node:path';
import { appendTextFile, type Files } from './files.js';
import { formatEventTime } from './time.js';

/** A step of the orchestration, as `orchestration.jsonl` records it. */
type OrchestrationEvent =
  | { readonly type: 'iteration_started' }
  | { readonly type: 'hat_selected'; readonly hat: string; readonly reason: string }
  | { readonly type: 'event_published'; readonly topic: string }
  | { readonly type: 'backpressure_triggered'; readonly reason: string }
  | { readonly type: 'loop_terminated'; readonly reason: string }
  | { readonly type: 'task_abandoned'; readonly reason: string };

/** What a run leaves for those who want to know; nothing unless RALPH_DIAGNOSTICS=1. */
export interface Diagnostics {
  prompt(iteration: number, hat: string, prompt: string): void;
  orchestration(iteration: number, hat: string, event: OrchestrationEvent): void;
}

/** Opens the diagnostics of one run. */
export function openDiagnostics(files: Files): Diagnostics {
  if (process.env.RALPH_DIAGNOSTICS !== '1') return { prompt: () => {}, orchestration: () => {} };
  const session = join(files.diagnostics, new Date().toISOString().slice(0, 19).replace(/:/g, '-'));
  const path = (name: string) => join(session, name);
  for (const name of [
    'orchestration.jsonl',
    'errors.jsonl',
    'performance.jsonl',
    'hook-runs.jsonl',
    'trace.jsonl',
  ]) {
    appendTextFile(path(name), '');
  }
  return {
    prompt: (iteration, hat, prompt) =>
      appendTextFile(path('prompt-log.md'), `# Iteration ${iteration} — ${hat}\n\n${prompt}\n\n---\n\n`),
    orchestration: (iteration, hat, event) =>
      appendTextFile(
        path('orchestration.jsonl'),
        `${JSON.stringify({ timestamp: formatEventTime(), iteration, hat, event })}\n`,
      ),
  };
}
