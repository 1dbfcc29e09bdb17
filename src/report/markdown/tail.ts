import type { Report, ReportResult } from '../../domain/report/report.js';
import { groupSkips } from '../model/skips.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { backendName } from '../words/words.js';
import { blocks, table } from './parts.js';

/** Renders what did not run, and why. */
export function renderSkippedTests(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const rows = groupSkips(results).map(({ backend, reason, ids }) => [
    backendName(backend),
    String(ids.length),
    inlineText(reason, 400),
    ids.map((id) => codeSpan(id, 80)).join(', '),
  ]);
  return blocks(
    `## ⏭️ Skipped Tests (${results.length})`,
    table(['Backend', 'Count', 'Reason', 'Tests'], rows),
  );
}

/** Renders the machine, and the names (never values) of visible credentials. */
export function renderEnvironment({ environment }: Report): string {
  const variables = Object.entries(environment.env_vars).map(
    ([name, set]) => `${codeSpan(name, 80)} ${set ? 'set' : 'not set'}`,
  );
  return blocks(
    '## 🖥️ Environment',
    [
      `- **OS:** ${inlineText(environment.os, 120)}`,
      `- **Node:** ${inlineText(environment.node, 60)}`,
      `- **Ralph binary:** ${codeSpan(environment.ralph_binary, 400)}`,
      `- **Workspace:** ${codeSpan(environment.workspace, 400)}`,
      `- **Isolation:** ${environment.isolation}`,
      `- **Credential variables:** ${variables.join(', ') || 'none asked for'}`,
      ...environment.inherited.map((what) => `- **Inherited from the user:** ${inlineText(what, 300)}`),
    ].join('\n'),
  );
}

/** Renders the files that the run left on disk. */
export function renderArtifacts({ artifacts }: Report): string {
  if (artifacts.length === 0) return '';
  const rows = artifacts.map(({ path, description }) => [codeSpan(path, 400), inlineText(description, 200)]);
  return blocks('## 📁 Artifacts', table(['Path', 'What it is'], rows));
}
