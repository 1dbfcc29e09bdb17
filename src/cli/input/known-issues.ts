import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import { type CommonCheck, nameChecks } from '../../domain/check.js';
import { describePath, explainIssues } from '../../domain/common/issues.js';
import { KnownError } from '../../domain/common/known-error.js';
import { findNearest } from '../../domain/common/nearest.js';
import {
  type KnownIssueDefinition,
  knownIssueSchema,
  recordKnownIssue,
  shownTextSchema,
} from '../../domain/scenario/known-issue.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { describeUnreadable } from '../../exec/error-code.js';
import { tryScenario } from '../../run/attempt/scenario-code.js';
import { describeYamlError } from './config-file.js';

/** A file with known issues: the id of a scenario, and what an author would write as its `knownIssue`. */
const fileSchema = z.record(
  z.string(),
  z.strictObject({
    ...z.object(knownIssueSchema.shape).omit({ breaks: true, shows: true }).shape,
    breaks: z.record(z.string(), shownTextSchema),
  }),
);

/** Adds the known issues in a YAML or JSON file to the scenarios that it names. They replace those of the catalog. */
export async function addKnownIssues(
  catalogue: readonly Scenario[],
  file: string,
): Promise<readonly Scenario[]> {
  const name = `--known-issues ${file}`;
  const issues = await readIssues(file, name);
  for (const [id, issue] of Object.entries(issues)) requireTarget(catalogue, id, issue, name);
  return catalogue.map((scenario) => {
    const issue = Object.hasOwn(issues, scenario.id) ? issues[scenario.id] : undefined;
    if (issue === undefined) return scenario;
    return { ...scenario, knownIssue: recordKnownIssue(issue, `${name}: ${scenario.id}`) };
  });
}

async function readIssues(file: string, name: string): Promise<Record<string, KnownIssueDefinition>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new KnownError(`${name}: expected a file with known issues, found ${describeUnreadable(error)}.`, {
      hint: WHAT_TO_WRITE,
    });
  });
  const content = parseText(text, name);
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [problem] = explainIssues(parsed.error.issues, content);
  const where = problem === undefined || problem.path.length === 0 ? '' : `${describePath(problem.path)}: `;
  throw new KnownError(`${name}: ${where}${problem?.message ?? 'expected known issues by scenario'}.`, {
    hint: WHAT_TO_WRITE,
  });
}

function parseText(text: string, name: string): unknown {
  try {
    return parse(text) ?? {};
  } catch (error) {
    throw new KnownError(`${name}: expected YAML or JSON, found: ${describeYamlError(error)}`, {
      hint: WHAT_TO_WRITE,
    });
  }
}

const WHAT_TO_WRITE =
  'Write, for each scenario: <id>: { upTo: "2.11.0", reason: …, link: …, breaks: { <check>: "what it shows, or /a pattern/" } }';

const COMMON: Readonly<Record<CommonCheck, true>> = {
  endedByItself: true,
  nothingLeftBehind: true,
  recordsAgree: true,
  scriptAnswered: true,
  statesKept: true,
};

/** A misspelled id or check would excuse nothing, or make the test fail without a word about why. */
function requireTarget(
  catalogue: readonly Scenario[],
  id: string,
  { breaks }: KnownIssueDefinition,
  name: string,
): void {
  const scenario = catalogue.find((candidate) => candidate.id === id);
  if (scenario === undefined) {
    const ids = catalogue.map((candidate) => candidate.id);
    throw misspelled(`${name}: expected the id of a scenario, found "${id}"`, id, ids);
  }
  const checks = [...new Set([...listChecks(scenario), ...Object.keys(COMMON)])];
  for (const check of Object.keys(breaks)) {
    if (!checks.includes(check))
      throw misspelled(`${name}: ${id}: expected the name of a check, found "${check}"`, check, checks);
  }
}

function listChecks({ backends, lanes, expect }: Scenario): string[] {
  return backends.flatMap((backend) =>
    lanes.flatMap((lane) =>
      tryScenario(() => nameChecks(expect(sampleContext(backend, lane))).map(({ key }) => key), []),
    ),
  );
}

function misspelled(found: string, word: string, known: readonly string[]): KnownError {
  const meant = findNearest(word, known);
  return new KnownError(`${found}.`, {
    hint:
      meant !== undefined
        ? `Did you mean ${meant}?`
        : known.length > 20
          ? 'ralph-e2e --list shows the scenarios.'
          : `It has: ${known.join(', ')}.`,
  });
}
