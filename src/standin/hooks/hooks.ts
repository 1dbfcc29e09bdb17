import { rmSync } from 'node:fs';
import type { HookPhase } from '../../domain/evidence/ralph-words.js';
import type { RalphConfig } from '../config/config.js';
import type { Diagnostics } from '../diagnostics.js';
import { CommandError } from '../failure.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { sortKeys } from '../record.js';
import type { Files } from '../store/files.js';
import type { HookConfig } from './config.js';
import { addMetadata, type Metadata, parseMetadata } from './metadata.js';
import { executeHook, type HookResult } from './process.js';
import {
  BACKOFF_MS,
  backOff,
  clearSuspension,
  type Suspension,
  suspend,
  waitForSignal,
} from './suspension.js';

const TARGET = 'ralph::loop_runner';

/** What a hook learns about the moment at which it runs. */
export interface HookMoment {
  readonly iteration: number;
  readonly activeHat?: string;
  readonly selectedHat?: string;
  readonly terminationReason?: string;
  readonly humanInteract?: Readonly<Record<string, unknown>>;
}

const DISPOSITIONS = { warn: 'Warn', block: 'Block', suspend: 'Suspend' } as const;
const MAX_ATTEMPTS = {
  wait_for_resume: 1,
  retry_backoff: BACKOFF_MS.length + 1,
  wait_then_retry: 2,
} as const;

const MODES = {
  wait_for_resume: 'WaitForResume',
  retry_backoff: 'RetryBackoff',
  wait_then_retry: 'WaitThenRetry',
} as const;
const REQUESTS = { stop: 'Stop requested', restart: 'Restart requested' } as const;
const DEFERRED = 'deferring to suspend termination handling';
const ENDED = {
  stop: ['Stop requested while suspended; terminating loop', 'stopped'],
  restart: ['Restart requested while suspended; terminating loop for restart', 'restart_requested'],
} as const;

/** Somebody ended the loop while a hook suspended it. */
export class SuspensionEnded extends Error {
  override readonly name = 'SuspensionEnded';
  readonly reason: 'stopped' | 'restart_requested';

  constructor(reason: 'stopped' | 'restart_requested') {
    super(`The loop was ended while it was suspended: ${reason}`);
    this.reason = reason;
  }
}

/** How a hook went: why it failed, and what it hands on. */
interface Outcome {
  readonly failure: string | undefined;
  readonly metadata?: Metadata | undefined;
}

interface HooksContext {
  readonly config: RalphConfig;
  readonly files: Files;
  readonly workspace: string;
  readonly loopId: string;
  readonly diagnostics: Diagnostics;
  readonly log: Log;
}

/** Runs the user's commands around the steps of a loop. */
export class Hooks {
  readonly #context: HooksContext;
  #metadata: Metadata = {};

  constructor(context: HooksContext) {
    this.#context = context;
  }

  /**
   * Runs all hooks of a phase in order. Throws if a blocking one fails; if a suspending one fails, waits until somebody
   * resumes the loop, and throws a `SuspensionEnded` if somebody stops it.
   */
  run(phase: HookPhase, moment: HookMoment): void {
    const { enabled, events } = this.#context.config.hooks;
    const hooks = enabled ? (events[phase] ?? []) : [];
    if (hooks.length === 0) return;
    const payload = this.#renderPayload(phase, moment);
    const outcomes = hooks.map((hook) => ({ hook, ...this.#dispatch(hook, phase, payload) }));
    for (const { hook, metadata } of outcomes)
      if (metadata !== undefined) this.#metadata = addMetadata(this.#metadata, hook.name, metadata);
    const failures = outcomes.flatMap(({ hook, failure }) =>
      failure === undefined || faulty('ignore-hook-failures') ? [] : [{ hook, failure }],
    );
    const blocked = failures.find(({ hook }) => hook.onError === 'block');
    if (blocked !== undefined) this.#block(phase, blocked.hook, blocked.failure);
    const suspended = failures.find(({ hook }) => hook.onError === 'suspend');
    if (suspended !== undefined) this.#waitForResume(phase, suspended.hook, suspended.failure);
  }

  #block(phase: HookPhase, hook: HookConfig, failure: string): never {
    const reason = `Lifecycle hook '${hook.name}' blocked orchestration at '${phase}': ${failure}`;
    const boundary = /^(pre|post)\.loop\.(complete|error)$/.test(phase)
      ? 'loop termination'
      : phase.replace(/^\w+\./, '');
    this.#context.log.error(
      TARGET,
      `Lifecycle hook blocked ${boundary} boundary phase_event=${phase} hook_name=${hook.name} reason=${reason}`,
    );
    throw new CommandError(reason);
  }

  #waitForResume(phase: HookPhase, hook: HookConfig, failure: string): void {
    const { files, log } = this.#context;
    const about = `phase_event=${phase} hook_name=${hook.name}`;
    const suspension = this.#describe(phase, hook, failure);
    suspend(files, suspension);
    log.warn(
      TARGET,
      `Lifecycle hook requested suspend; entering wait_for_resume gate ${about} suspend_mode=${MODES[hook.suspendMode]} reason=${suspension.reason}`,
    );
    const signal = waitForSignal(files);
    clearSuspension(files);
    if (signal === 'resume') {
      log.info(TARGET, `Resume signal consumed; leaving suspended wait_for_resume state ${about}`);
      return;
    }
    rmSync(files.resumeRequested, { force: true });
    if (signal === 'stop') rmSync(files.stopRequested, { force: true });
    const [what, reason] = ENDED[signal];
    log.info(TARGET, `${what} ${about}`);
    throw new SuspensionEnded(reason);
  }

