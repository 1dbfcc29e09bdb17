import { StringDecoder } from 'node:string_decoder';
import { type ProcessOptions, type ProcessResult, runProcess } from './run-process.js';

/** A process with a line-by-line dialog. */
export interface Dialog {
  /** Sends one line. Does nothing if the process is gone: `ended` reports that. */
  readonly write: (line: string) => void;
  /** Closes the input of the process. */
  readonly closeInput: () => void;
  /** Ends the process and everything it started. */
  readonly end: () => Promise<ProcessResult>;
  readonly ended: Promise<ProcessResult>;
  /** The process id once it runs; null if it could not be started. */
  readonly started: Promise<number | null>;
}

export interface DialogOptions extends Omit<ProcessOptions, 'onStart'> {
  readonly onLine: (line: string) => void;
}

/** Starts a process for a dialog. Its whole output is captured, as for any process. */
export function openDialog({ onLine, signal, ...options }: DialogOptions): Dialog {
  const ender = new AbortController();
  const waiting: string[] = [];
  let send: ((text: string) => void) | undefined;
  let close: (() => void) | undefined;
  let closed = false;
  let tellPid: (pid: number | null) => void = () => {};
  const started = new Promise<number | null>((resolve) => {
    tellPid = resolve;
  });
  const ended = runProcess({
    ...options,
    signal: signal === undefined ? ender.signal : AbortSignal.any([ender.signal, signal]),
    onStart: ({ stdin, stdout, pid }) => {
      tellPid(pid);
      // If the process ends while we write, ignore the error: `ended` reports the end.
      stdin.on('error', () => {});
      const lines = new LineReader(onLine);
      stdout.on('data', (chunk: Buffer) => lines.push(chunk));
      stdout.on('end', () => lines.finish());
      send = (text) => void stdin.write(text);
      close = () => void stdin.end();
      for (const text of waiting.splice(0)) send(text);
      if (closed) close();
    },
  });
  // If it could not start, `ended` reports why.
  const tellNone = () => tellPid(null);
  void ended.then(tellNone, tellNone);
  return {
    ended,
    started,
    write: (line) => {
      const text = `${line}\n`;
      if (send === undefined) waiting.push(text);
      else send(text);
    },
    closeInput: () => {
      closed = true;
      close?.();
    },
    end: () => {
      ender.abort();
      return ended;
    },
  };
}

/** Splits a stream of bytes into lines. A last line without a line feed counts. */
class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #parts: string[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const [first = '', ...rest] = this.#decoder.write(chunk).split('\n');
    this.#parts.push(first);
    for (const next of rest) {
      this.#flush();
      this.#parts.push(next);
    }
  }

  finish(): void {
    this.#parts.push(this.#decoder.end());
    this.#flush();
  }

  #flush(): void {
    const line = this.#parts.join('');
    this.#parts = [];
    if (line.trim() !== '') this.#onLine(line);
  }
}
