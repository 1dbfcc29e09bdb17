import type { Proof, ScenarioProof } from '../../domain/proof/proof.js';
import { BUILT_IN_SABOTEURS } from '../../domain/scenario/saboteur.js';
import { blocks, tableOf as table } from '../content/markdown.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { backendName, formatDuration } from '../words/words.js';
import {
  CELL_LEGEND,
  CELL_SIGNS,
  describeProof,
  describeProved,
  layOutMatrix,
  listFindings,
  nameProofVerdict,
  type ProofList,
} from './matrix.js';

/** Renders prove.md: verdict and problems first, then a matrix for each scenario. */
export function renderProofMarkdown(proof: Proof): string {
  const findings = listFindings(proof);
  return `${blocks(
    '# Proof of the catalogue',
    `## ${nameProofVerdict(proof)}`,
    inlineText(describeProof(proof), 400),
    renderNumbers(proof),
    ...findings.filter(({ wrong }) => wrong).map(renderList),
    ...findings.filter(({ wrong }) => !wrong).map(renderList),
    '## Every scenario',
    renderCommon(proof),
    '## The matrices',
    `${CELL_LEGEND}. The built-in saboteurs, which alone prove no check:`,
    Object.entries(BUILT_IN_SABOTEURS)
      .map(([name, what], index) => `${index + 1}. ${codeSpan(name)}: ${inlineText(what)}`)
      .join('\n'),
    ...proof.scenarios.map(renderScenario),
  )}\n`;
}

function renderNumbers({ totals, lane, harness_version, timestamp }: Proof): string {
  const named = `${totals.diagnosed} of ${totals.diagnosable}`;
  return table(
    ['What', 'Count'],
    [
      ['Scenarios', String(totals.scenarios)],
      ['Checks proved', `${totals.proved} of ${totals.checks}`],
      ['… by changed evidence, and with others by a real run', String(totals.proved_by_change)],
      ['Saboteurs noticed', `${totals.noticed} of ${totals.saboteurs}`],
      ['Honest variants tolerated', `${totals.tolerated} of ${totals.variants}`],
      ['Failures that the diagnosis names as their author does', named],
      ["Failures of the agent that are called the agent's", `${totals.blamed} of ${totals.blamable}`],
      ['Processes started', String(totals.processes_started)],
      ['Time', formatDuration(totals.seconds)],
      ['Lane', lane],
      ['Made', `${inlineText(timestamp, 40)} by ralph-e2e ${inlineText(harness_version, 40)}`],
    ],
  );
}

function renderList({ title, wrong, items }: ProofList): string {
  return blocks(
    `## ${wrong ? '🔴 ' : ''}${title} (${items.length})`,
    items.map((item) => `- ${inlineText(item, 600)}`).join('\n'),
  );
}

function renderCommon({ every_scenario }: Proof): string {
  const rows = every_scenario.map(({ name, state, killed_by, reason }) => [
    inlineText(name, 200),
    state,
    inlineText(state === 'proved' ? killed_by.slice(0, 3).join('; ') : (reason ?? ''), 300),
  ]);
  return blocks(
    'What every scenario is held to is proved once for all, by any scenario.',
    table(['Check', 'State', 'By'], rows),
  );
}

function renderScenario(scenario: ScenarioProof): string {
  const { id, backend, oracle } = scenario;
  const { columns, rows } = layOutMatrix(scenario);
  const own = columns.filter(({ saboteur }) => saboteur.origin !== 'built-in');
  return blocks(
    `### ${inlineText(id, 120)} on ${backendName(backend)}`,
    `Oracle: ${oracle.outcome}. ${describeProved(scenario)}.`,
    table(
      ['Check', ...columns.map(({ key }) => key)],
      rows.map(({ name, check, cells }) => [
        `${inlineText(name, 160)}${check === null || check.state === 'proved' ? '' : ` **(${check.state})**`}`,
        ...cells.map((cell) => CELL_SIGNS[cell]),
      ]),
    ),
    own
      .map(({ key, saboteur }) => {
        const { name, breaks, verdict, failure, diagnosed } = saboteur;
        const diagnosis = diagnosed === null || diagnosed === failure ? '' : `, diagnosed as ${diagnosed}`;
        return `- ${key}: ${inlineText(name, 200)} (${breaks}${failure === null ? '' : `, ${failure}${diagnosis}`})${verdict === 'noticed' ? '' : ` **${verdict}**`}`;
      })
      .join('\n'),
  );
}
