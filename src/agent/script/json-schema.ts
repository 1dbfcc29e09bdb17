import * as z from 'zod';
import { nativeSchema } from './native/schema.js';
import { failureFormSchema, stepSchema, textSchema } from './native/steps.js';
import { onSchema, patternFormSchema } from './native/when.js';

/** Makes the JSON Schema that editors use for script files. */
export function scriptJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(nativeSchema, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: NAMES,
  });
  return {
    $schema,
    $id: 'ralph-e2e/agent-script.schema.json',
    title: 'ralph-e2e agent script',
    description: 'What a scripted agent says and does. See docs/agent-script.md.',
    ...schema,
  };
}

/** Definitions that the schema refers to by name. */
const NAMES = z
  .registry<{ id: string; description: string }>()
  .add(onSchema, { id: 'on', description: 'A pattern for the prompt, or conditions that must all hold' })
  .add(patternFormSchema, {
    id: 'pattern',
    description: 'A string to contain, /a regular expression/flags, any, or a mapping that names the kind',
  })
  .add(textSchema, { id: 'text', description: 'A string, or a file next to the script' })
  .add(stepSchema, { id: 'step', description: 'One step of the agent' })
  .add(failureFormSchema, {
    id: 'failure',
    description: 'How the agent, its service or the connection fails',
  });
