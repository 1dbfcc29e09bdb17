import type { AttemptFinished, Planned } from '../../../src/domain/attempt.js';
import type { Check, CheckResult } from '../../../src/domain/check.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import type { Readiness } from '../../../src/domain/evidence/readiness.js';
import type { JournalEvent } from '../../../src/domain/journal.js';
import type { SkipCause } from '../../../src/domain/report/skip-cause.js';
import { makeEvidence } from '../../domain/support/evidence.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;
export type AttemptFields = Partial<Omit<AttemptFinished, 'type' | 'evidence' | 'checks'>> & {
  evidence?: Partial<Evidence> | null;
  checks?: Partial<CheckResult>[];
};

/** One planned test of a hand-made journal: what became of it, in as few words as a test needs. */
interface TestStory extends Partial<Planned> {
  attempts?: AttemptFields[];
  skipped?: string;
  /** What `skipped` says, as data. */
  cause?: SkipCause;
  /** The attempt began and the journal does not tell how it ended. */
  unfinished?: boolean;
}

export interface RunStory {
  run?: Partial<RunStarted>;
  tests: TestStory[];
  /** Null: the journal breaks off without its last record. */
  end?: { interrupted?: boolean; durationSeconds?: number } | null;
}

const AT = '2026-01-20T14:30:00.000Z';

/** A journal as a run would have written it. */
export function journal({ run, tests, end = {} }: RunStory): JournalEvent[] {
  const stories = tests.map((story) => ({ story, planned: planned(story) }));
  const started: RunStarted = {
    type: 'run-started',
    format: 2,
    at: AT,
    runId: 'run-1',
    harnessVersion: '0.1.0',
    lane: 'live',
    target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
    backends: [readiness()],
    environment: {
      os: 'linux 6.1 x64',
      node: 'v20.19.0',
      workspace: '/repo/.e2e-tests',
      startedIn: '',
      credentialVariables: { ANTHROPIC_API_KEY: true },
      inherited: [],
    },
    endedOrphans: [],
    program: ['ralph-e2e'],
    repeatWith: [],
    companions: [],
    planned: stories.map((entry) => entry.planned),
    ...run,
  };
  return [
    started,
    ...stories.flatMap(({ story, planned: { scenarioId, backend } }) => tell(story, { scenarioId, backend })),
    ...(end === null
      ? []
      : [
          {
            type: 'run-finished' as const,
            at: AT,
            interrupted: end.interrupted ?? false,
            durationSeconds: end.durationSeconds ?? 42,
          },
        ]),
  ];
}

function tell(story: TestStory, who: Pick<Planned, 'scenarioId' | 'backend'>): JournalEvent[] {
  return [
    ...(story.skipped === undefined
      ? []
      : [
          {
            type: 'scenario-skipped' as const,
            at: AT,
            ...who,
            reason: story.skipped,
            cause: story.cause ?? { kind: 'not-ready' },
          },
        ]),
    ...(story.attempts ?? []).flatMap((fields, index): JournalEvent[] => [
      { type: 'attempt-started', at: AT, ...who, attempt: index + 1, ...repeatOf(fields) },
      attempt({ ...who, attempt: index + 1, ...fields }),
    ]),
    ...(story.unfinished ? [{ type: 'attempt-started' as const, at: AT, ...who, attempt: 1 }] : []),
  ];
}

function repeatOf({ repeat }: AttemptFields): { repeat?: number } {
  return repeat === undefined ? {} : { repeat };
}

function planned(story: TestStory): Planned {
  const { attempts, skipped, cause, unfinished, ...fields } = story;
  return {
    scenarioId: 'hat-single',
    backend: 'claude',
    kind: 'ralph',
    areas: [],
    tier: 5,
    placed: true,
    priority: 'must',
    phase: 'green',
    description: 'Executes with a single custom hat',
    covers: ['FR15'],
    expectedIterations: null,
    knownIssue: null,
    pressure: [],
    timeoutSeconds: 300,
    ...fields,
  };
}

export function attempt(fields: AttemptFields = {}): AttemptFinished {
  const { evidence: evidenceFields = {}, ...rest } = fields;
  // No attempt passes without a check.
  const { checks = (fields.outcome ?? 'passed') === 'passed' ? [{ passed: true }] : [] } = fields;
  return {
    type: 'attempt-finished',
    at: AT,
    scenarioId: 'hat-single',
    backend: 'claude',
    attempt: 1,
    outcome: 'passed',
    durationSeconds: 1.5,
    error: null,
    interrupted: false,
    quality: [],
    artifacts: `/repo/.e2e-tests/runs/run-1/hat-single-claude/${fields.attempt ?? 1}`,
    workspace: null,
    ...rest,
    checks: checks.map(check),
    evidence: evidenceFields === null ? null : evidence(evidenceFields),
  };
}

/** One of our checks as an attempt records it when it does not hold; what it found is left to the test. */
export function broken({ kind, name, about, category, judges }: Check): Partial<CheckResult> {
  return {
    kind,
    name,
    ...(judges === undefined ? {} : { judges }),
    ...(about === undefined ? {} : { about }),
    category,
    passed: false,
  };
}

/** One of our checks as an attempt records it when it holds. */
export function held(check: Check): Partial<CheckResult> {
  return { ...broken(check), passed: true };
}

function check(fields: Partial<CheckResult> = {}): CheckResult {
  return {
    key: fields.kind ?? 'completed',
    kind: 'completed',
    name: 'the loop completes',
    category: 'TerminationReason',
    passed: true,
    expected: 'completed',
    actual: 'completed',
    diff: null,
    suggestion: null,
    ...fields,
  };
}

function evidence(fields: Partial<Evidence> = {}): Evidence {
  return makeEvidence({
    command: ['/opt/ralph', 'run', '-c', 'ralph.yml', '--no-tui', '-P', 'prompt.md'],
    cwd: '/repo/.e2e-tests/hat-single',
    configYaml: 'cli:\n  backend: claude\n',
    promptText: 'Create greeting.txt.',
    startedAt: AT,
    durationSeconds: 1.4,
    stdout: captured('all is well\n', 'stdout'),
    stderr: captured('', 'stderr'),
    termination: { reason: 'completed', status: 'ok', iterations: 1, exitCode: 0 },
    iterations: [iteration()],
    ...fields,
  });
}

export function iteration(
  fields: Partial<Evidence['iterations'][number]> = {},
): Evidence['iterations'][number] {
  return {
    number: 1,
    hat: null,
    prompt: '## OBJECTIVE\nCreate greeting.txt.\n',
    said: 'Done.\nLOOP_COMPLETE',
    toolCalls: [],
    durationSeconds: 0.7,
    ...fields,
  };
}

export function captured(text: string, name: 'stdout' | 'stderr'): Evidence['stdout'] {
  return {
    path: `/repo/.e2e-tests/runs/run-1/hat-single-claude/1/${name}.log`,
    bytes: Buffer.byteLength(text),
    text,
    truncated: false,
  };
}

export function readiness(fields: Partial<Readiness> = {}): Readiness {
  return {
    backend: 'claude',
    ready: true,
    available: true,
    path: '/usr/bin/claude',
    version: 'claude 2.1.0',
    authentication: { authenticated: true, source: 'CLI login', detail: 'logged in' },
    reason: null,
    fix: null,
    ...fields,
  };
}
