import type { HatConfig, RalphConfig, ScratchpadConfig } from '../config/config.js';
import type { Log } from '../log.js';
import type { BusEvent } from '../loop/bus.js';
import type { Files } from '../store/files.js';
import type { ProjectSkill } from './project-skills.js';

/** Everything that goes into a prompt. */
export interface PromptInput {
  readonly config: RalphConfig;
  readonly files: Files;
  readonly workspace: string;
  readonly loopId: string;
  readonly log: Log;
  readonly objective: string;
  readonly events: readonly BusEvent[];
  readonly activeHats: readonly HatConfig[];
  readonly scratchpad: ScratchpadConfig;
  readonly guidance: readonly string[];
  readonly projectSkills: readonly ProjectSkill[];
  /** The number of finished iterations. */
  readonly iteration: number;
}
