import * as z from 'zod';
import type { Format } from './format-version.js';

/** Returns the fields of a format whose files have `schema_version`. */
export function schemaVersionFields<Major extends number>(format: Format<Major>) {
  return { schema_version: majorSchema(format), schema_minor: minorSchema };
}

/** Returns the fields of a format whose files have `version`. */
export function versionFields<Major extends number>(format: Format<Major>) {
  return { version: majorSchema(format), minor: minorSchema };
}

const minorSchema = z.int().nonnegative().optional();

function majorSchema<Major extends number>({ major }: Format<Major>) {
  return z.literal(major, {
    error: ({ input }) => `expected major version ${major}, found ${JSON.stringify(input) ?? 'nothing'}`,
  });
}
