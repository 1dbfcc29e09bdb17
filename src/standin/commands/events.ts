import { rmSync } from 'node:fs';
import { type CommandSpec, type ParsedArgs, parseArgs, readCount, readOption } from '../argv.js';
import { findWorkspace, readEventsMarker, readTextFile } from '../store/files.js';
import { ellipsize, takeBytes } from '../text.js';

const SPEC: CommandSpec = {
  usage: 'ralph events [OPTIONS]',
  options: [
    { long: 'last', value: 'LAST' },
    { long: 'topic', value: 'TOPIC' },
    { long: 'iteration', value: 'ITERATION' },
    { long: 'format', value: 'FORMAT', choices: ['table', 'json'] },
    { long: 'file', value: 'FILE' },
    { long: 'clear' },
  ],
};

/** A record of either kind: an agent's has iteration 0 and no hat. */
interface EventRow {
  readonly ts: string;
  readonly iteration: number;
  readonly hat: string;
  readonly topic: string;
  readonly triggered?: string;
  readonly payload: string;
}

/** `ralph events`: prints the events file of the latest run. */
export function eventsCommand(words: readonly string[]): number {
  const args = parseArgs(words, SPEC);
  if (args.values.has('help')) {
    process.stdout.write(`Usage: ${SPEC.usage}\n`);
    return 0;
  }
  const path = readOption(args, 'file') ?? readEventsMarker(findWorkspace()) ?? '.ralph/events.jsonl';
  if (args.values.has('clear')) {
    rmSync(path, { force: true });
    process.stdout.write('Event history cleared\n');
    return 0;
  }
  const text = readTextFile(path);
  if (text === undefined) {
    process.stdout.write('No event history found. Run `ralph` to generate events.\n');
    return 0;
  }
  const topic = readOption(args, 'topic');
  const iteration = readCount(args, 'iteration', SPEC);
  const last = readCount(args, 'last', SPEC);
  const rows = text
    .split('\n')
    .flatMap(parseRow)
    .filter((row) => topic === undefined || row.topic === topic)
    .filter((row) => iteration === undefined || row.iteration === iteration);
  const shown = last === undefined ? rows : rows.slice(Math.max(0, rows.length - last));
  if (shown.length === 0) process.stdout.write('No matching events found.\n');
  else if (readOption(args, 'format') === 'json') process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  else process.stdout.write(renderTable(shown, mayColor(args)));
  return 0;
}

function parseRow(line: string): readonly EventRow[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Skip lines that are not JSON, as Ralph does everywhere.
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string => {
    const found = fields.get(name);
    if (found === undefined || found === null) return '';
    return typeof found === 'string' ? found : JSON.stringify(found);
  };
  if (!fields.has('topic') || !fields.has('ts')) return [];
  return [
    {
      ts: text('ts'),
      iteration: Number(fields.get('iteration') ?? 0),
      hat: text('hat'),
      topic: text('topic'),
      ...(fields.has('triggered') ? { triggered: text('triggered') } : {}),
      payload: text('payload'),
    },
  ];
}

/** Color needs `--color always`: the output of an errand is never a terminal. NO_COLOR wins. */
function mayColor(args: ParsedArgs): boolean {
  return readOption(args, 'color') === 'always' && process.env.NO_COLOR === undefined;
}

function renderTable(rows: readonly EventRow[], colored: boolean): string {
  const head = '  # | Time     | Iteration | Hat           | Topic              | Triggered      | Payload';
  const lines = rows.map((row, index) => {
    const cells = [
      String(index + 1).padStart(3),
      takeBytes(/T([^Z+-]*)/.exec(row.ts)?.[1] ?? '-', 8).padEnd(8),
      String(row.iteration).padStart(9),
      ellipsize(row.hat, 13).padEnd(13),
      ellipsize(row.topic, 18).padEnd(18),
      ellipsize(row.triggered ?? '-', 14).padEnd(14),
      ellipsize(row.payload.replaceAll('\n', ' '), 40),
    ];
    return cells.join(' | ');
  });
  return [
    colored ? `\x1b[1m${head}\x1b[0m` : head,
    '----|----------|-----------|---------------|--------------------|-----------------|-----------------',
    ...lines,
    '',
    `Total: ${rows.length} events`,
    '',
  ].join('\n');
}
