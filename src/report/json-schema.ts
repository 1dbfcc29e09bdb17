import * as z from 'zod';
import { reportSchema } from '../domain/report/report.js';

/** Makes the JSON Schema of report.json from the report model. */
export function reportJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(reportSchema, {
    target: 'draft-2020-12',
    // A newer minor version can have fields that this schema does not know.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return {
    $schema,
    $id: 'ralph-e2e/report.schema.json',
    title: 'ralph-e2e report',
    description: 'The result of one run of ralph-e2e. Durations are in seconds.',
    ...schema,
  };
}
