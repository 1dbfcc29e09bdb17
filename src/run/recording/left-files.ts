import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { endsOfIterations } from '../../domain/evidence/facts.js';
import type { RecordedFile } from '../../domain/recording/recording.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { createReader, type WorkspaceReader } from '../../workspace/read-inside.js';

const MOST_FILES = 200;
const MOST_BYTES = 4 * 1024 * 1024;

/** Reads the files that an attempt changed, with the iteration of the last change. What Ralph keeps itself is left out. */
export async function readLeftFiles(
  evidence: Evidence,
  workspace: string,
  secrets: readonly string[],
): Promise<RecordedFile[]> {
  const reader = createReader(workspace, secrets);
  const changed = evidence.files.filter(({ path, change }) => change !== 'unchanged' && !isRalphs(path));
  const files: RecordedFile[] = [];
  let room = MOST_BYTES;
  for (const { path, change } of changed.slice(0, MOST_FILES)) {
    const iteration = await placeChange(evidence, join(workspace, path));
    if (iteration === 'later') continue;
    const content = change === 'deleted' ? GONE : await readContent(reader, path, room);
    if (content.kind === 'text') room -= content.text.length;
    files.push({ path, iteration, content });
  }
  return files;
}

const GONE = { kind: 'gone' } as const;

/** Ralph writes these by itself: when the agent calls it, or when the loop ends. */
const RALPHS_NOTES: ReadonlySet<string> = new Set(['memories.md', 'handoff.md', 'summary.md']);

function isRalphs(path: string): boolean {
  if (!path.startsWith('.ralph/')) return false;
  const note = /^\.ralph\/agent\/([^/]+\.md)$/.exec(path)?.[1];
  return note === undefined || RALPHS_NOTES.has(note);
}

async function readContent(
  reader: WorkspaceReader,
  path: string,
  room: number,
): Promise<RecordedFile['content']> {
  const found = await reader.readWhole(path);
  switch (found.kind) {
    case 'absent':
      return GONE;
    case 'unknown':
      return { kind: 'unknown', why: found.why };
    case 'whole': {
      const { text, scrubbed } = found;
      if (scrubbed) return { kind: 'unknown', why: 'a credential was removed from it' };
      if (text.length > room) return { kind: 'unknown', why: 'the files of the recording are too large' };
      if (text.includes('\uFFFD')) return { kind: 'unknown', why: 'it is not a text' };
      return { kind: 'text', text };
    }
    default:
      return found satisfies never;
  }
}

/**
 * Finds the iteration in which a file was changed last; null if Ralph recorded no ends of iterations, `later` if the last
 * iteration was over.
 */
async function placeChange({ events, iterations }: Evidence, path: string): Promise<number | null | 'later'> {
  const changedAt = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw error;
    },
  );
  const ends = endsOfIterations(events);
  if (changedAt === null) return null;
  const end = ends.find(({ timestamp }) => Date.parse(timestamp) >= Math.floor(changedAt));
  if (end !== undefined) return end.iteration;
  const last = iterations.at(-1)?.number ?? null;
  return ends.some(({ iteration }) => iteration === last) ? 'later' : last;
}
