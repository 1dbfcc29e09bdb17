import * as z from 'zod';
import { readWords } from '../../../domain/evidence/ralph-words.js';

/**
 * The events file has two kinds of rows: Ralph's own have iteration and hat; those of `ralph emit` have only topic, ts
 * and payload (null, a string, or any JSON after `--json`).
 */
export const rowSchema = z.preprocess(
  readWords,
  z.object({
    topic: z.string(),
    ts: z.string(),
    payload: z.unknown().optional(),
    iteration: z.number().optional(),
    hat: z.string().optional(),
  }),
);

/** What a row needs at least, for sentences. */
export const ROW_FIELDS = 'topic and ts';
