import type { FileSnapshot, TurnSnapshot } from '../../../domain/evidence/conversation.js';
import { createReader, type WorkspaceReader } from '../../../workspace/read-inside.js';
import type { SnapshotDiff } from '../../../workspace/snapshot.js';

type Content = NonNullable<FileSnapshot['content']>;

/** What to keep of the files of a conversation. */
export interface SnapshotRequest {
  /** Files that are kept whole, and looked at before the first turn as well: those that checks read. */
  readonly asks: readonly string[];
  /** Values to remove from what is kept. */
  readonly secrets: readonly string[];
}

/** The other changed files of a turn: how many are listed, and up to which size each is kept. */
const MAX_FILES = 100;
const MAX_BYTES = 4096;
/** All texts of a conversation together. Evidence stays small, however long a conversation is. */
const MAX_TOTAL = 4 * 1024 * 1024;

const FULL: Content = { kind: 'unknown', why: 'the snapshots of the conversation have reached their limit' };

/** Keeps the content of files after each turn. */
export class SnapshotBook {
  readonly taken: TurnSnapshot[] = [];
  readonly #asks: readonly string[];
  readonly #reader: WorkspaceReader;
  /** The files that are asked for, as they were last; without those that are not there. */
  readonly #last = new Map<string, { readonly content: Content; readonly sizeBytes: number }>();
  #room = MAX_TOTAL;

  constructor(folder: string, { asks, secrets }: SnapshotRequest) {
    this.#asks = [...new Set(asks)];
    this.#reader = createReader(folder, secrets);
  }

  /** Keeps the files as they are before the first turn. */
  async begin(truncated: boolean): Promise<void> {
    this.taken.push({ turn: 0, files: await this.#readAsked(new Set(), true), truncated });
  }

  /** Keeps what a turn changed. */
  async add(turn: number, diff: SnapshotDiff): Promise<void> {
    const modified = diff.modified.map(({ after }) => after);
    const touched = new Set(modified.map(({ path }) => path));
    const asked = await this.#readAsked(touched, false);
    const others = [
      ...diff.added.map((file) => ({ ...file, change: 'added' as const })),
      ...modified.map((file) => ({ ...file, change: 'modified' as const })),
      ...diff.deleted.map((file) => ({ ...file, change: 'deleted' as const })),
    ].filter(({ path }) => !this.#asks.includes(path));
    const listed: FileSnapshot[] = [];
    for (const { path, change, size: sizeBytes } of others.slice(0, MAX_FILES)) {
      const content =
        change === 'deleted' ? {} : { content: this.#fit(await this.#readShort(path, sizeBytes)) };
      listed.push({ path, change, sizeBytes, ...content });
    }
    const truncated = diff.truncated || others.length > MAX_FILES;
    this.taken.push({ turn, files: [...asked, ...listed], truncated });
  }

  /** Reads the files that are asked for and returns those that changed. They are compared by their content: a path may go through a link. */
  async #readAsked(touched: ReadonlySet<string>, first: boolean): Promise<FileSnapshot[]> {
    const changed: FileSnapshot[] = [];
    for (const path of this.#asks) {
      const before = this.#last.get(path);
      const found = await this.#reader.readWhole(path);
      if (found.kind === 'absent') {
        this.#last.delete(path);
        if (before !== undefined) changed.push({ path, change: 'deleted', sizeBytes: before.sizeBytes });
        continue;
      }
      const content: Content =
        found.kind === 'unknown' ? found : { kind: 'whole', text: found.text, scrubbed: found.scrubbed };
      const sizeBytes = found.kind === 'unknown' ? 0 : found.sizeBytes;
      this.#last.set(path, { content, sizeBytes });
      const same = before !== undefined && isSame(before.content, content) && !touched.has(path);
      if (same) continue;
      const change = first ? 'present' : before === undefined ? 'added' : 'modified';
      changed.push({ path, change, sizeBytes, content: this.#fit(content) });
    }
    return changed;
  }

  async #readShort(path: string, sizeBytes: number): Promise<Content> {
    if (sizeBytes > MAX_BYTES)
      return { kind: 'unknown', why: `it has more than ${MAX_BYTES} bytes, and no check reads it` };
    const found = await this.#reader.readWhole(path);
    return found.kind === 'whole'
      ? { kind: 'whole', text: found.text, scrubbed: found.scrubbed }
      : { kind: 'unknown', why: found.kind === 'absent' ? 'it is not a readable file' : found.why };
  }

  #fit(content: Content): Content {
    if (content.kind === 'unknown') return content;
    if (content.text.length > this.#room) return FULL;
    this.#room -= content.text.length;
    return content;
  }
}

function isSame(a: Content, b: Content): boolean {
  return a.kind === 'whole' && b.kind === 'whole' ? a.text === b.text : a.kind === b.kind;
}
