import type { Guards } from '../../domain/recording/guards.js';
import { callsRalph, checkCommandLine } from '../../domain/recording/shell/check.js';
import type { CommandLine, Pipeline } from '../../domain/recording/shell/command-line.js';
import { parseCommand } from '../../domain/recording/shell/parse.js';

/** What a replay does with a recorded shell command. */
export type CommandPlan =
  /** It runs. */
  | { readonly kind: 'run'; readonly line: CommandLine; readonly asksRalph: boolean }
  /** Its recorded answer is shown. Of the command, only calls of Ralph run; there may be several ways in which it went. */
  | { readonly kind: 'show'; readonly ways: readonly Way[] }
  | { readonly kind: 'cannot'; readonly why: string };

/** A way in which a command can have gone. */
export interface Way {
  /** The calls of Ralph that ran. */
  readonly line: CommandLine;
  /** Set if one of them failed to emit an event. */
  readonly lost: boolean;
}

/** Where a recorded command ran, and what it may not change. */
interface RecordedPlace {
  readonly workspace: string;
  readonly guards: Guards;
}

/** Decides what a replay does with a shell command. */
export function planCommand(command: string, place: RecordedPlace, failed: boolean): CommandPlan {
  const line = parseCommand(command);
  if (line === null)
    return mentionsRalph(command)
      ? { kind: 'cannot', why: 'it calls Ralph, and uses more of the shell than a replay understands' }
      : NOTHING;
  const check = (parts: CommandLine) => checkCommandLine(parts, { ...place, cwd: '' });
  const whole = check(line);
  if (whole.kind === 'fine') return { kind: 'run', line, asksRalph: callsRalph(line) };
  if (whole.guarded !== null) return { kind: 'cannot', why: whole.guarded };
  if (!callsRalph(line))
    return mentionsRalph(command) ? { kind: 'cannot', why: `it mentions Ralph, and ${whole.why}` } : NOTHING;
  const kept = line.filter(isKept);
  const checked = check(kept);
  if (checked.kind === 'refused') return { kind: 'cannot', why: `it calls Ralph, and ${checked.why}` };
  return findWays(line, failed);
}

const NOTHING: CommandPlan = { kind: 'show', ways: [{ line: [], lost: false }] };

function mentionsRalph(command: string): boolean {
  return /\bralph["']?\s+(?:emit|tools|run|events|hats|loops)\b|RALPH_BIN/.test(command);
}

/** Whether a part of a shown command runs again: a call of Ralph, or a change of the folder for it. */
function isKept({ commands }: Pipeline): boolean {
  return callsRalph([{ after: ';', commands }]) || commands[0]?.words[0] === 'cd';
}

/** More parts than this would be too many combinations. */
const MOST_PARTS = 10;

/** Lists the ways in which a command can have gone that ended as recorded: which of its calls of Ralph ran. */
function findWays(line: CommandLine, failed: boolean): CommandPlan {
  const programs = new Set(line.flatMap(({ commands }) => commands.map(({ words }) => words[0])));
  if (line.length > MOST_PARTS || ['exit', 'set', 'exec', 'return'].some((program) => programs.has(program)))
    return { kind: 'cannot', why: 'it calls Ralph, and nobody knows which of its parts ran' };
  const ways = new Map<string, Way>();
  for (let bits = 0; bits < 2 ** line.length; bits += 1) {
    const succeeds = (index: number) => (bits & (1 << index)) === 0;
    const { ran, failed: ended } = walk(line, succeeds);
    if (ended !== failed) continue;
    const broken = ran.filter((index) => !succeeds(index)).flatMap((index) => line[index] ?? []);
    if (failed && callsRalph(broken))
      return { kind: 'cannot', why: 'it calls Ralph and failed, and nobody knows which of its parts ran' };
    const parts = ran.flatMap((index) => line[index] ?? []).filter(isKept);
    const way = {
      line: callsRalph(parts) ? parts.map((part) => ({ ...part, after: '&&' as const })) : [],
      lost: topicsEmittedBy(broken).length > 0,
    };
    ways.set(JSON.stringify(way), way);
  }
  return { kind: 'show', ways: [...ways.values()] };
}

/** Goes through a list as a shell does. */
function walk(
  line: CommandLine,
  succeeds: (index: number) => boolean,
): { readonly ran: readonly number[]; readonly failed: boolean } {
  const ran: number[] = [];
  let good = true;
  for (const [index, { after }] of line.entries()) {
    if (index > 0 && ((after === '&&' && !good) || (after === '||' && good))) continue;
    ran.push(index);
    good = succeeds(index);
  }
  return { ran, failed: !good };
}

/** Lists the topics that a command line emits. */
export function topicsEmittedBy(line: CommandLine): string[] {
  return line.flatMap(({ commands }) =>
    commands.flatMap(({ words: [program, command, topic] }) =>
      program === 'ralph' && command === 'emit' && typeof topic === 'string' ? [topic] : [],
    ),
  );
}
