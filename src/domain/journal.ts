import * as z from 'zod';
import { attemptFinishedSchema, plannedSchema, targetSchema } from './attempt.js';
import { FORMATS, requireReadable } from './common/formats.js';
import { KnownError } from './common/known-error.js';
import { createStringSharer } from './common/share-strings.js';
import { containmentSchema } from './evidence/containment.js';
import { logLineSchema } from './evidence/evidence.js';
import { isolationSchema } from './evidence/isolation.js';
import { readinessSchema } from './evidence/readiness.js';
import { budgetSchema, spendingSchema } from './money/spending.js';
import { repeatPlanSchema } from './options/repeat-plan.js';
import { proofSummarySchema } from './proof/summary.js';
import { originSchema } from './recording/origin.js';
import { analysisRecordSchema } from './report/analyst.js';
import { expectedTimeSchema, historyEntrySchema } from './report/history.js';
import { lastFailedSchema } from './report/last-failed.js';
import { armSchema } from './report/rates/baseline.js';
import { skipCauseSchema } from './report/skip-cause.js';
import { inputFileSchema, runCallSchema } from './run-call.js';
import { mergedShardSchema, shardSchema } from './shard.js';
import { backendIdSchema, laneSchema, testFields } from './vocabulary.js';

const environmentSchema = z.object({
  os: z.string(),
  node: z.string(),
  workspace: z.string(),
  /** The folder in which ralph-e2e was started. */
  startedIn: z.string(),
  /** Which credential variables are set, never their values. */
  credentialVariables: z.record(z.string(), z.boolean()),
  /** What a live run inherits from the user's own configuration. */
  inherited: z.array(z.string()),
  /** Missing if nobody chose one: then it is the host. */
  isolation: isolationSchema.optional(),
  /** What kept the processes of an attempt together. Missing in a sandbox. */
  containment: containmentSchema.optional(),
});
export type RunEnvironment = z.infer<typeof environmentSchema>;

const runStarted = z.object({
  type: z.literal('run-started'),
  format: z.literal(FORMATS.journal.format),
  at: z.string(),
  runId: z.string(),
  harnessVersion: z.string(),
  lane: laneSchema,
  target: targetSchema,
  backends: z.array(readinessSchema),
  /** The backends that the user named and that must be tested. Missing if the default ones were used. */
  named: z.array(backendIdSchema).optional(),
  environment: environmentSchema,
  /** Processes that an earlier, killed run had left running. */
  endedOrphans: z.array(z.string()),
  /** How ralph-e2e was called, so that commands in reports work when pasted. */
  program: z.array(z.string()),
  /** The arguments that select the same lane and target, for commands in reports. */
  repeatWith: z.array(z.string()),
  planned: z.array(plannedSchema),
  /** The seed that repeats a shuffled order. Missing if the run kept the order of the plan. */
  shuffleSeed: z.number().optional(),
  /** The runs from which `--last-failed` made the plan. */
  lastFailed: lastFailedSchema.optional(),
  /** What the run may and should cost, in the live lane. */
  budget: budgetSchema.optional(),
  /**
   * What the user chose, so that the run can be resumed. Missing if a program started it with scenarios of its own.
   */
  call: runCallSchema.optional(),
  /** The files that the call names. */
  files: z.array(inputFileSchema).optional(),
  /** The run that this one plays or judges again. Missing if it is a run of its own. */
  origin: originSchema.optional(),
  /** The readiness of backends that take part besides those under test. */
  companions: z.array(readinessSchema),
  /** How often each test is repeated. Missing without `--repeat`. */
  repeat: repeatPlanSchema.optional(),
  /** The part that this run is, with `--shard`. */
  shard: shardSchema.optional(),
  /** The shards that `merge-reports` made this run from. */
  merged: z.array(mergedShardSchema).optional(),
});

/** A run that was interrupted or killed goes on. What it had not finished starts again. */
const runResumed = z.object({
  type: z.literal('run-resumed'),
  at: z.string(),
  /** How long the run had been active before, in seconds. */
  activeSeconds: z.number(),
  /** How many tests keep the result that they had. */
  takenOver: z.number(),
  /** How many tests are still due. */
  left: z.number(),
  /** Processes that the killed run had left running. */
  endedOrphans: z.array(z.string()),
});

/** What an earlier `prove` showed about the checks of this catalog. */
const proofKnown = z.object({
  type: z.literal('proof-known'),
  at: z.string(),
  proof: proofSummarySchema,
});

/** Facts from earlier runs. They are in the journal so that reports need nothing else. */
const historyKnown = z.object({
  type: z.literal('history-known'),
  at: z.string(),
  /** The runs in the same lane on the same kind of target, oldest first. */
  runs: z.array(historyEntrySchema),
  /** The latest of them with the same tests as this run. */
  previous: z.string().optional(),
  expected: z.array(expectedTimeSchema),
  /** One sentence for each kind of file that another version of ralph-e2e wrote and that was not read. */
  unread: z.array(z.string()).optional(),
});

const scenarioSkipped = z.object({
  type: z.literal('scenario-skipped'),
  at: z.string(),
  ...testFields,
  reason: z.string(),
  cause: skipCauseSchema,
});

