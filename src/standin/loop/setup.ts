import type { RalphConfig } from '../config/config.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Hooks } from '../hooks/hooks.js';
import type { Log } from '../log.js';
import type { ProjectSkill } from '../prompt/project-skills.js';
import type { Files } from '../store/files.js';

/** Everything that is decided before the first iteration. */
export interface LoopSetup {
  readonly config: RalphConfig;
  readonly files: Files;
  readonly workspace: string;
  readonly eventsPath: string;
  readonly loopId: string;
  readonly objective: string;
  readonly resumed: boolean;
  /** Whether the loop is written into the history and lands. With `ralph resume` it is not and does not. */
  readonly remembered: boolean;
  readonly extraArgs: readonly string[];
  readonly program: string;
  readonly verbose: boolean;
  readonly diagnostics: Diagnostics;
  readonly log: Log;
  readonly hooks: Hooks;
  readonly projectSkills: readonly ProjectSkill[];
  /** Whether the old interface was asked for. */
  readonly isShown: boolean;
  /** The file of `--record-session`. */
  readonly recording: string | undefined;
}
