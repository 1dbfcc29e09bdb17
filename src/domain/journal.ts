import * as z from 'zod';
import { attemptFinishedSchema, plannedSchema, targetSchema } from './attempt.js';
import { adviseUpdate, FORMATS, requireReadable } from './common/format-version.js';
import { KnownError } from './common/known-error.js';
import { createStringSharer } from './common/share-strings.js';
import { versionFields } from './common/version-fields.js';
import { isolationSchema } from './evidence/isolation.js';
import { readinessSchema } from './evidence/readiness.js';
import { proofSummarySchema } from './proof/summary.js';
import { analysisRecordSchema } from './report/analyst.js';
import { expectedTimeSchema, historyEntrySchema } from './report/history.js';
import { lastFailedSchema } from './report/last-failed.js';
import { skipCauseSchema } from './report/skip-cause.js';
import { backendIdSchema, laneSchema } from './vocabulary.js';

const environmentSchema = z.object({
  os: z.string(),
  node: z.string(),
  workspace: z.string(),
  /** Which credential variables are set. Never their values. */
  credentialVariables: z.record(z.string(), z.boolean()),
  /** What a live run takes over from the user's own configuration. */
  inherited: z.array(z.string()),
  /** Missing where nobody chose: the host. */
  isolation: isolationSchema.optional(),
});
export type RunEnvironment = z.infer<typeof environmentSchema>;

const runStarted = z.object({
  type: z.literal('run-started'),
  ...versionFields(FORMATS.journal),
  at: z.string(),
  runId: z.string(),
  harnessVersion: z.string(),
  lane: laneSchema,
  target: targetSchema,
  backends: z.array(readinessSchema),
  /** The backends that the user named, which must be tested; missing where the default ones were taken. */
  named: z.array(backendIdSchema).optional(),
  environment: environmentSchema,
  /** Processes that an earlier run, killed in the middle, had left running. */
  endedOrphans: z.array(z.string()),
  /** How ralph-e2e was called, so that commands in reports work when they are pasted. */
  program: z.array(z.string()),
  /** The arguments that repeat this run's choice of lane and target, for commands that reports print. */
  repeatWith: z.array(z.string()),
  planned: z.array(plannedSchema),
  /** What repeats the order of a shuffled run; a run in the order of the plan has none. */
  shuffleSeed: z.number().optional(),
  /** What `--last-failed` chose the plan from. */
  lastFailed: lastFailedSchema.optional(),
});

/** What an earlier `prove` showed about the checks of this catalogue. */
const proofKnown = z.object({
  type: z.literal('proof-known'),
  at: z.string(),
  proof: proofSummarySchema,
});

/** What earlier runs tell about this one. It stands in the journal so that reports need nothing else. */
const historyKnown = z.object({
  type: z.literal('history-known'),
  at: z.string(),
  /** The runs in the same lane on the same kind of target, oldest first. */
  runs: z.array(historyEntrySchema),
  expected: z.array(expectedTimeSchema),
  /** Files that would tell more, and that another version of ralph-e2e wrote: a sentence for each. */
  unread: z.array(z.string()).optional(),
});

const scenarioSkipped = z.object({
  type: z.literal('scenario-skipped'),
  at: z.string(),
  scenarioId: z.string(),
  backend: backendIdSchema,
  reason: z.string(),
  /** Journals before format 1.1 have none. */
  cause: skipCauseSchema.optional(),
});

const attemptStarted = z.object({
  type: z.literal('attempt-started'),
  at: z.string(),
  scenarioId: z.string(),
  backend: backendIdSchema,
  attempt: z.number(),
});

/** What ralph itself, as the analyst, made of the run. */
const analysisFinished = analysisRecordSchema.extend({
  type: z.literal('analysis-finished'),
  at: z.string(),
});

const runFinished = z.object({
  type: z.literal('run-finished'),
  at: z.string(),
  interrupted: z.boolean(),
  durationSeconds: z.number(),
});

/** At the end the file of the journal was not what the run had written. The records are those that it had written. */
const journalChanged = z.object({
  type: z.literal('journal-changed'),
  at: z.string(),
  /** What was found, such as `its content was changed`. */
  found: z.string(),
});

/** The append-only record of a run: one JSON object a line. Every report is a pure function of it. */
export const journalEventSchema = z.discriminatedUnion('type', [
  runStarted,
  proofKnown,
  historyKnown,
  scenarioSkipped,
  attemptStarted,
  attemptFinishedSchema,
  analysisFinished,
  runFinished,
  journalChanged,
]);
export type JournalEvent = z.infer<typeof journalEventSchema>;

/** The records of a journal; `torn` when a crash cut its last line short. */
export interface ParsedJournal {
  readonly events: JournalEvent[];
  readonly torn: boolean;
}

/** Reads a journal. The last line may be torn by a crash: it is left out and said so; any other bad line is an error. */
export function parseJournal(text: string): ParsedJournal {
  const reader = createJournalReader();
  for (const line of text.split('\n')) reader.add(line);
  return reader.end({ complete: text.endsWith('\n') });
}

/** Reads a journal line by line, for those that are too long to be held as one text. `keep` says what of a record is kept. */
export function createJournalReader(keep: (event: JournalEvent) => JournalEvent = (event) => event) {
  const events: JournalEvent[] = [];
  let count = 0;
  let bad: KnownError | null = null;
  let update: string | null = null;
  const share = createStringSharer();
  return {
    add(line: string): void {
      count += 1;
      if (line.trim() === '') return;
      if (bad !== null) throw bad;
      const parsed = parseRecord(line, share);
      if (parsed.ok) {
        if (parsed.event.type === 'run-started') update = adviseUpdate(parsed.event, FORMATS.journal);
        events.push(keep(parsed.event));
        return;
      }
      requireReadable(parsed.json, FORMATS.journal, 'The journal');
      // A newer minor version may have records that this one does not know.
      if (update !== null && hasOtherType(parsed.json)) return;
      bad = new KnownError(
        `Line ${count} of the journal: expected a record of version ${FORMATS.journal.major}, found: ${parsed.why}`,
        { hint: update ?? 'The file was changed after the run, or another version of ralph-e2e wrote it.' },
      );
    },
    /** `complete`: the last line had its line feed. */
    end({ complete }: { readonly complete: boolean }): ParsedJournal {
      if (bad !== null && complete) throw bad;
      return { events, torn: bad !== null };
    },
  };
}

/** Reads one line of a journal. */
export function parseRecord(
  line: string,
  share: (json: unknown) => unknown,
): { ok: true; event: JournalEvent } | { ok: false; why: string; json: unknown } {
  let json: unknown;
  try {
    json = share(JSON.parse(line));
  } catch (error) {
    return { ok: false, why: String(error), json: null };
  }
  const result = journalEventSchema.safeParse(json);
  return result.success
    ? { ok: true, event: result.data }
    : { ok: false, why: z.prettifyError(result.error), json };
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  journalEventSchema.options.map(({ shape }) => shape.type.value),
);

function hasOtherType(json: unknown): boolean {
  const record = z.object({ type: z.string() }).safeParse(json);
  return record.success && !KNOWN_TYPES.has(record.data.type);
}
