import type { ReportPlace } from '../../domain/report/formats.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { quoteCommand } from '../text/safe-text.js';

/** Makes the paths of a report relative to the folder in which it is written, so that they work in a copy of the folder. */
export function placePaths(report: Report, place: ReportPlace): Report {
  const { workspace } = report.environment;
  if (workspace === '') return report;
  const at = (path: string) => placePath(path, { root: workspace, run: report.run_id, place });
  return {
    ...report,
    environment: {
      ...report.environment,
      workspace: place === 'top' ? workspace : `${workspace}/runs/${report.run_id}`,
    },
    results: report.results.map((result) => placeResult(result, at)),
    kept_workspaces: {
      own: report.kept_workspaces.own.map(at),
      earlier: report.kept_workspaces.earlier.map(at),
    },
    artifacts: report.artifacts.map((artifact) => ({ ...artifact, path: at(artifact.path) })),
  };
}

function placeResult(result: ReportResult, at: (path: string) => string): ReportResult {
  const { artifacts, workspace, attempts, examined, baseline } = result;
  return {
    ...result,
    artifacts: artifacts === null ? null : at(artifacts),
    workspace: workspace === null ? null : at(workspace),
    attempts: attempts.map((attempt) => ({ ...attempt, artifacts: at(attempt.artifacts) })),
    get context() {
      const { context } = result;
      if (context === null) return null;
      return { ...context, stdout_path: at(context.stdout_path), stderr_path: at(context.stderr_path) };
    },
    examined: examined && { ...examined, artifacts: at(examined.artifacts) },
    baseline: baseline && { ...baseline, artifacts: at(baseline.artifacts) },
  };
}

function placePath(path: string, { root, run, place }: { root: string; run: string; place: ReportPlace }) {
  const inside = `${root}/`;
  if (!path.startsWith(inside)) return path;
  const relative = path.slice(inside.length);
  if (place === 'top') return relative;
  const own = `runs/${run}/`;
  return relative.startsWith(own) ? relative.slice(own.length) : `../../${relative}`;
}

/** Returns the folder of the run, where its pages are, with a slash at the end. */
export function runFolder({ environment, run_id }: Report): string {
  return environment.workspace === '' ? '' : `${environment.workspace}/runs/${run_id}/`;
}

/** Returns a command that works in any folder: it first goes where ralph-e2e was started. */
export function commandAnywhere({ environment }: Pick<Report, 'environment'>, command: string): string {
  return environment.started_in === '' || command === ''
    ? command
    : `${quoteCommand(['cd', environment.started_in])} && ${command}`;
}
