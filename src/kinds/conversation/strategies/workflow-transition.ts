import {
  isReachable,
  leadsTo,
  settlesAs,
  type WorkflowDefinition,
} from '../../../domain/scenario/workflow.js';

export interface TransitionResult {
  readonly passed: boolean;
  readonly expected_transition: string;
  readonly actual_stage: string;
  /** Whether one command can take this step, also through a stage that settles by itself. */
  readonly valid: boolean;
  readonly details: string;
}

export interface TransitionOptions {
  /** Whether stages in between may be skipped. */
  readonly allowSkip?: boolean;
  /** The recorded previous stage. Without it, only the current stage is tested. */
  readonly previousStage?: string | null;
}

/** Tests whether a conversation went from one stage to another by a step that its workflow allows. */
export function assertWorkflowTransition(
  workflow: WorkflowDefinition,
  expected: { readonly from: string; readonly to: string },
  actual: string,
  { allowSkip = false, previousStage = null }: TransitionOptions = {},
): TransitionResult {
  const { from, to } = expected;
  const valid = leadsTo(workflow, from, to) || (allowSkip && isReachable(workflow, from, to));
  const arrived = same(actual, to);
  const cameFrom =
    previousStage === null ||
    same(previousStage, from) ||
    settlesAs(workflow, previousStage, to) ||
    allowSkip;
  return {
    passed: arrived && cameFrom && valid,
    expected_transition: `${from} -> ${to}`,
    actual_stage: actual,
    valid,
    details: describe({ arrived, cameFrom, valid, previousStage }, expected, actual),
  };
}

function describe(
  found: { arrived: boolean; cameFrom: boolean; valid: boolean; previousStage: string | null },
  { from, to }: { readonly from: string; readonly to: string },
  actual: string,
): string {
  if (!found.valid) return `the workflow does not allow ${from} -> ${to}`;
  if (!found.arrived) return `expected stage ${to}, found ${actual}`;
  if (!found.cameFrom) return `reached ${to} from ${found.previousStage}, expected from ${from}`;
  return `went from ${from} to ${to}`;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
