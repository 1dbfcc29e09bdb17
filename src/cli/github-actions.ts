import { appendFile } from 'node:fs/promises';
import { messageOf } from '../domain/common/message-of.js';
import type { Report } from '../domain/report/report.js';
import { renderGithubAnnotations } from '../report/github.js';
import { renderJobSummary } from '../report/markdown/markdown.js';

/**
 * Publishes the report in a GitHub workflow: prints annotations as workflow commands and appends the summary to the
 * step's summary file. Does nothing outside of a workflow. If the summary cannot be written, it says so and goes on.
 */
export async function publishToGithub(
  report: Report,
  { env, print }: { readonly env: NodeJS.ProcessEnv; readonly print: (line: string) => void },
): Promise<void> {
  const { GITHUB_ACTIONS = '', GITHUB_STEP_SUMMARY = '' } = env;
  if (GITHUB_ACTIONS === 'true') for (const line of renderGithubAnnotations(report)) print(line);
  if (GITHUB_STEP_SUMMARY === '') return;
  try {
    await appendFile(GITHUB_STEP_SUMMARY, [...renderJobSummary(report)].join(''));
  } catch (error) {
    print(`Could not write the job summary: ${messageOf(error)}`);
  }
}
