import * as z from 'zod';
import { parseJsonLines } from '../../../domain/common/json-lines.js';
import type { LogLine } from '../../../domain/evidence/evidence.js';
import type { WorkspaceReader } from '../../../workspace/read-inside.js';

/** A line of `trace.jsonl`. */
const traceSchema = z.object({
  timestamp: z.string(),
  level: z.string(),
  target: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()).catch({}),
});

const MOST_LINES = 200;
const LONGEST_LINE = 400;
const MAX_TRACE_BYTES = 1024 * 1024;

/** Reads what Ralph logged about itself. Keeps the beginning and the end if that is long. */
export async function readRalphLog(folders: readonly string[], reader: WorkspaceReader): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for (const folder of folders.toReversed()) {
    const path = `${folder}/trace.jsonl`;
    const text = (await reader.read(path, MAX_TRACE_BYTES)) ?? '';
    lines.push(...parseJsonLines(text, path, traceSchema).records.map(describeLine));
  }
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES / 2), ...lines.slice(-MOST_LINES / 2)];
}

function describeLine({ timestamp, level, target, message, fields }: z.infer<typeof traceSchema>): LogLine {
  const facts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const text = [message, ...facts].join(' ');
  return {
    at: timestamp,
    level,
    module: target,
    text: text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE - 1)}…`,
  };
}
