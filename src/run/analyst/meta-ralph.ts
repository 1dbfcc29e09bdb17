import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { onEvent } from '../../agent/builder.js';
import { readAnalystAnswer } from '../../analyze/analyst/answer.js';
import { buildAnalystPrompt } from '../../analyze/analyst/prompt.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Spending } from '../../domain/money/spending.js';
import type { AnalysisRecord } from '../../domain/report/analyst.js';
import type { Report } from '../../domain/report/report.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import { type RalphScenario, scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, LANE_TRAITS } from '../../domain/vocabulary.js';
import { describeUnreadable } from '../../exec/error-code.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import type { RalphConfig } from '../../kinds/ralph/config.js';
import { executeRalph } from '../../kinds/ralph/execute.js';
import { hats } from '../../kinds/ralph/hats.js';
import type { SuiteSettings } from '../../lane/settings.js';
import { removeWorkspace } from '../../workspace/create-workspace.js';
import { createReader } from '../../workspace/read-inside.js';
import { attemptDir } from '../../workspace/runs/runs.js';

export interface MetaRalphOptions {
  /** The backend that the analyst runs on. */
  readonly backend: BackendId;
  /** The analyzer's ralph.yml; null for the built-in one. */
  readonly config: RalphConfig | null;
  /** Prices what the analysis did; null in a lane that costs nothing. */
  readonly price: (evidence: Evidence) => Spending | null;
}

/** The time limit of the analysis in each lane. */
export const ANALYSIS_SECONDS = { live: 600, scripted: 120, sim: 60 } as const;
/** Ralph never accepts completion in the last allowed iteration. */
const LEAST_ITERATIONS = 3;

/** Asks Ralph itself to analyze a run. If something goes wrong, the record says so in a note. */
export async function analyseWithRalph(
  report: Report,
  { backend, config, price }: MetaRalphOptions,
  settings: SuiteSettings,
): Promise<AnalysisRecord> {
  const startedAt = performance.now();
  const by = LANE_TRAITS[settings.lane].hasScript ? 'script' : 'model';
  let spending: Spending | null = null;
  const record = (found: Pick<AnalysisRecord, 'outcome' | 'notes' | 'answer'>): AnalysisRecord => ({
    ...found,
    ...(spending === null ? {} : { spending }),
    by,
    backend,
    durationSeconds: (performance.now() - startedAt) / 1000,
  });
  try {
    const ran = await runAnalyst(analyst(report, config, settings), backend, settings);
    spending = price(ran.evidence);
    const { text, notes } = ran;
    if (ran.evidence.exit.kind === 'interrupted') return record(SKIPPED_BY_USER);
    if (text === null) return record({ outcome: 'failed', notes, answer: null });
    const read = readAnalystAnswer(text);
    return record({
      outcome: read.answer === null ? 'failed' : 'done',
      notes: [...notes, ...read.notes],
      answer: read.answer,
    });
  } catch (error) {
    if (settings.signal.aborted) return record(SKIPPED_BY_USER);
    const why = messageOf(error);
    return record({ outcome: 'failed', notes: [`the analysis failed: ${why}`], answer: null });
  }
}

const SKIPPED_BY_USER = { outcome: 'skipped' as const, notes: ['the user skipped it'], answer: null };

/** Reads and checks the user's analyzer config before anything runs. */
export async function readAnalyzerConfig(path: string): Promise<RalphConfig> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new KnownError(`--analyzer ${path}: expected a ralph.yml, found ${describeUnreadable(error)}.`);
  });
  const config = configSchema.safeParse(parse(text));
  if (config.success) return config.data;
  throw new KnownError(`--analyzer ${path}: ${z.prettifyError(config.error)}`, {
    hint: 'Add a hat with the trigger analyze.request that publishes analyze.complete.',
  });
}

const configSchema = z.looseObject({
  event_loop: z.looseObject({ max_iterations: z.number().optional() }).default({}),
  hats: z
    .record(z.string(), z.looseObject({ triggers: z.array(z.string()) }))
    .refine((all) => Object.values(all).some(({ triggers }) => triggers.includes('analyze.request')), {
      message: 'expected a hat with the trigger analyze.request',
    }),
});

/** The id under which the analysis keeps its output. */
export const ANALYSIS_ID = 'meta-analysis';

function analyst(report: Report, config: RalphConfig | null, { lane }: SuiteSettings): RalphScenario {
  return scenario({
    id: ANALYSIS_ID,
    tier: 1,
    priority: 'should',
    phase: 'green',
    description: 'Ralph analyzes the run',
    covers: [],
    timeoutSeconds: ANALYSIS_SECONDS[lane],
    arrange: () => ({
      config: config === null ? builtInConfig() : withRoom(config),
      prompt: buildAnalystPrompt(report, ANSWER_FILE),
      ...(LANE_TRAITS[lane].hasScript ? { files: { [ANALYST_PROGRAM]: ANALYST_SOURCE } } : {}),
    }),
    expect: () => [],
    agent: scriptedAnalyst,
  });
}

