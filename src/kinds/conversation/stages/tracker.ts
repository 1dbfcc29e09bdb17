import picomatch from 'picomatch';
import type { CallRecord, StageChange, StageProof, Turn } from '../../../domain/evidence/conversation.js';
import {
  type StageEvidence,
  stageOfCommand,
  validTransitions,
  type WorkflowDefinition,
} from '../../../domain/scenario/workflow.js';
import { classesOf, isTool } from './tool-class.js';

/** What a turn changed in the workspace. */
export interface WorkspaceChange {
  /** The changed paths, relative to the project. */
  readonly filesChanged: readonly string[];
  /** The commits made in the turn, each with its message and paths. */
  readonly commits: readonly { readonly message: string; readonly paths: readonly string[] }[];
}

/** Tracks the stages of a workflow through a conversation, based on evidence. */
export class StageTracker {
  readonly workflow: WorkflowDefinition;
  readonly changes: StageChange[] = [];
  #stage: string;
  readonly #visits = new Map<string, number>();

  constructor(workflow: WorkflowDefinition) {
    this.workflow = workflow;
    this.#stage = workflow.initial;
  }

  get stage(): string {
    return this.#stage;
  }

  /** The stages that may follow the current one. */
  get allowed(): readonly string[] {
    return validTransitions(this.workflow, this.#stage);
  }

  /** Updates the stage after a finished turn. Only a completed turn counts: a blocked command reaches no stage. */
  take(turn: Turn, change: WorkspaceChange): readonly StageChange[] {
    if (turn.outcome.kind !== 'completed') return [];
    const before = this.changes.length;
    const commanded = turn.command === null ? null : stageOfCommand(this.workflow, turn.command.name);
    const declared = declaredStage(turn.text, this.workflow);
    const wanted = commanded ?? declared;
    if (wanted !== null && (wanted !== baseOf(this.#stage) || commanded !== null)) {
      this.#move(turn, change, wanted, {
        commanded: commanded !== null,
        declared: declared === wanted,
        trigger: turn.command === null ? 'the agent declared it' : `/${turn.command.name}`,
      });
    }
    this.#settle(turn, change);
    return this.changes.slice(before);
  }

  /** Moves on once the evidence is seen: `committing` becomes `complete` with its commit, in this turn or a later one. */
  #settle(turn: Turn, change: WorkspaceChange): void {
    const stage = this.workflow.stages[baseOf(this.#stage)];
    if (stage?.settles === undefined) return;
    const seen = observe(stage.evidence, turn, change);
    if (seen.length === 0) return;
    this.#record(turn, stage.settles, ['observed'], seen, 'the evidence was seen');
  }

  #move(
    turn: Turn,
    change: WorkspaceChange,
    to: string,
    how: { commanded: boolean; declared: boolean; trigger: string },
  ): void {
    const seen = observe(this.workflow.stages[to]?.evidence ?? [], turn, change);
    const proofs: StageProof[] = [
      ...(how.commanded ? (['commanded'] as const) : []),
      ...(how.declared ? (['declared'] as const) : []),
      ...(seen.length > 0 ? (['observed'] as const) : []),
    ];
    this.#record(turn, to, proofs, seen, how.trigger);
  }

  #record(
    turn: Turn,
    base: string,
    proofs: readonly StageProof[],
    observed: readonly string[],
    trigger: string,
  ): void {
    const from = this.#stage;
    const visits = (this.#visits.get(base) ?? 0) + 1;
    this.#visits.set(base, visits);
    const iterates = this.workflow.stages[base]?.iterates ?? false;
    const to = iterates && visits > 1 ? `${base}-iteration-${visits}` : base;
    const valid = validTransitions(this.workflow, from).some((next) => next === base);
    this.#stage = to;
    this.changes.push({ turn: turn.number, at: endOfTurn(turn), from, to, trigger, proofs, observed, valid });
  }
}

/** When a turn ended, as an ISO date. */
function endOfTurn({ startedAt, durationMs }: Turn): string {
  return new Date(Date.parse(startedAt) + durationMs).toISOString();
}

/** Describes the facts that the turn shows. */
function observe(
  evidence: readonly StageEvidence[],
  { calls }: Pick<Turn, 'calls'>,
  change: WorkspaceChange,
): string[] {
  return evidence.flatMap((fact) => describeFact(fact, calls, change) ?? []);
}

function describeFact(
  fact: StageEvidence,
  calls: readonly CallRecord[],
  change: WorkspaceChange,
): string | null {
  const done = calls.filter(({ isError }) => !isError);
  switch (fact.kind) {
    case 'tool-class': {
      const call = done.find((made) => classesOf(made).some((known) => known === fact.class));
      return call === undefined ? null : `${call.name} was used`;
    }
    case 'tool-named': {
      const call = done.find((made) => isTool(made, fact.suffix));
      return call === undefined ? null : `${call.name} was used`;
    }
    case 'file-changed': {
      const matches = picomatch(fact.glob, { dot: true });
      const path = change.filesChanged.find((changed) => matches(changed));
      return path === undefined ? null : `${path} was changed`;
    }
    case 'commit': {
      const commit = change.commits.find(({ paths }) => touches(paths, fact));
      return commit === undefined ? null : `committed "${commit.message}"`;
    }
    case 'command-ran': {
      const call = calls.find(
        (made) =>
          made.name === 'Bash' &&
          new RegExp(fact.pattern).test(String(made.input.command)) &&
          (fact.fails === undefined || fact.fails === made.isError),
      );
      return call === undefined ? null : `ran ${String(call.input.command).slice(0, 80)}`;
    }
    default:
      return fact satisfies never;
  }
}

function touches(
  paths: readonly string[],
  { touches: glob, only }: Extract<StageEvidence, { kind: 'commit' }>,
) {
  if (glob === undefined) return true;
  const matches = picomatch(glob, { dot: true });
  return only
    ? paths.length > 0 && paths.every((path) => matches(path))
    : paths.some((path) => matches(path));
}

/** Plugins may have the agent print `STAGE: planning`. */
function declaredStage(text: string, workflow: WorkflowDefinition): string | null {
  const name = [...text.matchAll(/^[ \t]*[*`]*STAGE:[*` \t]*([\w-]+)/gim)].at(-1)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  return Object.keys(workflow.stages).find((stage) => stage.toLowerCase() === name) ?? null;
}

function baseOf(stage: string): string {
  return stage.replace(/-iteration-\d+$/, '');
}

/** Tracks the stages of the workflows of one conversation. */
export class WorkflowStages {
  readonly #trackers: readonly StageTracker[];
  readonly #openedAt = new Date().toISOString();
  #active: StageTracker | null;

