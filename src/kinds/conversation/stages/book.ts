import type { StageChange, Turn } from '../../../domain/evidence/conversation.js';
import type { WorkflowDefinition } from '../../../domain/scenario/workflow.js';
import { StageTracker } from './tracker.js';
import { listVisits, type StageVisit } from './visits.js';
import type { World } from './world.js';

/** Tracks the stages of all workflows of one conversation. Each plugin may have its own workflow. */
export class StageBook {
  readonly #trackers: readonly StageTracker[];
  readonly #world: World;
  readonly #openedAt = new Date().toISOString();
  #active: StageTracker | null;

  constructor(workflows: readonly WorkflowDefinition[], world: World) {
    this.#trackers = workflows.map((workflow) => new StageTracker(workflow));
    this.#active = this.#trackers[0] ?? null;
    this.#world = world;
  }

  /** The active workflow: the one that moved last, or else the first. */
  get active(): StageTracker | null {
    return this.#active;
  }

  /** When the active workflow entered its stage. */
  get since(): string | null {
    return this.visits.at(-1)?.enteredAt ?? null;
  }

  /** The stays in the stages of the active workflow, with their times. */
  get visits(): readonly StageVisit[] {
    if (this.#active === null) return [];
    const { workflow, changes } = this.#active;
    return listVisits({ stage: workflow.initial, at: this.#openedAt }, changes);
  }

  /** Updates the stages after a finished turn. */
  async review(turn: Turn): Promise<readonly StageChange[]> {
    const world = await this.#world.look(turn.number);
    const made: StageChange[] = [];
    const space = turn.command?.name.includes(':') ? turn.command.name.split(':')[0] : undefined;
    for (const tracker of this.#trackers) {
      // A command belongs to one plugin. A prompt without a command belongs to the active workflow.
      const concerned = space === undefined ? tracker === this.#active : tracker.workflow.name === space;
      const changes = concerned ? tracker.take(turn, world) : [];
      if (changes.length === 0) continue;
      made.push(...changes);
      this.#active = tracker;
    }
    return made;
  }
}
