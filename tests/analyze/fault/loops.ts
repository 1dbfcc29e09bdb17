import { stringify } from 'yaml';
import { assignFault } from '../../../src/analyze/fault/assign.js';
import { type Check, judgeAll, nameChecks } from '../../../src/domain/check.js';
import type { EventRecord, Evidence, Iteration, ToolCall } from '../../../src/domain/evidence/evidence.js';
import { attempt } from '../../report/support/journal.js';

/** Small loops in which Ralph did its part, for tests that take one part away. */

type Emitted = readonly [topic: string, payload: string];

/** What one iteration did. */
interface Act {
  readonly said?: string;
  readonly calls?: readonly ToolCall[];
  readonly emits?: readonly Emitted[];
  readonly hat?: string;
  /** The events that Ralph hands on to this iteration. */
  readonly pending?: readonly Emitted[];
  /** More text of the prompt. */
  readonly told?: string;
}

export interface Story {
  readonly objective: string;
  /** Settings of Ralph beside those of a plain loop. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly acts: readonly Act[];
  readonly reason?: 'completed' | 'max_iterations';
  readonly evidence?: Partial<Evidence>;
}

const AT = '2026-01-20T14:30:00.000Z';
const OFF = { enabled: false };
const CONFIG = { event_loop: { max_iterations: 3 }, memories: OFF, tasks: OFF, skills: OFF };

export function call(name: string, input: unknown, result = 'done', isError = false): ToolCall {
  return { id: 'call-1', name, input: JSON.stringify(input), result, isError };
}

export function emit(topic: string, payload: string): ToolCall {
  return call('Bash', { command: `ralph emit ${topic} "${payload}"` }, `Event emitted: ${topic}`);
}

/** The evidence of a loop, as a Ralph that does its part would leave it. */
export function loopOf({
  objective,
  config = {},
  acts,
  reason = 'completed',
  evidence = {},
}: Story): Evidence {
  const exitCode = reason === 'completed' ? 0 : 2;
  const iterations = acts.map((act, index) => play(act, index + 1, objective));
  const base = attempt().evidence;
  if (base === null) throw new Error('an attempt with evidence expected');
  return {
    ...base,
    configYaml: stringify({ ...CONFIG, ...config }),
    promptText: objective,
    iterations,
    events: acts.flatMap(({ emits = [] }, index) => [
      ...emits.map((one) => record(one)),
      record(['iteration.summary', '{}'], index + 1),
    ]),
    exit: { kind: 'exited', code: exitCode },
    termination: { reason, status: '', iterations: acts.length, exitCode },
    files: [],
    ...evidence,
  };
}

function play(
  { said = 'Done.', calls, emits = [], hat = 'ralph', pending = [], told = '' }: Act,
  number: number,
  objective: string,
): Iteration {
  const events = pending.map(([topic, payload]) => `Event: ${topic} - ${payload}\n`).join('');
  return {
    number,
    hat,
    prompt: `## OBJECTIVE\n> ${objective}\n## PENDING EVENTS\n${events}## EVENT WRITING\nralph emit\n## DONE\nLOOP_COMPLETE\n${told}`,
    said,
    form: 'claude-stream',
    toolCalls: [...(calls ?? emits.map((one) => emit(...one)))],
    durationSeconds: 1,
    cli: { tools: ['Bash', 'Read', 'Write', 'Edit'], permissionMode: 'bypassPermissions', whole: true },
  };
}

export function record([topic, payload]: Emitted, iteration: number | null = null): EventRecord {
  const isRalphs = iteration !== null;
  return {
    topic,
    payload,
    timestamp: AT,
    hat: isRalphs ? 'loop' : null,
    iteration,
    source: isRalphs ? 'ralph' : 'agent',
  };
}

/** The sentences that blame the agent, or null. Throws if no check fails: then there is nobody to blame. */
export function blame(
  evidence: Evidence,
  checks: readonly Check[],
  excused: readonly string[] = [],
): string[] | null {
  const judged = judgeAll(nameChecks(checks), evidence);
  if (judged.every(({ passed }) => passed)) throw new Error('no check fails');
  const fault = assignFault({ checks: judged, evidence, excused });
  return fault.whose === 'agent' ? fault.because : null;
}
