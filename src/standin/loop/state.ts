import { existsSync, rmSync, statSync } from 'node:fs';
import { messageOf } from '../../domain/common/message-of.js';
import type { RalphConfig } from '../config/config.js';
import { CommandError } from '../failure.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { type Files, readTextFile, writeTextFile } from '../store/files.js';
import { type BusEvent, COORDINATOR } from './bus.js';
import type { TerminationReason } from './termination.js';

const STALE_AFTER = 3;
const MALFORMED_LIMIT = 3;

/** What a loop remembers between iterations. */
export class LoopState {
  readonly startedAt = performance.now();
  /** The number of finished iterations. */
  iteration = 0;
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
    return performance.now() - this.startedAt;
  }

  /** Records an event for required events and for the detection of a stale loop. */
  recordEvent(event: BusEvent): void {
    this.seenTopics.add(event.topic);
    const signature = JSON.stringify([event.topic, event.payload, event.source]);
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
  const { maxIterations, maxRuntimeSeconds, maxConsecutiveFailures } = config.eventLoop;
  if (state.iteration >= maxIterations) return 'max_iterations';
  if (Math.floor(state.elapsedMs() / 1000) >= maxRuntimeSeconds) return 'max_runtime';
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
    rmSync(files.stopRequested, { force: true });
    return 'stopped';
  }
  if (existsSync(files.restartRequested)) return 'restart_requested';
  if (!(statSync(workspace, { throwIfNoEntry: false })?.isDirectory() ?? false)) return 'workspace_gone';
  return undefined;
}

/** Saves what `--continue` needs. A headless run never knows costs and tokens. */
export function persistState(state: LoopState, path: string): void {
  const text = `{
  "iteration": ${state.iteration},
  "total_cost_usd": 0.0,
  "last_hat": "${COORDINATOR}",
  "peak_input_tokens": 0,
  "last_input_tokens": null,
  "hat_peak_input_tokens": {}
}`;
  writeTextFile(path, text);
}

/** Reads the iteration count of an ended loop, for `--continue`; 0 if there is no file. A broken file is a failure. */
export function readPersistedIteration(path: string): number {
  const text = readTextFile(path);
  if (text === undefined) return 0;
  const fields = new Map<string, unknown>(Object.entries(parseJson(text) ?? {}));
  const [iteration, cost] = [fields.get('iteration'), fields.get('total_cost_usd')];
  if (typeof iteration !== 'number' || !Number.isInteger(iteration) || iteration < 0 || iteration >= 2 ** 32)
    throw new CommandError(`expected a whole number as \`iteration\`, found ${JSON.stringify(iteration)}`);
  if (typeof cost !== 'number')
    throw new CommandError(`expected a number as \`total_cost_usd\`, found ${JSON.stringify(cost)}`);
  return iteration;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}
