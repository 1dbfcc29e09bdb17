import { dirname } from 'node:path';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { RequestRecord } from '../../domain/evidence/request-record.js';
import { makeChosenFolder } from '../../exec/files/make-folder.js';
import { appendPlainText } from '../../exec/files/plain-file.js';
import { redactText } from '../../exec/redact.js';
import type { Message, ModelRequest } from './model/request.js';

/** How many characters of a prompt a record keeps; the file has the whole request. */
const MAX_PROMPT = 2000;
/** In memory, so that a server that runs for days does not keep growing. */
const MAX_RECORDS = 10_000;

interface RequestLogOptions {
  readonly recordTo?: string | undefined;
  readonly secrets?: readonly string[];
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** Records a server's requests in order of arrival, and writes them to a file as JSON lines. */
export class RequestLog {
  readonly records: RequestRecord[] = [];
  readonly received = new ReceivedTexts();
  readonly #options: RequestLogOptions;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Creates the file, so that a path that cannot be written is reported before the first request. */
  async prepare(): Promise<void> {
    const { recordTo } = this.#options;
    if (recordTo === undefined) return;
    await makeChosenFolder(dirname(recordTo), 'Name a file in a writable folder.');
    append(recordTo, '');
  }

  /** Adds a record; the body goes only to the file. Headers are never kept, because they carry credentials. */
  add(record: RequestRecord, body?: unknown): void {
    const clean: RequestRecord = {
      ...record,
      path: this.#clean(hideKey(record.path)),
      prompt: this.#clean(copy(record.prompt.slice(0, MAX_PROMPT))),
      ...(record.received === undefined ? {} : { received: this.#clean(record.received) }),
      ...(record.unanswered === undefined ? {} : { unanswered: this.#clean(record.unanswered) }),
    };
    this.records.push(clean);
    if (this.records.length > MAX_RECORDS) this.records.shift();
    this.#notify(clean);
    if (this.#options.recordTo === undefined) return;
    // The body has it all.
    const { received: _received, unanswered: _unanswered, ...rest } = clean;
    const line = JSON.stringify({ ...rest, ...(body === undefined ? {} : { body }) });
    append(this.#options.recordTo, `${this.#clean(line)}\n`);
  }

  #notify(record: RequestRecord): void {
    try {
      this.#options.onRequest?.(record);
    } catch (error) {
      throw new KnownError(`The function onRequest threw an error: ${messageOf(error)}`, { cause: error });
    }
  }

  #clean(text: string): string {
    return redactText(text, this.#options.secrets ?? []);
  }
}

/** A part of a text keeps the whole in memory; a copy does not. */
function copy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function append(file: string, text: string): void {
  try {
    appendPlainText(file, text);
  } catch (error) {
    if (isKnownError(error)) throw error;
    throw new KnownError(`The requests cannot be written to ${file}: ${messageOf(error)}.`, {
      hint: 'Name a file in a writable folder.',
    });
  }
}

/** Gemini's API accepts the key in the query. */
function hideKey(path: string): string {
  return path.replace(/([?&](?:key|api_key|access_token)=)[^&]*/g, '$1[redacted]');
}

/** In memory, so that a server that runs for days does not keep growing. */
const MAX_CONVERSATIONS = 1000;
/** A record keeps no more of a request; the file has the whole. */
const MAX_TEXT = 200_000;

/** Finds what a model receives for the first time: a request repeats the whole conversation before it. */
export class ReceivedTexts {
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** Returns the texts of a request that the one before it did not have: instructions, prompts, results of tools. */
  take(conversation: string, { system, messages }: ModelRequest): string {
    const texts = [...system.split('\n\n'), ...messages.flatMap(textsOf)].filter(
      (text) => text.trim() !== '',
    );
    const known = this.#known.get(conversation) ?? new Set();
    this.#known.delete(conversation);
    this.#known.set(conversation, new Set(texts));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CONVERSATIONS && oldest !== undefined) this.#known.delete(oldest);
    return texts
      .filter((text) => !known.has(text))
      .join('\n\n')
      .slice(0, MAX_TEXT);
  }
}

function textsOf(message: Message): readonly string[] {
  switch (message.role) {
    case 'user':
      return [message.text];
    case 'tools':
      return message.results.map(({ text }) => text);
    case 'assistant':
      return [];
    default:
      return message satisfies never;
  }
}
