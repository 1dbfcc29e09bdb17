import { type Invocation, invocationSchema } from '../../domain/agent-script.js';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { CapturedText, Evidence, FileRecord, ProcessExit } from '../../domain/evidence/evidence.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { MAX_LOG_BYTES, readPlainText } from '../../exec/files/plain-file.js';
import { type CapturedStream, joinHeadAndTail } from '../../exec/process/capture.js';
import type { ProcessResult } from '../../exec/process/run-process.js';
import { redactText } from '../../exec/redact.js';
import type { WorkspaceReader } from '../read-inside.js';
import type { FileChange } from '../snapshot.js';

/** Describes how a process ended, as evidence. */
export function describeExit(result: ProcessResult, timeoutSeconds: number): ProcessExit {
  if (result.interrupted) return { kind: 'interrupted' };
  if (result.timedOut) return { kind: 'timed-out', afterSeconds: timeoutSeconds };
  if (result.exitCode !== null) return { kind: 'exited', code: result.exitCode };
  return { kind: 'killed', signal: result.signal ?? 'unknown' };
}

/** Turns a captured stream into evidence. */
export function toCapturedText(stream: CapturedStream): CapturedText {
  return {
    path: stream.path,
    bytes: stream.bytes,
    text: `${joinHeadAndTail(stream)}${stream.error === undefined ? '' : `\n… ${stream.error} …\n`}`,
    truncated: stream.truncated,
  };
}

const MAX_FILES = 200;
const MAX_PREVIEW_BYTES = 4096;

/** What to read of the files of a workspace. */
interface FilesLook {
  readonly changes: readonly FileChange[];
  /** Whether there were more files than could be compared. */
  readonly changesCut: boolean;
  /** Files that checks read completely: each is in the list, no matter how many there are. */
  readonly asks: readonly string[];
  readonly secrets: readonly string[];
}

/** Reads the files of the workspace, changed ones first. From Ralph's own folder, only what agents write. */
export async function readFiles(
  reader: WorkspaceReader,
  look: FilesLook,
): Promise<Pick<Evidence, 'files' | 'filesLeftOut' | 'filesAbsent'>> {
  const known = look.changes
    .filter(({ path }) => !path.startsWith('.ralph/') || path.startsWith('.ralph/agent/'))
    .sort((a, b) => Number(a.change === 'unchanged') - Number(b.change === 'unchanged'));
  const shown = known.slice(0, MAX_FILES);
  const listed = await Promise.all(shown.map((file) => previewFile(reader, file, look)));
  const asked = new Map<string, FileRecord | null>();
  for (const path of look.asks) asked.set(path, await readAsked(reader, path, look));
  const unlisted = [...asked].filter(([path]) => !shown.some((file) => file.path === path));
  const leftOut = known.length - shown.length + Number(look.changesCut);
  const absent = [...asked].flatMap(([path, record]) => (record === null ? [path] : []));
  return {
    files: [
      ...listed.map((record, index) => asked.get(shown[index]?.path ?? '') ?? record),
      ...unlisted.flatMap(([, record]) => record ?? []),
    ],
    ...(leftOut === 0 ? {} : { filesLeftOut: leftOut }),
    ...(absent.length === 0 ? {} : { filesAbsent: absent }),
  };
}

async function previewFile(
  reader: WorkspaceReader,
  { path, change, size }: FileChange,
  { secrets }: FilesLook,
): Promise<FileRecord> {
  const text = change === 'deleted' ? '' : await reader.read(path, MAX_PREVIEW_BYTES);
  const unknown = (why: string) => ({ content: { kind: 'unknown', why } as const });
  return {
    path: redactText(path, secrets),
    change,
    sizeBytes: size,
    preview: text ?? '',
    ...(reader.cut.has(path) ? unknown('only its beginning and its end are kept') : {}),
    ...(text === null ? unknown('it is not a readable file') : {}),
  };
}

/** Reads a file that checks need; null if there is none. */
async function readAsked(
  reader: WorkspaceReader,
  path: string,
  { changes }: FilesLook,
): Promise<FileRecord | null> {
  const found = await reader.readWhole(path);
  if (found.kind === 'absent') return null;
  const realPath = found.kind === 'whole' ? found.realPath : path;
  // A link is a file of its own. A file in a linked folder was compared under its real path.
  const seen = changes.find((file) => file.path === path) ?? changes.find((file) => file.path === realPath);
  const common = {
    path,
    change: seen?.change ?? 'unchanged',
    ...(seen === undefined ? { compared: false as const } : {}),
  };
  if (found.kind === 'unknown')
    return {
      ...common,
      sizeBytes: seen?.size ?? 0,
      preview: '',
      content: { kind: 'unknown', why: found.why },
    };
  const { text, scrubbed, sizeBytes } = found;
  const preview = (await reader.read(realPath, MAX_PREVIEW_BYTES)) ?? '';
  const told = preview === text && !scrubbed && common.change !== 'deleted';
  return {
    ...common,
    sizeBytes,
    preview,
    ...(told ? {} : { content: { kind: 'whole', text, scrubbed } }),
  };
}

/** Reads the log of the stand-ins, which does not exist if no agent was started. */
export async function readInvocations(path: string, secrets: readonly string[]): Promise<Invocation[]> {
  let text: string;
  try {
    text = await readPlainText(path, MAX_LOG_BYTES);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
  return parseJsonLines(redactText(text, secrets), path, invocationSchema).records;
}
