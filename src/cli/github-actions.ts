import { appendFile } from 'node:fs/promises';
import { messageOf } from '../domain/common/message-of.js';
import type { Report } from '../domain/report/report.js';
import { renderGithubAnnotations, renderGithubSummary } from '../report/github.js';

/**
 * Shows the report where GitHub's workflows show things: annotations as commands in the output, the summary appended to
 * the file that the step was given. Outside of a workflow it does nothing. A summary that cannot be written is said and
 * fails no run.
 */
export async function publishToGithub(
  report: Report,
  { env, print }: { readonly env: NodeJS.ProcessEnv; readonly print: (line: string) => void },
): Promise<void> {
  const { GITHUB_ACTIONS = '', GITHUB_STEP_SUMMARY = '' } = env;
  if (GITHUB_ACTIONS === 'true') for (const line of renderGithubAnnotations(report)) print(line);
  if (GITHUB_STEP_SUMMARY === '') return;
  try {
    await appendFile(GITHUB_STEP_SUMMARY, [...renderGithubSummary(report)].join(''));
  } catch (error) {
    print(`The job summary was not written: ${messageOf(error)}`);
  }
}
