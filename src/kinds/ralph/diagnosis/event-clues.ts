import type { Evidence } from '../../../domain/evidence/evidence.js';

/** Whether an agent emitted the topic with a payload that begins so. */
export function wasEmittedAs(
  { topic, payload }: { topic: string; payload: string },
  { events }: Evidence,
): boolean {
  return events.some(
    (event) => event.topic === topic && squeeze(event.payload ?? '').startsWith(squeeze(payload)),
  );
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What ralph tells an agent whose event it did not accept. */
export function blockedLines({ iterations }: Evidence): string[] {
  return iterations.flatMap(({ number, prompt }) =>
    (prompt ?? '')
      .split('\n')
      .filter((line) =>
        /Missing backpressure evidence|Backpressure checks failed|Missing verification evidence|Missing quality report/.test(
          line,
        ),
      )
      .map((line) => `prompt of iteration ${number}: ${line.trim()}`),
  );
}
