import { DEFAULT_PROMISE } from '../../domain/evidence/run-view.js';

/** The content of a ralph.yml, with Ralph's own keys. */
export type RalphConfig = Readonly<Record<string, unknown>>;

/** The settings of a loop that scenarios vary. */
export interface LoopSettings {
  /** The maximum number of iterations (`max_iterations`). */
  readonly maxIterations: number;
  /** The word that ends the loop (`completion_promise`); `LOOP_COMPLETE` by default. */
  readonly promise?: string;
  /** The maximum number of failures in a row (`max_consecutive_failures`). */
  readonly maxConsecutiveFailures?: number;
  /** Ralph's own time limit for the whole loop (`max_runtime_seconds`). */
  readonly maxRuntimeSeconds?: number;
  /** The number of seconds without a line of output after which Ralph ends the backend. */
  readonly inactivitySeconds?: number;
  /** A program that replaces the backend's executable (`cli.command`). */
  readonly command?: string;
  /** The events that must occur before the loop may complete (`required_events`). */
  readonly requiredEvents?: readonly string[];
  /** The word that cancels the loop (`cancellation_promise`). */
  readonly cancellationPromise?: string;
  /** Whether a hat may publish only what it declares (`enforce_hat_scope`). */
  readonly enforceHatScope?: boolean;
  /** Sets `persistent`. */
  readonly persistent?: boolean;
  /** Turns memories on, with these settings. They are off by default. */
  readonly memories?: { readonly inject?: 'auto' | 'manual' | 'none'; readonly budget?: number };
  /** Turns tasks on. They are off by default. */
  readonly tasks?: boolean;
  /** Turns skills on. They are off by default. */
  readonly skills?: boolean;
  /** More settings for ralph.yml, under Ralph's own keys: hooks, core and so on. */
  readonly more?: RalphConfig;
}

/**
 * Builds a ralph.yml for a loop without hats. Skills, memories and tasks are off by default: they make the prompt longer
 * than 7,000 bytes, and Ralph then passes it to most CLIs as a file to read, which some refuse. They have their own
 * scenarios.
 */
export function loop(settings: LoopSettings): RalphConfig {
  const { command, inactivitySeconds, memories, tasks = false, skills = false } = settings;
  return {
    ...(command === undefined ? {} : { cli: { command } }),
    event_loop: eventLoop(settings),
    skills: { enabled: skills },
    memories: memories === undefined ? { enabled: false } : { enabled: true, ...memories },
    tasks: { enabled: tasks },
    ...(inactivitySeconds === undefined ? {} : { adapters: inactivityAdapters(inactivitySeconds) }),
    ...settings.more,
  };
}

function eventLoop(settings: LoopSettings): RalphConfig {
  const { maxIterations, promise = DEFAULT_PROMISE } = settings;
  return withoutUndefined({
    max_iterations: maxIterations,
    completion_promise: promise,
    max_consecutive_failures: settings.maxConsecutiveFailures,
    max_runtime_seconds: settings.maxRuntimeSeconds,
    required_events: settings.requiredEvents,
    cancellation_promise: settings.cancellationPromise,
    enforce_hat_scope: settings.enforceHatScope,
    persistent: settings.persistent,
  });
}

/** Ralph has this limit for a few adapters only. Every other backend, including OpenCode, uses the one of claude. */
function inactivityAdapters(seconds: number): RalphConfig {
  return { claude: { timeout: seconds }, kiro: { timeout: seconds } };
}

/** Leaves out undefined values: YAML would write them as null, which Ralph refuses. */
export function withoutUndefined(values: RalphConfig): RalphConfig {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Adds the backend under test and the model's arguments to a config. The scenario's own settings win. */
export function withBackend(config: RalphConfig, backend: string, args: readonly string[]): RalphConfig {
  const { cli, ...rest } = config;
  const own = cli !== null && typeof cli === 'object' ? cli : {};
  return { cli: { backend, ...(args.length > 0 ? { args } : {}), ...own }, ...rest };
}