function builtInConfig(): RalphConfig {
  return hats(
    {
      analyzer: {
        name: 'E2E Analyzer',
        description: 'Analyzes the results of end-to-end tests',
        triggers: ['analyze.request'],
        publishes: ['analyze.complete'],
        instructions: [
          'You analyze the results of end-to-end tests. The objective contains the results and says what to do.',
          `Write your analysis as one JSON object into ${ANSWER_FILE}, then run: ralph emit analyze.complete ${ANSWER_FILE}`,
          'Do not change any other file, and do not run any other command that changes something.',
        ].join('\n'),
      },
    },
    { maxIterations: LEAST_ITERATIONS, promise: 'ANALYSIS_COMPLETE' },
  ).startingWith('analyze.request');
}

/** Adds what the analysis needs to the user's config: a starting event, and enough iterations to complete. */
function withRoom(config: RalphConfig): RalphConfig {
  const own = configSchema.parse(config).event_loop;
  return {
    ...config,
    event_loop: {
      starting_event: 'analyze.request',
      completion_promise: 'ANALYSIS_COMPLETE',
      ...own,
      max_iterations: Math.max(LEAST_ITERATIONS, own.max_iterations ?? 0),
    },
  };
}

async function runAnalyst(
  made: RalphScenario,
  backend: BackendId,
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; text: string | null; notes: string[] }> {
  const artifacts = await attemptDir(settings.run, made.id, backend, 1);
  const home = join(artifacts, 'home');
  await makeFolder(home);
  const job = { scenario: made, backend, attempt: 1 };
  const context = sampleContext(backend, settings.lane);
  try {
    const { evidence, workspace } = await executeRalph(
      { job, places: { artifacts, home }, settings: { ...settings, timeoutSeconds: null } },
      made.arrange(context),
    );
    const answer = await findAnswer(evidence, workspace.path);
    if (!settings.keepWorkspace) await removeWorkspace(settings.root, workspace.name);
    const ended = evidence.termination?.reason ?? `${evidence.exit.kind}, no termination record`;
    if (answer === null)
      return { evidence, text: null, notes: [`no answer: ralph ended with ${ended}, see ${artifacts}`] };
    const broken =
      evidence.termination?.reason === 'completed' ? [] : [`ralph ended the analysis with ${ended}`];
    return { evidence, text: answer, notes: broken };
  } finally {
    // The result does not depend on it.
    await removeTree(home).catch(() => {});
  }
}

/** Finds the answer: the event contains it (`ralph emit --json`) or names its file. Ralph cuts text tags at 500 characters. */
async function findAnswer(evidence: Evidence, workspace: string): Promise<string | null> {
  const event = evidence.events.findLast(
    ({ topic, source }) => topic === 'analyze.complete' && source === 'agent',
  );
  const payload = event?.payload?.trim() ?? '';
  if (payload.startsWith('{')) return payload;
  const reader = createReader(workspace, []);
  const named = /^[\w./-]+$/.test(payload) ? await reader.read(payload) : null;
  return named ?? (await reader.read(ANSWER_FILE));
}

/** The file that every analyst writes its answer to. */
const ANSWER_FILE = 'analysis.json';
const ANALYST_PROGRAM = 'analyst.cjs';

/**
 * The analyst of the offline lanes. It knows nothing: it copies its answer from the prompt that Ralph really passed on,
 * so that anything lost between the prompt and the answer shows.
 */
const scriptedAnalyst = [
  onEvent('analyze.complete').completes(),
  onEvent('analyze.request').runs(`node ${ANALYST_PROGRAM}`).emits('analyze.complete', ANSWER_FILE),
] as const;

/** Reads the tests from the prompt and repeats what it says about them. */
const ANALYST_SOURCE = `const { readFileSync, writeFileSync } = require('node:fs');
const prompt = readFileSync('prompt.md', 'utf8');
const sections = prompt.split(/^### /m).slice(1);
const failed_analyses = sections.flatMap((section) => {
  const [, id, backend] = /^(\\S+) on (\\S+) \\((?:failed|error)\\)/.exec(section) ?? [];
  const rule = /^- rule (\\S+) says (\\w+): (.*)$/m.exec(section);
  if (id === undefined) return [];
  return [{
    scenario_id: id,
    backend,
    failure_type: rule?.[2] ?? 'Unknown',
    root_cause_hypothesis: 'Scripted, no model was asked: ' + (rule?.[3] ?? 'no rule applied.'),
    evidence: [...section.matchAll(/^- broken: (.*)$/gm)].map((match) => match[1]),
    suggested_investigations: [],
    potential_fixes: [],
  }];
});
const passed_analyses = [...prompt.matchAll(/^- (\\S+) on \\S+: [\\d.]+ s, iterations (\\d+) \\(expected (\\d+|not said)\\)/gm)].map((match) => ({
  scenario_id: match[1],
  quality_score: match[3] === 'not said' || Number(match[2]) <= Number(match[3]) ? 'Good' : 'Acceptable',
  warnings: [],
  optimizations: [],
}));
writeFileSync('${ANSWER_FILE}', JSON.stringify({ failed_analyses, passed_analyses, patterns: [], recommendations: [] }, null, 1));
`;
