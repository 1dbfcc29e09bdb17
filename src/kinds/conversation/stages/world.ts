import type { CommitRecord } from '../../../domain/evidence/conversation.js';
import { readCommits } from '../../../workspace/git/history.js';
import { readHead } from '../../../workspace/git/reader.js';
import { diffSnapshots, type Snapshot, snapshotFiles } from '../../../workspace/snapshot.js';
import type { WorldChange } from './tracker.js';

/** Looks at a workspace after each turn, and reports which files and commits the turn changed. */
export class World {
  readonly commits: CommitRecord[] = [];
  readonly #folder: string;
  #files: Snapshot;
  #head: string | null;

  private constructor(folder: string, files: Snapshot, head: string | null) {
    this.#folder = folder;
    this.#files = files;
    this.#head = head;
  }

  static async open(folder: string): Promise<World> {
    return new World(folder, await snapshotFiles(folder), await readHead(folder));
  }

  async look(turn: number): Promise<WorldChange> {
    const files = await snapshotFiles(this.#folder);
    const diff = diffSnapshots(this.#files, files);
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
