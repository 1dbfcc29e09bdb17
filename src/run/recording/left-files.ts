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
    const content = change === 'deleted' ? GONE : await readContent(reader, path, room);
    if (content.kind === 'text') room -= content.text.length;
    files.push({ path, iteration: await placeChange(evidence, join(workspace, path)), content });
  }
  return files;
}

const GONE = { kind: 'gone' } as const;

/** Ralph writes its memories and tasks by itself when the agent calls it. */
function isRalphs(path: string): boolean {
  return path.startsWith('.ralph/') && !/^\.ralph\/agent\/(?!memories\.md)[^/]+\.md$/.test(path);
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

/** Finds the iteration in which a file was changed last; null if Ralph recorded no ends of iterations. */
async function placeChange({ events, iterations }: Evidence, path: string): Promise<number | null> {
  const changedAt = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw error;
    },
  );
  if (iterations.length === 1) return iterations[0]?.number ?? null;
  if (changedAt === null) return null;
  const end = endsOfIterations(events).find(
    ({ timestamp }) => Date.parse(timestamp) >= Math.floor(changedAt),
  );
  return end?.iteration ?? null;
}
