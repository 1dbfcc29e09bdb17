import * as z from 'zod';

/**
 * What a scripted agent says and does, as data that survives a trip to another process. Rules are tried in order,
 * the first that matches plays. Texts may use `{{1}}` for a capture, `{{upper 1}}`, `{{reverse 1}}` and `{{add 1 2}}`.
 */
const patternSchema = z.union([
  z.strictObject({ contains: z.string() }),
  z.strictObject({ regex: z.string(), flags: z.string().optional() }),
]);
export type Pattern = z.infer<typeof patternSchema>;

/** Conditions on the prompt as it really arrived. All that are given must hold. */
const conditionSchema = z.strictObject({
  hat: z.string().optional(),
  event: z.string().optional(),
  coordinating: z.boolean().optional(),
  objective: patternSchema.optional(),
  memories: patternSchema.optional(),
  prompt: z.array(patternSchema).optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), text: z.string() }),
  z.strictObject({ do: z.literal('write'), path: z.string(), text: z.string() }),
  z.strictObject({ do: z.literal('append'), path: z.string(), text: z.string() }),
  z.strictObject({ do: z.literal('note'), text: z.string() }),
  z.strictObject({ do: z.literal('run'), command: z.string() }),
  z.strictObject({
    do: z.literal('emit'),
    topic: z.string(),
    payload: z.string().optional(),
    by: z.enum(['command', 'tag']),
  }),
  z.strictObject({ do: z.literal('complete') }),
  z.strictObject({ do: z.literal('hang') }),
  /** The service behind the CLI refuses the credentials: said in the words and exit code of each real CLI. */
  z.strictObject({ do: z.literal('refuse-credentials') }),
]);
export type Step = z.infer<typeof stepSchema>;

const ruleSchema = z.strictObject({
  name: z.string(),
  when: conditionSchema,
  steps: z.array(stepSchema),
  maxMatches: z.number().int().positive().optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

export const agentScriptSchema = z.strictObject({ version: z.literal(1), rules: z.array(ruleSchema) });
export type AgentScript = z.infer<typeof agentScriptSchema>;

/** One call of a scripted agent, as the agent itself recorded it. */
export const invocationSchema = z.object({
  at: z.string(),
  backend: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  environmentNames: z.array(z.string()),
  promptSource: z.enum(['stdin', 'argument', 'file', 'none']),
  promptBytes: z.number(),
  rule: z.string().nullable(),
  outcome: z.enum(['played', 'no-match', 'not-a-prompt', 'refused', 'script-error']),
  detail: z.string().optional(),
});
export type Invocation = z.infer<typeof invocationSchema>;
