import { messageOf } from '../../domain/common/message-of.js';
import type { RalphConfig } from '../config/config.js';
import type { Diagnostics } from '../diagnostics.js';
import { CommandError } from '../failure.js';
import type { Log } from '../log.js';
import { isRecord } from '../record.js';
import type { HookConfig, HookPhase } from './config.js';
import { executeHook, type HookResult } from './process.js';

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

interface HooksContext {
  readonly config: RalphConfig;
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

  /** Runs all hooks of a phase in order; throws if a blocking one fails. */
  run(phase: HookPhase, moment: HookMoment): void {
    const { enabled, events } = this.#context.config.hooks;
    const hooks = enabled ? (events[phase] ?? []) : [];
    if (hooks.length === 0) return;
    const payload = this.#renderPayload(phase, moment);
    const blocked = hooks.flatMap((hook) => {
      const failure = this.#attempt(hook, phase, payload);
      return failure !== undefined && hook.onError === 'block' ? [{ hook, failure }] : [];
    })[0];
    if (blocked === undefined) return;
    const { hook, failure } = blocked;
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

  /** Runs one hook; returns why it failed, or undefined. */
  #attempt(hook: HookConfig, phase: HookPhase, payload: string): string | undefined {
    const { workspace, loopId, diagnostics, log } = this.#context;
    const disposition = hook.onError === 'block' ? 'Block' : 'Warn';
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
      suspend_mode: 'wait_for_resume',
      retry_attempt: 1,
      retry_max_attempts: 1,
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
