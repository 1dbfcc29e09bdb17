/** A ralph.yml as a scenario builds it. Keys are ralph's own. */
export type RalphConfig = Readonly<Record<string, unknown>>;

/** The settings of a loop that scenarios vary. */
export interface LoopSettings {
  readonly maxIterations: number;
  readonly promise?: string;
  readonly maxConsecutiveFailures?: number;
  /** ralph's own limit of time for the whole loop. */
  readonly maxRuntimeSeconds?: number;
  /** Seconds without a line of output after which ralph ends the backend. */
  readonly inactivitySeconds?: number;
  /** Replaces the backend's executable. */
  readonly command?: string;
  readonly requiredEvents?: readonly string[];
  readonly cancellationPromise?: string;
  readonly enforceHatScope?: boolean;
  readonly persistent?: boolean;
  /** Off unless given. */
  readonly memories?: { readonly inject?: 'auto' | 'manual' | 'none'; readonly budget?: number };
  /** Off unless true. */
  readonly tasks?: boolean;
  /** Off unless true. */
  readonly skills?: boolean;
  /** More of ralph.yml, by its own keys: hooks, core and so on. */
  readonly more?: RalphConfig;
}

/**
 * A loop without hats. Skills, memories and tasks are off: they make the prompt longer than 7,000 bytes, and ralph then
 * hands it to most CLIs as a file to read, which some refuse by default. What they do is tested by their own scenarios.
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
  const { maxIterations, promise = 'LOOP_COMPLETE' } = settings;
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

/** ralph has this limit for a few adapters only; every other backend, OpenCode included, takes the one of claude. */
function inactivityAdapters(seconds: number): RalphConfig {
  return { claude: { timeout: seconds }, kiro: { timeout: seconds } };
}

/** Leaves out what was not given: in YAML it would stand as null, which ralph refuses. */
export function withoutUndefined(values: RalphConfig): RalphConfig {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Fills in the backend under test and the model's arguments, keeping what the scenario says itself. */
export function withBackend(config: RalphConfig, backend: string, args: readonly string[]): RalphConfig {
  const { cli, ...rest } = config;
  const own = cli !== null && typeof cli === 'object' ? cli : {};
  return { cli: { backend, ...(args.length > 0 ? { args } : {}), ...own }, ...rest };
}
