import * as z from 'zod';

/** The content of a message in both of OpenAI's APIs: a text, or a list of parts, of which only texts count. */
export const openAiContentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'),
  );
