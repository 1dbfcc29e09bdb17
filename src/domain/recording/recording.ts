import * as z from 'zod';
import { drawnSchema, targetSchema } from '../attempt.js';
import { FORMATS } from '../common/formats.js';
import { laneSchema, testFields } from '../vocabulary.js';

const deedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('said'), text: z.string() }),
  z.object({
    kind: z.literal('used'),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
    result: z.string(),
    isError: z.boolean(),
  }),
]);
/** One thing that a recorded agent did: it said something, or it used a tool. */
export type Deed = z.infer<typeof deedSchema>;

const recordedCallSchema = z.object({
  iteration: z.number(),
  hat: z.string().nullable(),
  /** Exactly what Ralph sent. */
  prompt: z.string(),
  deeds: z.array(deedSchema),
});
export type RecordedCall = z.infer<typeof recordedCallSchema>;

const recordedFileSchema = z.object({
  /** Relative to the workspace. */
  path: z.string(),
  /** The iteration in which it was changed last; null if unknown. */
  iteration: z.number().nullable(),
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('gone') }),
    z.object({ kind: z.literal('unknown'), why: z.string() }),
  ]),
});
/** A file that the attempt changed, as it was at the end. */
export type RecordedFile = z.infer<typeof recordedFileSchema>;

/** Whether a path can be the folder of an attempt: absolute, normal, below another folder, and nothing that a shell reads. */
function isPlainFolder(path: string): boolean {
  const [first, ...parts] = path.split('/');
  const isNormal = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return first === '' && parts.length >= 2 && isNormal && !/[\0-\x1f\x7f"'`$\\*?[\]{}()<>|;&!~#]/.test(path);
}

export const recordingSchema = z.object({
  format: z.literal(FORMATS.recording.format),
  runId: z.string().regex(/^[\w.-]{1,100}$/),
  ...testFields,
  attempt: z.number(),
  at: z.string(),
  target: targetSchema,
  lane: laneSchema,
  drawn: drawnSchema,
  /** The hash of the scenario, if it has one. */
  scenarioHash: z.string().optional(),
  /** The folder in which the agent worked. A replay works in another one. */
  workspace: z.string().refine(isPlainFolder, 'expected the absolute path of a workspace'),
  calls: z.array(recordedCallSchema),
  files: z.array(recordedFileSchema),
  /** Why the attempt cannot be replayed, one sentence each. Empty if it can. */
  obstacles: z.array(z.string()),
});
/** What an agent was sent and did in one attempt, without credentials. */
export type AgentRecording = z.infer<typeof recordingSchema>;

/** The name of its file, in the folder of the attempt. */
export const RECORDING_FILE = 'recording.json';
