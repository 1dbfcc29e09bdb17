/**
 * A workflow of a plugin as data: its stages, which command commands which stage, where one may go from another, and
 * what in the world shows that a stage really took place.
 */
export interface WorkflowDefinition {
  readonly name: string;
  /** The first stage before anything happened. */
  readonly initial: string;
  readonly stages: Readonly<Record<string, StageDefinition>>;
}

export interface StageDefinition {
  readonly description: string;
  /** The command that asks for this stage, by its bare name. */
  readonly command?: string;
  /** Stages that may follow. */
  readonly next: readonly string[];
  /** What must be seen in the world before the stage counts as observed; any of them is enough. */
  readonly evidence: readonly StageEvidence[];
  /** The stage that it settles into when its evidence is seen (`committing` becomes `complete`). */
  readonly settles?: string;
  /** Coming back to it counts iterations: `capturing`, then `capturing-iteration-2`. */
  readonly iterates?: boolean;
}

/** A fact that a tracker can look up in what a turn really did. */
export type StageEvidence =
  | { readonly kind: 'tool-class'; readonly class: string }
  | { readonly kind: 'tool-named'; readonly suffix: string }
  | { readonly kind: 'file-changed'; readonly glob: string }
  | { readonly kind: 'commit'; readonly touches?: string; readonly only?: boolean }
  | { readonly kind: 'command-ran'; readonly pattern: string; readonly fails?: boolean };

/** The stages that may follow a stage, names compared without case. */
export function validTransitions(workflow: WorkflowDefinition, from: string): readonly string[] {
  return findStage(workflow, from)?.next ?? [];
}

/** Whether one stage can be reached from another over stages in between. */
export function isReachable(workflow: WorkflowDefinition, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from.toLowerCase()];
  for (let stage = open.pop(); stage !== undefined; stage = open.pop()) {
    if (seen.has(stage)) continue;
    seen.add(stage);
    const next = validTransitions(workflow, stage).map((name) => name.toLowerCase());
    if (next.includes(to.toLowerCase())) return true;
    open.push(...next);
  }
  return false;
}

/** The stage that a command asks for. Commands may be namespaced (`/agent-loop:plan`) or bare (`/plan`). */
export function stageOfCommand(workflow: WorkflowDefinition, command: string): string | null {
  const bare = command.replace(/^\//, '').split(':').at(-1) ?? '';
  const found = Object.entries(workflow.stages).find(([, stage]) => stage.command === bare);
  return found?.[0] ?? null;
}

function findStage(workflow: WorkflowDefinition, name: string): StageDefinition | undefined {
  const wanted = name.toLowerCase().replace(/-iteration-\d+$/, '');
  return Object.entries(workflow.stages).find(([stage]) => stage.toLowerCase() === wanted)?.[1];
}
