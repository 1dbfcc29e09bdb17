import * as z from 'zod';
import { isReachable, leadsTo, type WorkflowDefinition } from '../../../domain/scenario/workflow.js';

export const transitionResultSchema = z.object({
  passed: z.boolean(),
  expected_transition: z.string(),
  actual_stage: z.string(),
  /** Whether one command can lead from `from` to the stage that was reached, even if another one was expected. */
  valid: z.boolean(),
  details: z.string(),
});
type TransitionResult = z.infer<typeof transitionResultSchema>;

interface TransitionOptions {
  /** Whether stages in between may be skipped. */
  readonly allowSkip?: boolean;
}

/** Tests whether a conversation went from one stage to another by a step that its workflow allows. */
export function assertWorkflowTransition(
  workflow: WorkflowDefinition,
  expected: { readonly from: string; readonly to: string },
  actual: string,
  { allowSkip = false }: TransitionOptions = {},
): TransitionResult {
  const { from, to } = expected;
  const isAllowed = (stage: string) =>
    leadsTo(workflow, from, stage) || (allowSkip && isReachable(workflow, from, stage));
  const valid = isAllowed(actual);
  const arrived = actual.toLowerCase() === to.toLowerCase();
  const explain = () => {
    if (!isAllowed(to)) return `the workflow does not allow ${from} -> ${to}`;
    if (arrived) return `went from ${from} to ${to}`;
    const also = valid ? '' : `; the workflow does not allow ${from} -> ${actual}`;
    return `expected stage ${to}, found ${actual}${also}`;
  };
  return {
    passed: arrived && valid,
    expected_transition: `${from} -> ${to}`,
    actual_stage: actual,
    valid,
    details: explain(),
  };
}