  #describe(phase: HookPhase, hook: HookConfig, failure: string): Suspension {
    return {
      loop_id: this.#context.loopId,
      phase_event: phase,
      hook_name: hook.name,
      reason: `Lifecycle hook '${hook.name}' suspended orchestration at '${phase}': ${failure}`,
      suspend_mode: hook.suspendMode,
    };
  }

  /** Runs one hook, again and again if its mode says so; its last attempt counts. */
  #dispatch(hook: HookConfig, phase: HookPhase, payload: string): Outcome {
    const { files, log } = this.#context;
    const about = `phase_event=${phase} hook_name=${hook.name}`;
    const first = this.#attempt(hook, phase, payload, 1);
    if (first.failure === undefined || hook.onError !== 'suspend' || hook.suspendMode === 'wait_for_resume')
      return first;
    if (hook.suspendMode === 'wait_then_retry') {
      suspend(files, this.#describe(phase, hook, first.failure));
      log.warn(
        TARGET,
        `Lifecycle hook requested suspend(wait_then_retry); entering wait-for-resume gate before single retry ${about}`,
      );
      const signal = waitForSignal(files);
      if (signal !== 'resume') {
        log.info(TARGET, `${REQUESTS[signal]} while waiting under wait_then_retry; ${DEFERRED} ${about}`);
        return first;
      }
      clearSuspension(files);
      const again = this.#attempt(hook, phase, payload, 2);
      if (again.failure === undefined)
        log.info(TARGET, `Lifecycle hook recovered under wait_then_retry ${about}`);
      return again;
    }
    let latest = first;
    for (const [index, delay] of BACKOFF_MS.entries()) {
      const retry = `${about} retry_attempt=${index + 1}`;
      const request = backOff(files, delay);
      if (request !== undefined) {
        log.info(TARGET, `${REQUESTS[request]} while waiting for retry_backoff retry; ${DEFERRED} ${retry}`);
        break;
      }
      latest = this.#attempt(hook, phase, payload, index + 2);
      if (latest.failure === undefined) {
        log.info(TARGET, `Lifecycle hook recovered under retry_backoff ${retry}`);
        return latest;
      }
    }
    log.warn(
      TARGET,
      `Lifecycle hook retry_backoff policy exhausted; entering suspended wait_for_resume fallback ${about} retry_attempts=${BACKOFF_MS.length}`,
    );
    return latest;
  }

  #attempt(hook: HookConfig, phase: HookPhase, payload: string, attempt: number): Outcome {
    const { workspace, loopId, diagnostics, log } = this.#context;
    const disposition = DISPOSITIONS[hook.onError ?? 'warn'];
    const result = executeHook(hook, phase, workspace, payload);
    if ('unstartable' in result) {
      log.warn(
        TARGET,
        `Lifecycle hook execution failed; continuing phase_event=${phase} hook_name=${hook.name} disposition=${disposition} error=${result.unstartable}`,
      );
      return { failure: `hook execution failed: ${result.unstartable}` };
    }
    // A hook that fails hands its metadata on all the same.
    const printed = hook.mutates ? parseMetadata(result.stdout.content) : {};
    const failure = describeFailure(result) ?? printed.problem;
    diagnostics.hookRun({
      loop_id: loopId,
      phase_event: phase,
      hook_name: hook.name,
      ...result,
      disposition: failure === undefined ? 'pass' : disposition.toLowerCase(),
      suspend_mode: hook.suspendMode,
      retry_attempt: attempt,
      retry_max_attempts: MAX_ATTEMPTS[hook.suspendMode],
    });
    if (failure !== undefined) {
      const exitCode = result.exit_code === null ? 'None' : `Some(${result.exit_code})`;
      log.warn(
        TARGET,
        `Lifecycle hook returned non-pass disposition; continuing phase_event=${phase} hook_name=${hook.name} disposition=${disposition} exit_code=${exitCode} timed_out=${result.timed_out} failure=${failure}`,
      );
    }
    return { failure, metadata: printed.metadata };
  }

  #renderPayload(phase: HookPhase, moment: HookMoment): string {
    const { workspace, loopId, config } = this.#context;
    const [side = '', ...event] = phase.split('.');
    return JSON.stringify({
      context: {
        active_hat: moment.activeHat ?? 'ralph',
        human_interact: sortKeys(moment.humanInteract ?? null),
        selected_hat: moment.selectedHat ?? null,
        selected_task: null,
        termination_reason: moment.terminationReason ?? null,
      },
      event: event.join('.'),
      iteration: { current: moment.iteration, max: config.eventLoop.maxIterations },
      loop: { id: loopId, is_primary: true, pid: process.pid, repo_root: workspace, workspace },
      metadata: { accumulated: this.#metadata },
      phase: side,
      phase_event: phase,
      schema_version: 1,
      timestamp: new Date().toISOString(),
    });
  }
}

function describeFailure({ exit_code, timed_out }: HookResult): string | undefined {
  if (timed_out) return 'hook timed out';
  if (exit_code === 0) return undefined;
  return exit_code === null ? 'hook exited unsuccessfully' : `hook exited with code ${exit_code}`;
}