const attemptStarted = z.object({
  type: z.literal('attempt-started'),
  at: z.string(),
  ...testFields,
  attempt: z.number(),
  /** The number of the repeat in a run with `--repeat`. */
  repeat: z.number().optional(),
});

/** Ralph starts to analyze the run. */
const analysisStarted = z.object({
  type: z.literal('analysis-started'),
  at: z.string(),
  backend: backendIdSchema,
  by: z.enum(['model', 'script']),
  timeoutSeconds: z.number(),
});

/** The analysis of the run by Ralph itself, as the analyst. */
const analysisFinished = analysisRecordSchema.extend({
  type: z.literal('analysis-finished'),
  at: z.string(),
});

/** One failed test of a cause ran again, with Ralph's debug log. It does not count for the verdict. */
const causeExamined = z.object({
  type: z.literal('cause-examined'),
  at: z.string(),
  ...testFields,
  /** Whether it failed again. */
  recurred: z.boolean(),
  log: z.array(logLineSchema),
  /** The folder with the output. */
  artifacts: z.string(),
});

/** A conversation ran once more without its plugins, with `--without-plugin`. It does not count for the verdict. */
const baselineFinished = armSchema.extend({
  type: z.literal('baseline-finished'),
  at: z.string(),
  ...testFields,
  spending: spendingSchema.optional(),
});

const runFinished = z.object({
  type: z.literal('run-finished'),
  at: z.string(),
  interrupted: z.boolean(),
  /** Includes the parts before the run was resumed, but not the time between them. */
  durationSeconds: z.number(),
  /** The workspaces in the folder at the end, by name. Missing in a merged run. */
  workspaces: z.object({ own: z.array(z.string()), earlier: z.array(z.string()) }).optional(),
});

/** Recorded if the journal file, or something else that the verdict rests on, was changed by somebody else. */
const journalChanged = z.object({
  type: z.literal('journal-changed'),
  at: z.string(),
  /** What was changed. Missing: the journal, during the run. The records are then those that the run wrote. */
  what: z.enum(['target', 'earlier-runs', 'journal-later', 'journal-unwritten']).optional(),
  /** What was found, such as `its content was changed`. */
  found: z.string(),
});

/** The append-only record of a run, one JSON object per line. Every report is a pure function of it. */
export const journalEventSchema = z.discriminatedUnion('type', [
  runStarted,
  runResumed,
  proofKnown,
  historyKnown,
  scenarioSkipped,
  attemptStarted,
  attemptFinishedSchema,
  analysisStarted,
  analysisFinished,
  causeExamined,
  baselineFinished,
  runFinished,
  journalChanged,
]);
export type JournalEvent = z.infer<typeof journalEventSchema>;

type RecordOf = { readonly [Type in JournalEvent['type']]: Extract<JournalEvent, { type: Type }> };

/** What to do with each type of record. */
export type RecordHandlers<Result> = {
  readonly [Type in JournalEvent['type']]: (event: RecordOf[Type]) => Result;
};

/** Gives a record to the handler of its type. Returns what that returns, or undefined if there is none. */
export function handleRecord<Result>(
  event: JournalEvent,
  handlers: Partial<RecordHandlers<Result>>,
): Result | undefined {
  return call(event.type, event, handlers);
}

function call<Type extends JournalEvent['type'], Result>(
  type: Type,
  event: RecordOf[Type],
  handlers: { readonly [Key in JournalEvent['type']]?: (event: RecordOf[Key]) => Result },
): Result | undefined {
  return handlers[type]?.(event);
}

/** The records of a journal. `torn` is true if a crash cut its last line short. */
export interface ParsedJournal {
  readonly events: JournalEvent[];
  readonly torn: boolean;
}

/**
 * Reads a journal line by line. Leaves out a last line that a crash tore; any other bad line is an error. `keep` reduces each
 * record.
 */
export function createJournalReader(keep: (event: JournalEvent) => JournalEvent) {
  const events: JournalEvent[] = [];
  let count = 0;
  let bad: KnownError | null = null;
  const share = createStringSharer();
  return {
    add(line: string): void {
      count += 1;
      if (line.trim() === '') return;
      if (bad !== null) throw bad;
      const parsed = parseRecord(line);
      if (parsed.ok) {
        const event = keep(parsed.event);
        share(event);
        events.push(event);
        return;
      }
      requireReadable(parsed.json, FORMATS.journal, 'The journal');
      bad = new KnownError(
        `Line ${count} of the journal: expected a record of format ${FORMATS.journal.format}, found: ${parsed.why}`,
        { hint: 'The file was changed after the run, or another version of ralph-e2e wrote it.' },
      );
    },
    /** `complete` means that the last line ended with a line feed. */
    end({ complete }: { readonly complete: boolean }): ParsedJournal {
      if (bad !== null && complete) throw bad;
      return { events, torn: bad !== null };
    },
  };
}

/** Reads one line of a journal. */
export function parseRecord(
  line: string,
): { ok: true; event: JournalEvent } | { ok: false; why: string; json: unknown } {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return { ok: false, why: String(error), json: null };
  }
  const result = journalEventSchema.safeParse(json);
  return result.success
    ? { ok: true, event: result.data }
    : { ok: false, why: z.prettifyError(result.error), json };
}
