import * as z from 'zod';
import { checkResultSchema } from './check.js';
import { KnownError } from './common/known-error.js';
import { createStringSharer } from './common/share-strings.js';
import { evidenceSchema } from './evidence/evidence.js';
import { isolationSchema } from './evidence/isolation.js';
import { readinessSchema } from './evidence/readiness.js';
import { proofSummarySchema } from './proof/summary.js';
import { analysisRecordSchema } from './report/analyst.js';
import { expectedTimeSchema, historyEntrySchema } from './report/history.js';
import { lastFailedSchema } from './report/last-failed.js';
import { skipCauseSchema } from './report/skip-cause.js';
import { knownIssueSchema } from './scenario/known-issue.js';
import { gradedCriterionSchema, pressureFactorSchema } from './scenario/pressure.js';
import { backendIdSchema, laneSchema, phaseSchema, prioritySchema, tierSchema } from './vocabulary.js';

const JOURNAL_VERSION = 1;

/** What is under test. A stand-in is a test double: a report on it never claims to have validated Ralph. */
const targetSchema = z.object({
  kind: z.enum(['real', 'stand-in']),
  path: z.string(),
  version: z.string(),
  /** Why the stand-in took part: it was asked for, no ralph was found, or nothing was asked of ralph. */
  because: z.enum(['asked', 'none-found', 'not-needed']).optional(),
});
export type Target = z.infer<typeof targetSchema>;

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

/** One execution that the run intends: a scenario on a backend. */
const plannedSchema = z.object({
  scenarioId: z.string(),
  backend: backendIdSchema,
  kind: z.enum(['ralph', 'conversation']),
  tier: tierSchema,
  priority: prioritySchema,
  phase: phaseSchema,
  description: z.string(),
  covers: z.array(z.string()),
  expectedIterations: z.number().nullable(),
  /** Set when the target of this run is known to break what the scenario asserts. */
  knownIssue: knownIssueSchema.nullable().default(null),
  pressure: z.array(pressureFactorSchema).default([]),
  timeoutSeconds: z.number(),
});
export type Planned = z.infer<typeof plannedSchema>;

const runStarted = z.object({
  type: z.literal('run-started'),
  version: z.literal(JOURNAL_VERSION),
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

const attemptFinished = z.object({
  type: z.literal('attempt-finished'),
  at: z.string(),
  scenarioId: z.string(),
  backend: backendIdSchema,
  attempt: z.number(),
  outcome: z.enum(['passed', 'failed', 'error', 'known-issue']),
  /** True when every check passed although the target is known to break some of them. */
  knownIssueGone: z.boolean().optional(),
  durationSeconds: z.number(),
  checks: z.array(checkResultSchema),
  /** How well it passed, by the scenario's own criteria. */
  quality: z.array(gradedCriterionSchema).default([]),
  /** Missing when the harness failed before the target ran; `error` then says why. */
  evidence: evidenceSchema.nullable(),
  error: z.string().nullable(),
  /** The user ended the run while it was going on: it says nothing about the target, and nothing about the harness. */
  interrupted: z.boolean().default(false),
  /** Folder with the whole output and evidence; workspace is null once it is removed. */
  artifacts: z.string(),
  workspace: z.string().nullable(),
});
export type AttemptFinished = z.infer<typeof attemptFinished>;

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
  attemptFinished,
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
  const share = createStringSharer();
  return {
    add(line: string): void {
      count += 1;
      if (line.trim() === '') return;
      if (bad !== null) throw bad;
      const parsed = parseRecord(line, share);
      if (parsed.ok) events.push(keep(parsed.event));
      else
        bad = new KnownError(
          `Line ${count} of the journal: expected a record of version ${JOURNAL_VERSION}, found: ${parsed.why}`,
          { hint: 'The file was changed after the run, or another version of ralph-e2e wrote it.' },
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
): { ok: true; event: JournalEvent } | { ok: false; why: string } {
  let json: unknown;
  try {
    json = share(JSON.parse(line));
  } catch (error) {
    return { ok: false, why: String(error) };
  }
  const result = journalEventSchema.safeParse(json);
  return result.success
    ? { ok: true, event: result.data }
    : { ok: false, why: z.prettifyError(result.error) };
}