  constructor(workflows: readonly WorkflowDefinition[]) {
    this.#trackers = workflows.map((workflow) => new StageTracker(workflow));
    this.#active = this.#trackers[0] ?? null;
  }

  /** The active workflow: the one that moved last, or else the first. */
  get active(): StageTracker | null {
    return this.#active;
  }

  /** The stays in the stages of the active workflow, with their times. */
  get visits(): readonly StageVisit[] {
    if (this.#active === null) return [];
    const { workflow, changes } = this.#active;
    return listVisits({ stage: workflow.initial, at: this.#openedAt }, changes);
  }

  /** Updates the stages after a finished turn of a conversation that is about one workflow. */
  take(turn: Turn, change: WorkspaceChange): readonly StageChange[] {
    return this.#active?.take(turn, change) ?? [];
  }

  /** Updates the stages after a finished turn of a conversation in which each plugin may have its own workflow. */
  takeByPlugin(turn: Turn, change: WorkspaceChange): readonly StageChange[] {
    const made: StageChange[] = [];
    const plugin = turn.command?.name.includes(':') ? turn.command.name.split(':')[0] : undefined;
    for (const tracker of this.#trackers) {
      // A command belongs to one plugin. A prompt without a command belongs to the active workflow.
      const concerned = plugin === undefined ? tracker === this.#active : tracker.workflow.name === plugin;
      const changes = concerned ? tracker.take(turn, change) : [];
      if (changes.length === 0) continue;
      made.push(...changes);
      this.#active = tracker;
    }
    return made;
  }
}

/** One stay in a stage of a workflow. */
export interface StageVisit {
  readonly stage: string;
  /** Null if the evidence has no times. */
  readonly enteredAt: string | null;
  /** Null while the workflow is in the stage. */
  readonly leftAt: string | null;
  /** What led to it; null for the stage that the conversation starts in. */
  readonly trigger: string | null;
}

/** Lists the stays in stages, in order: each begins with the step that led to it and ends with the next one. */
export function listVisits(
  initial: { readonly stage: string; readonly at: string },
  changes: readonly StageChange[],
): StageVisit[] {
  const starts = [
    { stage: initial.stage, enteredAt: initial.at, trigger: null },
    ...changes.map(({ to, at = null, trigger }) => ({ stage: to, enteredAt: at, trigger })),
  ];
  return starts.map((start, index) => ({ ...start, leftAt: changes[index]?.at ?? null }));
}
