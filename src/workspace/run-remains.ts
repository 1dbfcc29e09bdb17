import { type Invocation, invocationSchema } from '../domain/agent-script.js';
import type { CapturedText, FileRecord, ProcessExit } from '../domain/evidence.js';
import { parseJsonLines } from '../domain/json-lines.js';
import { type CapturedStream, joinHeadAndTail } from '../exec/capture.js';
import { hasErrorCode } from '../exec/error-code.js';
import { readPlainText } from '../exec/plain-file.js';
import { redactText } from '../exec/redact.js';
import type { ProcessResult } from '../exec/run-process.js';
import type { WorkspaceReader } from './read-inside.js';
import type { FileChange } from './snapshot.js';

/** How a process ended, in the words of the evidence. */
export function describeExit(result: ProcessResult, timeoutSeconds: number): ProcessExit {
  if (result.interrupted) return { kind: 'interrupted' };
  if (result.timedOut) return { kind: 'timed-out', afterSeconds: timeoutSeconds };
  if (result.exitCode !== null) return { kind: 'exited', code: result.exitCode };
  return { kind: 'killed', signal: result.signal ?? 'unknown' };
}

/** What was captured of a stream, as evidence. */
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

/** The files of the workspace: what changed first. Of ralph's own folder only what agents write there. */
export async function readFiles(
  reader: WorkspaceReader,
  { changes, secrets }: { readonly changes: readonly FileChange[]; readonly secrets: readonly string[] },
): Promise<FileRecord[]> {
  const shown = changes
    .filter(({ path }) => !path.startsWith('.ralph/') || path.startsWith('.ralph/agent/'))
    .sort((a, b) => Number(a.change === 'unchanged') - Number(b.change === 'unchanged'))
    .slice(0, MAX_FILES);
  return Promise.all(
    shown.map(async ({ path, change, size }) => ({
      path: redactText(path, secrets),
      change,
      sizeBytes: size,
      preview: change === 'deleted' ? '' : ((await reader.read(path, MAX_PREVIEW_BYTES)) ?? ''),
    })),
  );
}

/** The log of the stand-ins. It does not exist when no agent was ever started. */
export async function readInvocations(path: string, secrets: readonly string[]): Promise<Invocation[]> {
  let text: string;
  try {
    text = await readPlainText(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
  return parseJsonLines(redactText(text, secrets), path, invocationSchema).records;
}
