import { involvesRalph } from '../../domain/attempt.js';
import { describeContainment } from '../../domain/evidence/containment.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { groupSkips } from '../model/skips.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { backendName, countOf } from '../words/words.js';
import { blocks, fitItems, headAndTail, table } from './parts.js';

const SHOWN_ROWS = 12;
const BRIEF_ROWS = 3;
const SHOWN_IDS = 4;
/** So many bytes of names are worth reading. */
const NAMES_LIMIT = 1_500;

/** Renders what did not run, and why; beside a failure only the most frequent reasons. */
export function renderSkippedTests(
  results: readonly ReportResult[],
  { isBrief = false }: { isBrief?: boolean } = {},
): string {
  if (results.length === 0) return '';
  const most = isBrief ? BRIEF_ROWS : SHOWN_ROWS;
  const groups = groupSkips(results).toSorted((a, b) => (isBrief ? b.ids.length - a.ids.length : 0));
  const rows = groups.map(({ backend, reason, ids }) => [
    backendName(backend),
    String(ids.length),
    inlineText(reason, 400),
    describeIds(ids),
  ]);
  return blocks(
    `## ⏭️ Skipped Tests (${results.length})`,
    table(['Backend', 'Count', 'Reason', 'Tests'], rows.slice(0, most)),
    rows.length > most ? `${countOf(rows.length - most, 'more reason')} in report.json.` : '',
  );
}

function describeIds(ids: readonly string[]): string {
  const { kept, left } = headAndTail(ids, SHOWN_IDS);
  return [...kept.map((id) => codeSpan(id, 80)), ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

/** Renders the machine, and the names (never values) of visible credentials. */
export function renderEnvironment({ environment, target }: Report): string {
  const variables = Object.entries(environment.env_vars).map(
    ([name, set]) => `${codeSpan(name, 80)} ${set ? 'set' : 'not set'}`,
  );
  return blocks(
    '## 🖥️ Environment',
    [
      `- **OS:** ${inlineText(environment.os, 120)}`,
      `- **Node:** ${inlineText(environment.node, 60)}`,
      ...(involvesRalph(target) ? [`- **Ralph binary:** ${codeSpan(environment.ralph_binary, 400)}`] : []),
      `- **Workspace:** ${codeSpan(environment.workspace, 400)}`,
      `- **Isolation:** ${environment.isolation}`,
      ...(environment.containment === null
        ? []
        : [`- **Processes:** ${environment.containment}: ${describeContainment(environment.containment)}`]),
      `- **Credential variables:** ${variables.join(', ') || 'none asked for'}`,
      ...environment.inherited.map((what) => `- **Inherited from the user:** ${inlineText(what, 300)}`),
    ].join('\n'),
  );
}

/** Renders which workspaces the run left in the folder, and which of earlier runs are still there. */
export function renderWorkspaces({ kept_workspaces: { own, earlier } }: Report): string {
  const lines = [
    ...(own.length === 0 ? [] : [`- **Of this run:** ${listPaths(own)}`]),
    ...(earlier.length === 0 ? [] : [`- **Of earlier runs:** ${listPaths(earlier)}`]),
  ];
  return lines.length === 0 ? '' : blocks('## 📂 Kept Workspaces', lines.join('\n'));
}

function listPaths(paths: readonly string[]): string {
  return fitItems(
    paths.map((path) => codeSpan(path, 400)),
    { limit: NAMES_LIMIT, separator: ', ', more: (left) => `${left} more in report.json` },
  );
}

/** Renders where the files are that the run left on disk; the page of each test names its own. */
export function renderArtifacts({ artifacts }: Report): string {
  const [first] = artifacts;
  if (first === undefined) return '';
  return blocks(
    '## 📁 Artifacts',
    `${countOf(artifacts.length, 'folder')} with the output and evidence of attempts, such as ${codeSpan(first.path, 400)}: \`artifacts\` in report.json lists them.`,
  );
}
