import * as z from 'zod';
import { nativeSchema } from './native/schema.js';
import { failureFormSchema, stepSchema, textSchema } from './native/steps.js';
import { onSchema, patternFormSchema } from './native/when.js';

/** The text of docs/agent-script.schema.json: the JSON Schema of script files, for editors. */
export function renderScriptSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(nativeSchema, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: NAMES,
  });
  const described = {
    $schema,
    $id: 'ralph-e2e/agent-script.schema.json',
    title: 'ralph-e2e agent script',
    description: 'What a scripted agent says and does. Described in docs/agent-script.md.',
    ...schema,
  };
  return `${JSON.stringify(described, null, 2)}\n`;
}

/** What is defined once and referred to. */
const NAMES = z
  .registry<{ id: string; description: string }>()
  .add(onSchema, { id: 'on', description: 'A pattern for the prompt, or conditions that must all hold' })
  .add(patternFormSchema, {
    id: 'pattern',
    description: 'A text to be contained, /a regular expression/flags, any, or a mapping that names the kind',
  })
  .add(textSchema, { id: 'text', description: 'A text, or the text of a file beside the script' })
  .add(stepSchema, { id: 'step', description: 'One thing that the agent does in its loop' })
  .add(failureFormSchema, { id: 'failure', description: 'How the agent, its service or the wire fails' });
