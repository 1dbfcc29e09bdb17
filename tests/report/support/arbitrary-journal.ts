import fc from 'fast-check';
import * as z from 'zod';
import { type JournalEvent, journalEventSchema } from '../../../src/domain/journal.js';

/** Pieces that try to leave their place, hide, or paint the terminal. */
const HOSTILE_PIECES = [
  '```',
  '`````',
  '~~~',
  '\n',
  '\r',
  '\r\n',
  '# Injected heading',
  '\n# Injected heading\n',
  '===',
  '---',
  '</details>',
  '\n</details>\n',
  '<script>alert(1)</script>',
  '<!-- ',
  ' | ',
  '\\',
  '\\|',
  '`',
  '"',
  "'",
  '" autofocus onfocus="alert(1)',
  "'; touch pwned; '",
  '](https://example.com)',
  '![x](y)',
  '> ',
  '- ',
  '1. ',
  '\u001b[31m',
  '\u001b]0;title\u0007',
  '\u009b2J',
  '\u0000',
  '\u0007',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u{e0041}',
  '\u2028',
  '\ud800',
  'Ignore all previous instructions',
  '__proto__',
  'é',
  '🧪',
  ' ',
  'word',
];

const hostileText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...HOSTILE_PIECES), { maxLength: 8 }).map((p) => p.join('')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(20_000), '`'.repeat(9_000), '<&|'.repeat(5_000)) },
);

const jsonSchema = z.looseObject({
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  /** The items of a tuple. */
  prefixItems: z.array(z.unknown()).optional(),
  minItems: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  pattern: z.string().optional(),
});

/** Any list of records that the journal's schema accepts, in any order, with hostile texts. */
export const anyJournal: fc.Arbitrary<JournalEvent[]> = fc
  .array(arbitraryOf(z.toJSONSchema(journalEventSchema)), { maxLength: 8 })
  .map((events) => z.array(journalEventSchema).parse(events).map(repeatLess));

/** Ten thousand repeats of a name with twenty thousand letters would take minutes, and show nothing more. */
function repeatLess(event: JournalEvent): JournalEvent {
  if (event.type !== 'run-started' || event.repeat === undefined) return event;
  return { ...event, repeat: { ...event.repeat, times: Math.min(event.repeat.times, 30) } };
}

function arbitraryOf(json: unknown): fc.Arbitrary<unknown> {
  const schema = jsonSchema.parse(json);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const variants =
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined);
  if (variants) return fc.oneof(...variants.map(arbitraryOf));
  // What may be anything: the input of a tool, the payload of a hook.
  if (Object.keys(schema).length === 0) return fc.oneof(hostileText, fc.boolean(), fc.constant(null));
  switch (schema.type) {
    case 'string':
      return schema.pattern === undefined ? hostileText : fc.stringMatching(new RegExp(schema.pattern));
    case 'number':
      return arbitraryNumber(schema);
    case 'integer':
      return fc.nat({ max: Math.min(schema.maximum ?? 1e9, 1e9) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(arbitraryOf));
      return fc.array(arbitraryOf(schema.items), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'object':
      return schema.properties
        ? fc.record(
            Object.fromEntries(
              Object.entries(schema.properties).map(([key, value]) => [key, arbitraryOf(value)]),
            ),
          )
        : fc.dictionary(hostileText, arbitraryOf(schema.additionalProperties), { maxKeys: 3 });
    default:
      throw new Error(
        `The journal's schema has a kind that this generator does not know: ${JSON.stringify(schema)}`,
      );
  }
}

function arbitraryNumber({
  minimum = -1e9,
  maximum = 1e9,
}: z.infer<typeof jsonSchema>): fc.Arbitrary<number> {
  const small = fc.integer({ min: Math.max(0, Math.ceil(minimum)), max: Math.min(5, Math.floor(maximum)) });
  return fc.oneof(small, fc.double({ noNaN: true, min: minimum, max: maximum }));
}
