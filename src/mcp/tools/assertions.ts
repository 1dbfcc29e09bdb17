import * as z from 'zod';
import type { WorkflowDefinition } from '../../domain/scenario/workflow.js';
import {
  assertErrorHandledGracefully,
  errorHandlingResultSchema,
} from '../../kinds/conversation/strategies/error-handling.js';
import {
  assertCommandSuggested,
  assertContainsKeywords,
  keywordResultSchema,
  suggestionResultSchema,
} from '../../kinds/conversation/strategies/texts.js';
import {
  assertWorkflowTransition,
  transitionResultSchema,
} from '../../kinds/conversation/strategies/workflow-transition.js';
import { ToolError } from '../errors.js';
import { WORKFLOWS } from '../start-conversation.js';
import { defineTool, type Tool } from '../tool.js';

export const assertionTools: readonly Tool[] = [
  defineTool({
    name: 'assert_contains_keywords',
    description:
      'Checks that a text contains keywords as whole words: "test" matches "tests", but not "latest".',
    input: z.object({
      text: z.string().optional(),
      response: z.string().optional().describe('Another name for text'),
      keywords: z.array(z.string()).min(1),
      require_all: z.boolean().default(false),
      case_sensitive: z.boolean().default(false),
    }),
    output: keywordResultSchema,
    run: ({ text, response, keywords, require_all, case_sensitive }) => {
      const words = text ?? response;
      if (words === undefined)
        throw new ToolError('InvalidInputError', 'Expected `text` or `response`, found neither.');
      return assertContainsKeywords(words, keywords, {
        requireAll: require_all,
        caseSensitive: case_sensitive,
      });
    },
  }),

  defineTool({
    name: 'assert_workflow_transition',
    description:
      'Checks that a workflow allows a transition between two stages, and that actual_stage is its target. `valid` says whether it allows the step to actual_stage.',
    input: z.object({
      from_stage: z.string().min(1),
      to_stage: z.string().min(1),
      actual_stage: z.string(),
      allow_skip: z.boolean().default(false),
      workflow: z
        .string()
        .optional()
        .describe('The name of the workflow. Default: one that has these stages'),
    }),
    output: transitionResultSchema.extend({ workflow: z.string() }),
    run: ({ from_stage, to_stage, actual_stage, allow_skip, workflow }) => {
      const known = findWorkflow(workflow, [from_stage, to_stage], actual_stage);
      const expected = { from: from_stage, to: to_stage };
      const result = assertWorkflowTransition(known, expected, actual_stage, { allowSkip: allow_skip });
      return { ...result, workflow: known.name };
    },
  }),

  defineTool({
    name: 'assert_command_suggested',
    description: 'Checks that an answer suggests a command: /plan, /agent-loop:plan, "run the plan command".',
    input: z.object({
      response: z.string(),
      command_name: z.string().min(1),
      allow_variations: z.boolean().default(true),
    }),
    output: suggestionResultSchema,
    run: ({ response, command_name, allow_variations }) =>
      assertCommandSuggested(response, command_name, { allowVariations: allow_variations }),
  }),

  defineTool({
    name: 'assert_error_handled_gracefully',
    description:
      'Checks that an answer handles an error well: it shows no raw crash, names the error and says what to do next.',
    input: z.object({
      response: z.string(),
      error_type: z.string().min(1).describe('For example file_not_found, syntax_error or test_failure'),
      should_recover: z.boolean().default(true),
    }),
    output: errorHandlingResultSchema,
    run: ({ response, error_type, should_recover }) =>
      assertErrorHandledGracefully(response, error_type, { shouldRecover: should_recover }),
  }),
];

/** Finds a workflow by its name or its stages. Of several that have them, the one that also has the stage found. */
function findWorkflow(
  name: string | undefined,
  stages: readonly string[],
  actual: string,
): WorkflowDefinition {
  const has = (workflow: WorkflowDefinition, stage: string) => {
    const wanted = stage.toLowerCase().replace(/-iteration-\d+$/, '');
    return Object.keys(workflow.stages).some((known) => known.toLowerCase() === wanted);
  };
  const fitting = WORKFLOWS.filter((workflow) =>
    name === undefined ? stages.every((stage) => has(workflow, stage)) : workflow.name === name,
  );
  const found = fitting.find((workflow) => has(workflow, actual)) ?? fitting[0];
  if (found !== undefined) return found;
  const known = WORKFLOWS.map((workflow) => `${workflow.name} (${Object.keys(workflow.stages).join(', ')})`);
  throw new ToolError(
    'NoWorkflowError',
    name === undefined
      ? `No known workflow has the stages ${stages.join(' and ')}.`
      : `Expected the name of a workflow, found ${JSON.stringify(name)}.`,
    `Known workflows: ${known.join('; ')}.`,
  );
}
