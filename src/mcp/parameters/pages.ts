import * as z from 'zod';

/** The parameters of every tool that returns a list which can grow. */
export const pageShape = {
  limit: z.number().int().positive().optional().describe('How many entries to return. Default: all'),
  offset: z.number().int().nonnegative().default(0).describe('How many entries to leave out first'),
};

export type Page = z.output<z.ZodObject<typeof pageShape>>;

/** Everything, for tools that return what they did as a whole. */
export const WHOLE: Page = { offset: 0 };

/** Takes one page of a list. Past the end, it is empty. */
export function takePage<Entry>(list: readonly Entry[], { limit, offset }: Page): Entry[] {
  return list.slice(offset, limit === undefined ? undefined : offset + limit);
}
