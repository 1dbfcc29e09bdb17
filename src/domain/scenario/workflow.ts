/**
 * The workflow of a plugin, as data: its stages, the command for each stage, the allowed steps, and the evidence that a
 * stage really took place.
 */
export interface WorkflowDefinition {
  /** The name of the workflow. */
  readonly name: string;
  /** The stage before the first turn. */
  readonly initial: string;
  /** The stages, by name. */
  readonly stages: Readonly<Record<string, StageDefinition>>;
}

/** One stage of a workflow. */
export interface StageDefinition {
  /** What happens in the stage. */
  readonly description: string;
  /** The command that asks for this stage, without its plugin. */
  readonly command?: string;
  /** The stages that may follow. */
  readonly next: readonly string[];
  /** The facts that make the stage count as observed. One of them is enough. */
  readonly evidence: readonly StageEvidence[];
  /** The stage that follows as soon as the evidence is seen (`committing` becomes `complete`). */
  readonly settles?: string;
  /** Whether a return to the stage counts iterations: `capturing`, then `capturing-iteration-2`. */
  readonly iterates?: boolean;
}

/** A fact about what a turn really did. */
export type StageEvidence =
  | { readonly kind: 'tool-class'; readonly class: string }
  | { readonly kind: 'tool-named'; readonly suffix: string }
  | { readonly kind: 'file-changed'; readonly glob: string }
  | { readonly kind: 'commit'; readonly touches?: string; readonly only?: boolean }
  | { readonly kind: 'command-ran'; readonly pattern: string; readonly fails?: boolean };

/** Returns the stages that may follow a stage. Names are compared without case. */
export function validTransitions(workflow: WorkflowDefinition, from: string): readonly string[] {
  return findStage(workflow, from)?.next ?? [];
}

/**
 * Whether one command can lead from one stage to another: by one step, or by a step to a stage that then settles
 * (`coding` to `complete`, with a commit).
 */
export function leadsTo(workflow: WorkflowDefinition, from: string, to: string): boolean {
  return validTransitions(workflow, from).some(
    (next) => plainStage(next) === plainStage(to) || settlesAs(workflow, next, to),
  );
}

/** Whether a stage becomes another one as soon as its evidence is seen. */
export function settlesAs(workflow: WorkflowDefinition, stage: string, to: string): boolean {
  return findStage(workflow, stage)?.settles?.toLowerCase() === to.toLowerCase();
}

/** Whether one stage can be reached from another, directly or through other stages. */
export function isReachable(workflow: WorkflowDefinition, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [plainStage(from)];
  for (let stage = open.pop(); stage !== undefined; stage = open.pop()) {
    if (seen.has(stage)) continue;
    seen.add(stage);
    const next = validTransitions(workflow, stage).map(plainStage);
    if (next.includes(plainStage(to))) return true;
    open.push(...next);
  }
  return false;
}

/** Returns the stage that a command asks for. Commands may name their plugin (`/agent-loop:plan`) or not (`/plan`). */
export function stageOfCommand(workflow: WorkflowDefinition, command: string): string | null {
  const bare = command.replace(/^\//, '').split(':').at(-1) ?? '';
  const found = Object.entries(workflow.stages).find(([, stage]) => stage.command === bare);
  return found?.[0] ?? null;
}

function findStage(workflow: WorkflowDefinition, name: string): StageDefinition | undefined {
  const wanted = plainStage(name);
  return Object.entries(workflow.stages).find(([stage]) => plainStage(stage) === wanted)?.[1];
}

/** The name of a stage without case and without its iteration: the allowed steps are the same in each. */
function plainStage(name: string): string {
  return name.toLowerCase().replace(/-iteration-\d+$/, '');
}
