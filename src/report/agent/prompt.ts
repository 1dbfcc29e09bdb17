import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { Report } from '../../domain/report/report.js';
import { oneLine } from '../text/safe-text.js';

/** Renders the prompt that hands one cause to an agent, ready to paste. */
export function renderAgentPrompt(report: Report, cause: FailureCause): string {
  return `${oneLine(cause.hypothesis, 600)}\n${oneLine(report.verdict, 200)}\n`;
}
