import { existsSync, rmSync, statSync } from 'node:fs';
import { messageOf } from '../../domain/common/message-of.js';
import type { RalphConfig } from '../config/config.js';
import { CommandError } from '../failure.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { type Files, readTextFile, writeTextFile } from '../store/files.js';
import { now } from '../time.js';
import { type BusEvent, COORDINATOR } from './bus.js';
import type { TerminationReason } from './termination.js';

const STALE_AFTER = 3;
const MALFORMED_LIMIT = 3;

/** What a loop remembers between iterations. */
export class LoopState {
  readonly startedAt = now();
  /** The number of finished iterations. */
  iteration = 0;
  /** The cost of earlier sessions: a headless run does not know its own. */
  totalCostUsd = 0;
  consecutiveFailures = 0;
  consecutiveMalformed = 0;
  completionRequested = false;
  cancellationRequested = false;
  /** People's messages that the agent has not acknowledged. */
  unacknowledgedGuidance: string[] = [];
  /** People's messages that every later prompt repeats. */
  guidance: string[] = [];
  lastActiveHats: readonly string[] = [];
  /** The events of the last prompt; only a fault uses them. */
  lastEvents: readonly BusEvent[] = [];
  readonly seenTopics = new Set<string>();
  readonly activations = new Map<string, number>();
  readonly exhaustedHats = new Set<string>();
  readonly blockCounts = new Map<string, number>();
  #lastSignature = '';
  #lastTopic = '';
  #sameSignature = 0;

  elapsedMs(): number {
    return now() - this.startedAt;
  }

  /** Records an event for required events and for the detection of a stale loop. */
  recordEvent(event: BusEvent): void {
    this.seenTopics.add(event.topic);
    const payload = faulty('stale-by-topic') ? '' : event.payload;
    const signature = JSON.stringify([event.topic, payload, event.source]);
    if (event.topic === 'task.complete') this.#sameSignature = 0;
    else this.#sameSignature = signature === this.#lastSignature ? this.#sameSignature + 1 : 1;
    this.#lastSignature = signature;
    this.#lastTopic = event.topic;
  }

  /** Returns the topic that was published repeatedly, if any. */
  findStaleTopic(): string | undefined {
    return this.#sameSignature >= STALE_AFTER ? this.#lastTopic : undefined;
  }
}

/** The limits, and what is needed to check them. */
export interface LimitContext {
  readonly config: RalphConfig;
  readonly files: Files;
  readonly workspace: string;
  readonly log: Log;
}

/** Finds the first limit that was reached, in the real Ralph's order. */
export function checkLimits(state: LoopState, context: LimitContext): TerminationReason | undefined {
  const { config, files, workspace, log } = context;
  if (faulty('never-stop')) return undefined;
  const { maxIterations, maxRuntimeSeconds, maxCostUsd, maxConsecutiveFailures } = config.eventLoop;
  if (state.iteration >= maxIterations) return 'max_iterations';
  if (Math.floor(state.elapsedMs() / 1000) >= maxRuntimeSeconds) return 'max_runtime';
  if (maxCostUsd !== undefined && state.totalCostUsd >= maxCostUsd) return 'max_cost';
  if (state.consecutiveFailures >= maxConsecutiveFailures) return 'consecutive_failures';
  if (state.consecutiveMalformed >= MALFORMED_LIMIT) return 'validation_failure';
  const stale = state.findStaleTopic();
  if (stale !== undefined) {
    log.warn(
      'ralph_core::event_loop',
      `Stale loop detected: same event signature emitted consecutively topic="${stale}"`,
    );
    return 'loop_stale';
  }
  if (existsSync(files.stopRequested)) {
    if (!faulty('keep-stop-file')) rmSync(files.stopRequested, { force: true });
    return 'stopped';
  }
  if (existsSync(files.restartRequested)) return 'restart_requested';
  if (!(statSync(workspace, { throwIfNoEntry: false })?.isDirectory() ?? false)) return 'workspace_gone';
  return undefined;
}

/** Saves what `--continue` needs. A headless run never knows tokens, and costs only of earlier sessions. */
export function persistState(state: LoopState, path: string): void {
  const text = `{
  "iteration": ${state.iteration},
  "total_cost_usd": ${formatDecimal(state.totalCostUsd)},
  "last_hat": "${COORDINATOR}",
  "peak_input_tokens": 0,
  "last_input_tokens": null,
  "hat_peak_input_tokens": {}
}`;
  writeTextFile(path, text);
}

/** Restores the iteration count and the cost of an ended loop, if there is a file. A broken file is a failure. */
export function restoreState(state: LoopState, path: string): void {
  const text = readTextFile(path);
  if (text === undefined) return;
  const fields = new Map<string, unknown>(Object.entries(parseJson(text) ?? {}));
  const [iteration, cost] = [fields.get('iteration'), fields.get('total_cost_usd')];
  if (typeof iteration !== 'number' || !Number.isInteger(iteration) || iteration < 0 || iteration >= 2 ** 32)
    throw new CommandError(`expected a whole number as \`iteration\`, found ${JSON.stringify(iteration)}`);
  if (typeof cost !== 'number')
    throw new CommandError(`expected a number as \`total_cost_usd\`, found ${JSON.stringify(cost)}`);
  state.iteration = iteration;
  state.totalCostUsd = cost;
}

/** Formats a number as Rust does: `2.0`, not `2`. */
function formatDecimal(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : `${value}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}
