import { join } from 'node:path';
import * as z from 'zod';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { shorten } from './limits.js';
import { listNames } from './list-names.js';

/** The texts and tool calls of an agent in one iteration. */
export interface AgentOutput {
  readonly iteration: number;
  readonly said: readonly string[];
  readonly calls: readonly string[];
}

const rowSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), iteration: z.number(), text: z.string() }),
  z.object({ type: z.literal('tool_call'), iteration: z.number(), name: z.string(), input: z.unknown() }),
]);

/**
 * Reads the agent's output from the newest diagnostics that have it. Ralph 2.10.1 defines the format but never writes
 * the file; other versions did.
 */
export async function readAgentOutput(folder: string, reader: WorkspaceReader): Promise<AgentOutput[]> {
  const diagnostics = '.ralph/diagnostics';
  for (const name of (await listNames(join(folder, diagnostics))).sort().reverse()) {
    const file = `${diagnostics}/${name}/agent-output.jsonl`;
    const text = await reader.read(file);
    if (text !== null) return groupByIteration(parseJsonLines(text, file, rowSchema).records);
  }
  return [];
}

function groupByIteration(rows: readonly z.infer<typeof rowSchema>[]): AgentOutput[] {
  const numbers = [...new Set(rows.map(({ iteration }) => iteration))];
  return numbers.map((iteration) => {
    const own = rows.filter((row) => row.iteration === iteration);
    return {
      iteration,
      said: own.flatMap((row) => (row.type === 'text' && row.text.trim() !== '' ? [shorten(row.text)] : [])),
      calls: own.flatMap((row) =>
        row.type === 'tool_call' ? [`${row.name} ${JSON.stringify(row.input)}`] : [],
      ),
    };
  });
}
