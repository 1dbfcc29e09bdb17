import type { CommitRecord, TurnSnapshot } from '../../../domain/evidence/conversation.js';
import { readCommits } from '../../../workspace/git/history.js';
import { readHead } from '../../../workspace/git/reader.js';
import { diffSnapshots, type Snapshot, snapshotFiles } from '../../../workspace/snapshot.js';
import { SnapshotBook, type SnapshotRequest } from './snapshots.js';
import type { WorldChange } from './tracker.js';

/** Looks at a workspace after each turn, and reports which files and commits the turn changed. */
export class World {
  readonly commits: CommitRecord[] = [];
  readonly #folder: string;
  readonly #book: SnapshotBook | null;
  #files: Snapshot;
  #head: string | null;

  private constructor(folder: string, files: Snapshot, head: string | null, book: SnapshotBook | null) {
    this.#folder = folder;
    this.#files = files;
    this.#head = head;
    this.#book = book;
  }

  /** Looks at the workspace before the first turn. The content of files is kept only on request. */
  static async open(folder: string, keeps?: SnapshotRequest): Promise<World> {
    const files = await snapshotFiles(folder);
    const book = keeps === undefined ? null : new SnapshotBook(folder, keeps);
    await book?.begin(files.truncated);
    return new World(folder, files, await readHead(folder), book);
  }

  /** The files before the first turn and after each one. */
  get snapshots(): readonly TurnSnapshot[] {
    return this.#book?.taken ?? [];
  }

  async look(turn: number): Promise<WorldChange> {
    const files = await snapshotFiles(this.#folder);
    const diff = diffSnapshots(this.#files, files);
    await this.#book?.add(turn, diff);
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
