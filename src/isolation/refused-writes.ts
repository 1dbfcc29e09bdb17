import type { Evidence } from '../domain/evidence/evidence.js';
import type { Stopped } from '../domain/evidence/isolation.js';

/**
 * A write that a read-only file system refuses leaves no trace except the error that its program sees. Programs print it
 * ("touch: cannot touch '/x': Read-only file system") or throw it ("EROFS: read-only file system, open '/x'"). If a
 * program hides the error, the write is still stopped, but nobody sees it unless there was a layer (layers.ts).
 */
const REFUSED = /[^\n"]{0,200}(?:read-only file system|\bEROFS\b)[^\n"]{0,200}/gi;
const MAX_FOUND = 50;

/** Finds refused writes in the output of an attempt. */
export function findRefusedWrites({ iterations, stdout, stderr }: Evidence): Stopped[] {
  const sources = [
    ...iterations.flatMap(({ number, toolCalls }) =>
      toolCalls.map(({ name, result }) => ({ from: `${name} in iteration ${number}`, text: result ?? '' })),
    ),
    { from: 'stderr', text: stderr.text },
    { from: 'stdout', text: stdout.text },
  ];
  const seen = new Set<string>();
  return sources
    .flatMap(({ from, text }) =>
      [...text.replaceAll('\\n', '\n').matchAll(REFUSED)].map(([match]): Stopped => {
        return { kind: 'write', message: match.trim(), from };
      }),
    )
    .filter((stopped) => {
      // The same error is in the tool result and again in the output of Ralph.
      const key = stopped.kind === 'write' ? keyOf(stopped.message) : '';
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, MAX_FOUND);
}

/** Identifies a refused write by its path: each program words the rest differently. */
function keyOf(message: string): string {
  return /\/[^\s'":,\\]+/.exec(message)?.[0] ?? message;
}
