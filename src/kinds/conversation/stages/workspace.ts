import type { CommitRecord, FileSnapshot, TurnSnapshot } from '../../../domain/evidence/conversation.js';
import { readCommits } from '../../../workspace/git/history.js';
import { readHead } from '../../../workspace/git/reader.js';
import { createReader, type WorkspaceReader } from '../../../workspace/read-inside.js';
import {
  diffSnapshots,
  type Snapshot,
  type SnapshotDiff,
  snapshotFiles,
} from '../../../workspace/snapshot.js';
import type { WorkspaceChange } from './tracker.js';

/** Looks at a workspace after each turn, and reports which files and commits the turn changed. */
export class WorkspaceWatch {
  readonly commits: CommitRecord[] = [];
  readonly #folder: string;
  readonly #contents: FileSnapshots | null;
  #files: Snapshot;
  #head: string | null;

  private constructor(folder: string, files: Snapshot, head: string | null, contents: FileSnapshots | null) {
    this.#folder = folder;
    this.#files = files;
    this.#head = head;
    this.#contents = contents;
  }

  /** Looks at the workspace before the first turn. The content of files is kept only on request. */
  static async open(folder: string, keeps?: SnapshotRequest): Promise<WorkspaceWatch> {
    const files = await snapshotFiles(folder);
    const contents = keeps === undefined ? null : new FileSnapshots(folder, keeps);
    await contents?.begin(files.truncated);
    return new WorkspaceWatch(folder, files, await readHead(folder), contents);
  }

  /** The files before the first turn and after each one. */
  get snapshots(): readonly TurnSnapshot[] {
    return this.#contents?.taken ?? [];
  }

  async look(turn: number): Promise<WorkspaceChange> {
    const files = await snapshotFiles(this.#folder);
    const diff = diffSnapshots(this.#files, files);
    await this.#contents?.add(turn, diff);
    const commits = await readCommits(this.#folder, this.#head);
    this.#files = files;
    this.#head = commits.at(-1)?.hash ?? this.#head;
    this.commits.push(...commits.map((commit) => ({ turn, ...commit })));
    return {
      filesChanged: [
        ...diff.added.map(({ path }) => path),
        ...diff.modified.map(({ after }) => after.path),
        ...diff.deleted.map(({ path }) => path),
      ],
      commits,
    };
  }
}

type Content = NonNullable<FileSnapshot['content']>;

/** What to keep of the files of a conversation. */
interface SnapshotRequest {
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
class FileSnapshots {
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

/** A file after a turn: its content, that it was not there, or why that is not known. */
export type FileAfterTurn =
  | { readonly kind: 'whole'; readonly text: string; readonly scrubbed: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string };

/** Finds a file as it was after a turn: the latest snapshot of it until then. Only of those that `asks` names is it known that they are not there. */
export function findFileAfter(
  snapshots: readonly TurnSnapshot[] | undefined,
  turn: number,
  path: string,
  asks: readonly string[] = [path],
): FileAfterTurn {
  if (snapshots === undefined) return { kind: 'unknown', why: 'the evidence has no snapshots' };
  if (!snapshots.some((snapshot) => snapshot.turn === turn))
    return { kind: 'unknown', why: `there is no snapshot of turn ${turn}` };
  const until = snapshots.filter((snapshot) => snapshot.turn <= turn);
  const found = until.flatMap(({ files }) => files.filter((file) => file.path === path)).at(-1);
  if (found === undefined && !asks.includes(path))
    return { kind: 'unknown', why: 'no turn changed it, and `reads` does not name it' };
  if (found === undefined || found.change === 'deleted') return { kind: 'absent' };
  return found.content ?? { kind: 'unknown', why: 'its content was not kept' };
}
