import type { RequestRecord } from '../../domain/evidence/request-record.js';
import { appendPlainText } from '../../exec/files/plain-file.js';
import { redactText } from '../../exec/redact.js';

/** How much of a prompt a record keeps; the file has the whole request. */
const MAX_PROMPT = 2000;
/** In memory. A server that runs for days must not grow for days. */
const MAX_RECORDS = 10_000;

interface RequestLogOptions {
  readonly recordTo?: string | undefined;
  readonly secrets?: readonly string[];
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** What a server was asked, in the order of arrival; also as JSON lines in a file. */
export class RequestLog {
  readonly records: RequestRecord[] = [];
  readonly #options: RequestLogOptions;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Keeps a record; the body goes to the file only. Headers are never kept: that is where credentials travel. */
  add(record: RequestRecord, body?: unknown): void {
    const clean: RequestRecord = {
      ...record,
      path: this.#clean(hideKey(record.path)),
      prompt: this.#clean(record.prompt.slice(0, MAX_PROMPT)),
    };
    this.records.push(clean);
    if (this.records.length > MAX_RECORDS) this.records.shift();
    this.#options.onRequest?.(clean);
    if (this.#options.recordTo === undefined) return;
    const line = JSON.stringify({ ...clean, ...(body === undefined ? {} : { body }) });
    appendPlainText(this.#options.recordTo, `${this.#clean(line)}\n`);
  }

  #clean(text: string): string {
    return redactText(text, this.#options.secrets ?? []);
  }
}

/** Gemini's API takes the key in the query. */
function hideKey(path: string): string {
  return path.replace(/([?&](?:key|api_key|access_token)=)[^&]*/g, '$1[redacted]');
}
