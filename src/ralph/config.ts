/** A ralph.yml as a scenario builds it. Keys are ralph's own. */
export type RalphConfig = Readonly<Record<string, unknown>>;

/** The settings of a loop that scenarios vary. */
export interface LoopSettings {
  readonly maxIterations: number;
  readonly promise?: string;
  readonly maxConsecutiveFailures?: number;
  /** Seconds without a line of output after which ralph ends the backend. */
  readonly inactivitySeconds?: number;
  /** Replaces the backend's executable. */
  readonly command?: string;
}

/**
 * A loop without hats. Skills, memories and tasks are off: they make the prompt longer than 7,000 bytes, and ralph then
 * hands it to most CLIs as a file to read, which some refuse by default. What they do is tested by their own scenarios.
 */
export function loop(settings: LoopSettings): RalphConfig {
  const {
    maxIterations,
    promise = 'LOOP_COMPLETE',
    maxConsecutiveFailures,
    inactivitySeconds,
    command,
  } = settings;
  return {
    ...(command === undefined ? {} : { cli: { command } }),
    event_loop: {
      max_iterations: maxIterations,
      completion_promise: promise,
      ...(maxConsecutiveFailures === undefined ? {} : { max_consecutive_failures: maxConsecutiveFailures }),
    },
    skills: { enabled: false },
    memories: { enabled: false },
    tasks: { enabled: false },
    ...(inactivitySeconds === undefined ? {} : { adapters: inactivityAdapters(inactivitySeconds) }),
  };
}

/** ralph has this limit for a few adapters only; every other backend, OpenCode included, takes the one of claude. */
function inactivityAdapters(seconds: number): RalphConfig {
  return { claude: { timeout: seconds }, kiro: { timeout: seconds } };
}

/** Fills in the backend under test and the model's arguments, keeping what the scenario says itself. */
export function withBackend(config: RalphConfig, backend: string, args: readonly string[]): RalphConfig {
  const { cli, ...rest } = config;
  const own = cli !== null && typeof cli === 'object' ? cli : {};
  return { cli: { backend, ...(args.length > 0 ? { args } : {}), ...own }, ...rest };
}
