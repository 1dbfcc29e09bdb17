import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from '../../../backends/claude/stream.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Dialog } from '../../../exec/process/dialog.js';

type ControlResponse = Extract<StreamEvent, { type: 'control_response' }>;

const LATE = Symbol('late');

/** A session that answers requests of the control protocol. */
export interface Controlled {
  control(request: Readonly<Record<string, unknown>>, timeoutSeconds: number): Promise<unknown>;
}

/** Sends requests other than prompts to the CLI. Each has an id, and answers may come at any time. */
export class ControlChannel {
  readonly #dialog: Dialog;
  readonly #waiting = new Map<string, (response: unknown) => void>();

  constructor(dialog: Dialog) {
    this.#dialog = dialog;
  }

  /** Sends a request and waits for its answer. `gone` returns why the CLI can no longer answer, or null. */
  async request(
    request: Readonly<Record<string, unknown>>,
    timeoutSeconds: number,
    gone: () => string | null,
  ): Promise<unknown> {
    const requestId = randomUUID();
    const answered = new Promise<unknown>((resolve) => this.#waiting.set(requestId, resolve));
    this.#dialog.write(JSON.stringify({ type: 'control_request', request_id: requestId, request }));
    const timer = new AbortController();
    const late = sleep(timeoutSeconds * 1000, LATE, { signal: timer.signal }).catch(() => LATE);
    const over = this.#dialog.ended.then(() => LATE);
    const answer = await Promise.race([answered, late, over]);
    timer.abort();
    this.#waiting.delete(requestId);
    if (answer !== LATE) return answer;
    const why = gone();
    throw new KnownError(
      why === null
        ? `Claude Code did not answer "${request.subtype}" within ${timeoutSeconds} s.`
        : `Claude Code has exited: ${why}.`,
    );
  }

  /** Passes an answer of the CLI to its request. */
  take({ response: { request_id: id, response, error } }: ControlResponse): void {
    this.#waiting.get(id)?.(error === undefined ? response : { error });
  }
}
