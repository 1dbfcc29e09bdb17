import { rmSync } from 'node:fs';
import { messageOf } from '../../domain/common/message-of.js';
import type { HookPhase } from '../../domain/hook-phases.js';
import type { RalphConfig } from '../config/config.js';
import type { Diagnostics } from '../diagnostics.js';
import { CommandError } from '../failure.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { isRecord } from '../record.js';
import type { Files } from '../store/files.js';
import type { HookConfig } from './config.js';
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
/** The key under which hooks receive the metadata of earlier hooks. */
const NAMESPACE = 'hook_metadata';

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

/** Somebody ended the loop while a hook suspended it. */
export class SuspensionEnded extends Error {
  override readonly name = 'SuspensionEnded';
  readonly reason: 'stopped' | 'restart_requested';

  constructor(reason: 'stopped' | 'restart_requested') {
    super(`The loop was ended while it was suspended: ${reason}`);
    this.reason = reason;
  }
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
  #metadata: Readonly<Record<string, unknown>> = {};

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
    const failures = hooks.flatMap((hook) => {
      const failure = this.#dispatch(hook, phase, payload);
      return failure === undefined || faulty('ignore-hook-failures') ? [] : [{ hook, failure }];
    });
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
      `Lifecycle hook requested suspend; entering wait_for_resume gate ${about} reason=${suspension.reason}`,
    );
    const signal = waitForSignal(files);
    clearSuspension(files);
    if (signal === 'resume') {
      log.info(TARGET, `Resume signal consumed; leaving suspended wait_for_resume state ${about}`);
      return;
    }
    rmSync(files.resumeRequested, { force: true });
    if (signal === 'stop') rmSync(files.stopRequested, { force: true });
    log.info(TARGET, `${signal === 'stop' ? 'Stop' : 'Restart'} requested while suspended ${about}`);
    throw new SuspensionEnded(signal === 'stop' ? 'stopped' : 'restart_requested');
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

  /** Runs one hook, again and again if its mode says so; returns why it failed at last, or undefined. */
  #dispatch(hook: HookConfig, phase: HookPhase, payload: string): string | undefined {
    const { files, log } = this.#context;
    const about = `phase_event=${phase} hook_name=${hook.name}`;
    const first = this.#attempt(hook, phase, payload, 1);
    if (first === undefined || hook.onError !== 'suspend' || hook.suspendMode === 'wait_for_resume')
      return first;
    if (hook.suspendMode === 'wait_then_retry') {
      suspend(files, this.#describe(phase, hook, first));
      log.warn(TARGET, `Lifecycle hook requested suspend(wait_then_retry); waiting to be resumed ${about}`);
      if (waitForSignal(files) !== 'resume') return first;
      clearSuspension(files);
      const again = this.#attempt(hook, phase, payload, 2);
      if (again === undefined) log.info(TARGET, `Lifecycle hook recovered under wait_then_retry ${about}`);
      return again;
    }
    let failure = first;
    for (const [index, delay] of BACKOFF_MS.entries()) {
      if (!backOff(files, delay)) break;
      const again = this.#attempt(hook, phase, payload, index + 2);
      if (again === undefined) return undefined;
      failure = again;
    }
    log.warn(TARGET, `Lifecycle hook retry_backoff policy exhausted; waiting to be resumed ${about}`);
    return failure;
  }

  /** Runs one hook once; returns why it failed, or undefined. */
  #attempt(hook: HookConfig, phase: HookPhase, payload: string, attempt: number): string | undefined {
    const { workspace, loopId, diagnostics, log } = this.#context;
    const disposition = DISPOSITIONS[hook.onError ?? 'warn'];
    const result = executeHook(hook, phase, workspace, payload);
    if ('unstartable' in result) {
      log.warn(
        TARGET,
        `Lifecycle hook execution failed; continuing phase_event=${phase} hook_name=${hook.name} disposition=${disposition} error=${result.unstartable}`,
      );
      return `hook execution failed: ${result.unstartable}`;
    }
    const failure = describeFailure(result) ?? this.#takeMetadata(hook, result.stdout.content);
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
    return failure;
  }

  #takeMetadata(hook: HookConfig, stdout: string): string | undefined {
    if (!hook.mutates) return undefined;
    const parsed = parseMetadata(stdout);
    if (typeof parsed === 'string') return `invalid mutation output: ${parsed}`;
    const known = this.#metadata[NAMESPACE];
    this.#metadata = { [NAMESPACE]: { ...(isRecord(known) ? known : {}), [hook.name]: parsed } };
    return undefined;
  }

  #renderPayload(phase: HookPhase, moment: HookMoment): string {
    const { workspace, loopId, config } = this.#context;
    const [side = '', ...event] = phase.split('.');
    return JSON.stringify({
      context: {
        active_hat: moment.activeHat ?? 'ralph',
        human_interact: moment.humanInteract ?? null,
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

function parseMetadata(stdout: string): Readonly<Record<string, unknown>> | string {
  let value: unknown;
  try {
    value = JSON.parse(stdout.trim());
  } catch (error) {
    return `mutation stdout is not valid JSON: ${messageOf(error)}`;
  }
  if (!isRecord(value)) return 'mutation payload must be a JSON object';
  const keys = Object.keys(value);
  if (keys.length !== 1 || keys[0] !== 'metadata')
    return `mutation payload supports only '{"metadata": {...}}'; found keys: ${JSON.stringify(keys)}`;
  return isRecord(value.metadata)
    ? value.metadata
    : "mutation payload key 'metadata' must contain a JSON object";
}
