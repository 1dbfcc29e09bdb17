import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from './failure.js';
import { faulty } from './faults.js';
import { appendTextFile, type Files } from './store/files.js';
import { formatEventTime } from './time.js';

/** One record of `orchestration.jsonl`. */
type OrchestrationEvent =
  | { readonly type: 'iteration_started' }
  | { readonly type: 'hat_selected'; readonly hat: string; readonly reason: string }
  | { readonly type: 'event_published'; readonly topic: string }
  | { readonly type: 'backpressure_triggered'; readonly reason: string }
  | { readonly type: 'loop_terminated'; readonly reason: string }
  | { readonly type: 'task_abandoned'; readonly reason: string };

/** Writes the diagnostics of a run; does nothing unless RALPH_DIAGNOSTICS=1. */
export interface Diagnostics {
  prompt(iteration: number, hat: string, prompt: string): void;
  orchestration(iteration: number, hat: string, event: OrchestrationEvent): void;
  hookRun(record: Readonly<Record<string, unknown>>): void;
  trace(level: string, target: string, message: string): void;
}

const FILES = ['orchestration.jsonl', 'errors.jsonl', 'performance.jsonl', 'hook-runs.jsonl', 'trace.jsonl'];

/** Opens the diagnostics of one run. */
export function openDiagnostics(files: Files): Diagnostics {
  if (process.env.RALPH_DIAGNOSTICS !== '1' || faulty('no-diagnostics'))
    return { prompt: () => {}, orchestration: () => {}, hookRun: () => {}, trace: () => {} };
  const session = join(files.diagnostics, new Date().toISOString().slice(0, 19).replace(/:/g, '-'));
  // A failure to write diagnostics must not end a run, and a folder that was removed must not come back.
  const append = (name: string, text: string) =>
    orElse(() => appendFileSync(join(session, name), text), undefined);
  const appendRecord = (name: string, record: Readonly<Record<string, unknown>>) =>
    append(name, `${JSON.stringify({ timestamp: formatEventTime(), ...record })}\n`);
  for (const name of FILES) orElse(() => appendTextFile(join(session, name), ''), undefined);
  return {
    prompt: (iteration, hat, prompt) =>
      append('prompt-log.md', `# Iteration ${iteration} — ${hat}\n\n${prompt}\n\n---\n\n`),
    orchestration: (iteration, hat, event) => appendRecord('orchestration.jsonl', { iteration, hat, event }),
    hookRun: (record) => appendRecord('hook-runs.jsonl', record),
    trace: (level, target, message) => appendRecord('trace.jsonl', { level, target, message }),
  };
}
