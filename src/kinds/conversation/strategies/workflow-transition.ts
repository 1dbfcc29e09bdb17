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
  /** Whether one command can lead from `from` to the stage that was reached, even if another one was expected. */
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
  const isAllowed = (stage: string) =>
    leadsTo(workflow, from, stage) || (allowSkip && isReachable(workflow, from, stage));
  const valid = isAllowed(actual);
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
    details: describe({ arrived, cameFrom, valid, possible: isAllowed(to), previousStage }, expected, actual),
  };
}

interface Found {
  readonly arrived: boolean;
  readonly cameFrom: boolean;
  readonly valid: boolean;
  /** Whether the workflow allows the expected step at all. */
  readonly possible: boolean;
  readonly previousStage: string | null;
}

function describe(
  found: Found,
  { from, to }: { readonly from: string; readonly to: string },
  actual: string,
): string {
  if (!found.possible) return `the workflow does not allow ${from} -> ${to}`;
  if (!found.arrived) {
    const also = found.valid ? '' : `; the workflow does not allow ${from} -> ${actual}`;
    return `expected stage ${to}, found ${actual}${also}`;
  }
  if (!found.cameFrom) return `reached ${to} from ${found.previousStage}, expected from ${from}`;
  return `went from ${from} to ${to}`;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
