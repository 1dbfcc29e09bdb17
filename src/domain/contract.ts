import * as z from 'zod';

/** The areas of Ralph's contract, in the order of the page. */
export const AREAS = {
  completion: 'Completion',
  limits: 'Limits',
  'exit-codes': 'Exit codes',
  routing: 'Routing',
  hats: 'Hats',
  prompt: 'What stands in the prompt',
  memories: 'Memories',
  tasks: 'Tasks',
  gates: 'Gates',
  hooks: 'Hooks',
  human: 'Messages of people',
  skills: 'Skills',
  waves: 'Waves',
  continue: 'Continuation',
  loops: 'Loops and locks',
  emit: 'Events from the command line',
  config: 'Configuration and its refusals',
  flags: 'Flags',
  history: 'History and files left behind',
  landing: 'Landing',
  adapters: 'Adapters and argument vectors',
  diagnostics: 'Diagnostics',
  presets: 'Presets',
} as const;
export type Area = keyof typeof AREAS;

/** What a user of Ralph can rely on. */
export interface RalphPromise {
  /** One sentence about what Ralph does. */
  readonly promise: string;
  /** Where Ralph decides it: a crate and a path, such as `ralph-core/src/event_loop/mod.rs`, and a name in it. */
  readonly source: string;
  /** The scenarios that hold Ralph to it, each with the names of the checks that would fail. */
  readonly heldBy?: Readonly<Record<string, readonly string[]>>;
  /** Why no scenario holds it. */
  readonly not?: string;
  /**
   * The parts of Ralph's surface that it is about: `flag run --exclusive`, `command loops stop`,
   * `config event_loop.max_iterations`, `topic human.guidance`, `reason max_iterations`.
   */
  readonly about?: readonly string[];
}

/** A promise that a check holds Ralph to. */
export const heldPromiseSchema = z.object({
  area: z.string(),
  promise: z.string(),
  source: z.string(),
  /** The parts of Ralph's surface that it is about, such as `config event_loop.max_iterations`. */
  about: z.array(z.string()).readonly().optional(),
});
export type HeldPromise = Readonly<z.infer<typeof heldPromiseSchema>>;

/** The promises of one area, by a plain name. */
export type Promises = Readonly<Record<string, RalphPromise>>;
