import * as z from 'zod';
import { REPORT_FORMAT_NAMES } from '../../domain/report/formats.js';
import { BACKEND_IDS, groupTitle, LANES, PRIMARY_BACKENDS } from '../../domain/vocabulary.js';
import { RENDERERS } from '../../harness/report-files.js';
import { renderFailurePage } from '../../report/markdown/tests.js';
import { selectScenarios } from '../../run/select/select.js';
import { ToolError } from '../errors.js';
import { readRun, readRunOf, runCatalogue } from '../harness-runs.js';
import { defineTool, pageShape, type Tool, takePage } from '../tool.js';

const backendInput = z.enum([...BACKEND_IDS, 'all']);
const selectionShape = {
  filter: z.string().optional().describe('Part of an id or tier, a glob, or a /regex/'),
  backend: backendInput.default('all'),
  lane: z.enum(LANES).default('sim').describe('sim and scripted are free; live costs money'),
};

export const harnessTools: readonly Tool[] = [
  defineTool({
    name: 'list_scenarios',
    description: 'Lists the scenarios that run_scenario can run.',
    input: z.object({ ...selectionShape, ...pageShape }),
    output: z.object({
      scenarios: z.array(
        z.object({
          scenario_id: z.string(),
          kind: z.string(),
          tier: z.string(),
          priority: z.string(),
          description: z.string(),
          backends: z.array(z.string()),
          lanes: z.array(z.string()),
          covers: z.array(z.string()),
        }),
      ),
      total: z.number(),
    }),
    run: ({ filter, backend, lane, ...page }, { options: { catalogue } }) => {
      const selected = selectScenarios(catalogue, {
        backends: readBackends(backend),
        lane,
        filters: filter === undefined ? [] : [filter],
      });
      const scenarios = [...new Set(selected.map(({ scenario }) => scenario))];
      const shown = takePage(scenarios, page).map((scenario) => ({
        ...scenario,
        scenario_id: scenario.id,
        tier: groupTitle(scenario),
        backends: [...scenario.backends],
        lanes: [...scenario.lanes],
        covers: [...scenario.covers],
      }));
      return { scenarios: shown, total: scenarios.length };
    },
  }),

  defineTool({
    name: 'run_scenario',
    description:
      'Runs one or more scenarios and writes the reports. Reports progress and can be canceled; the report then covers what ran.',
    input: z.object({
      scenario_id: z.string().min(1).describe('An exact id, or a filter as in list_scenarios'),
      backend: selectionShape.backend,
      lane: selectionShape.lane,
      timeout_seconds: z.number().positive().optional(),
      retries: z.number().int().nonnegative().max(10).default(0),
      limit: pageShape.limit.describe('How many results to return. Default: all. The report has all of them'),
      offset: pageShape.offset,
    }),
    output: z.object({
      run_id: z.string(),
      passed: z.boolean(),
      verdict: z.string(),
      interrupted: z.boolean(),
      duration_seconds: z.number(),
      results: z.array(
        z.object({
          scenario_id: z.string(),
          backend: z.string(),
          outcome: z.string(),
          duration_seconds: z.number(),
          skip_reason: z.string().nullable(),
          error: z.string().nullable(),
          failed_assertions: z.array(z.string()),
          known_issue_gone: z.boolean(),
        }),
      ),
      total_results: z.number(),
      report_paths: z.array(z.string()),
    }),
    run: async (input, harness, context) => {
      const { report, paths } = await runCatalogue(harness, context, {
        ...input,
        backends: readBackends(input.backend),
        named: input.backend === 'all' ? [] : [input.backend],
      });
      return {
        ...report,
        results: takePage(report.results, input).map((result) => ({
          ...result,
          failed_assertions: result.assertions.filter(({ passed }) => !passed).map(({ name }) => name),
        })),
        total_results: report.results.length,
        report_paths: [...paths],
      };
    },
  }),

  defineTool({
    name: 'get_report',
    description: 'Returns the report of a run, by default of the latest one.',
    input: z.object({
      run_id: z.string().optional().describe('The id of a run, or its beginning'),
      format: z.enum(REPORT_FORMAT_NAMES).default('markdown'),
      max_characters: z.number().int().positive().default(100_000),
    }),
    output: z.object({
      run_id: z.string(),
      passed: z.boolean(),
      verdict: z.string(),
      format: z.string(),
      content: z.string(),
      truncated: z.boolean(),
    }),
    run: async ({ run_id, format, max_characters }, harness) => {
      const report = await readRun(harness, run_id);
      const content = [...RENDERERS[format](report)].join('');
      const truncated = content.length > max_characters;
      return { ...report, format, content: content.slice(0, max_characters), truncated };
    },
  }),

  defineTool({
    name: 'get_failure',
    description:
      'Returns everything about one failure on one page: what broke, evidence, likely cause, and the command that repeats it.',
    input: z.object({
      scenario_id: z.string().min(1),
      backend: z.enum(BACKEND_IDS).optional(),
      run_id: z.string().optional().describe('Default: the latest run that contains this test'),
    }),
    output: z.object({
      run_id: z.string(),
      scenario_id: z.string(),
      backend: z.string(),
      outcome: z.string(),
      repeat_command: z.string(),
      artifacts: z.string().nullable(),
      page: z.string(),
    }),
    run: async ({ scenario_id, backend, run_id }, harness) => {
      const report =
        run_id === undefined
          ? await readRunOf(harness, { scenarioId: scenario_id, backend })
          : await readRun(harness, run_id);
      const broken = report.results.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
      const result = broken.find(
        (known) => known.scenario_id === scenario_id && (backend === undefined || known.backend === backend),
      );
      if (result === undefined) {
        const names = broken.map((known) => `${known.scenario_id} on ${known.backend}`);
        throw new ToolError(
          'ReportNotFoundError',
          `${scenario_id} did not fail${backend === undefined ? '' : ` on ${backend}`} in run ${report.run_id}.`,
          `Failures in this run: ${names.join(', ') || 'none'}.`,
        );
      }
      return { ...result, run_id: report.run_id, page: renderFailurePage(report, result) };
    },
  }),
];

function readBackends(backend: z.infer<typeof backendInput>) {
  return backend === 'all' ? PRIMARY_BACKENDS : [backend];
}
