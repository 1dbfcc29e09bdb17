import { type NamedCheck, nameChecks } from '../../domain/check.js';
import { placesOf } from '../../domain/proof/judge.js';
import { FUNCTIONAL_REQUIREMENTS } from '../../domain/scenario/requirements.js';
import { BUILT_IN_SABOTEURS, CHEATS, failureOf, type Saboteur } from '../../domain/scenario/saboteur.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { tierTitle } from '../../domain/vocabulary.js';
import { blocks, table } from '../markdown/parts.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { backendName, countOf } from '../words/words.js';
import { renderAsks } from './asks.js';
import { findSharedFiles, renderSharedFiles } from './files.js';

/**
 * Renders docs/scenarios.md: every scenario, what it asks and checks, and what must make its checks fail. `root` is the
 * folder of this package, which the page hides.
 */
export function renderScenarioDocs(catalogue: readonly Scenario[], root: string): string {
  const tiers = [...new Set(catalogue.map(({ tier }) => tier))].sort();
  const hide = (text: string) => text.replaceAll(root, '<ralph-e2e>');
  const shared = findSharedFiles(catalogue, hide);
  return `${blocks(
    '# The scenarios',
    'This page is generated from the catalog. `npm run docs` updates it.',
    `${countOf(catalogue.length, 'scenario')}. In prompts and names of checks, \`nonce1234\`, 111, 222 and 444 stand for values that are random in each run. Three checks apply to every scenario: Ralph ends by itself, no process is left behind, and, in the offline lanes, the agent script answers every prompt.`,
    'The page prints word for word what each scenario arranges: the prompt and the `ralph.yml` of a loop (ralph-e2e adds `cli.backend`), the turns of a conversation, and everything else. If it differs between backends or lanes, each variant is printed.',
    'The last column of a table lists the saboteurs that must make a check fail; below the table is what each one breaks. `ralph-e2e prove` shows that they do. It also tries these saboteurs on every scenario:',
    Object.entries(BUILT_IN_SABOTEURS)
      .map(([name, what]) => `- ${codeSpan(name)}: ${inlineText(what)}`)
      .join('\n'),
    'and these cheats wherever they change something:',
    Object.entries(CHEATS)
      .map(([name, what]) => `- ${codeSpan(name)}: ${inlineText(what)}`)
      .join('\n'),
    '## Requirements and their scenarios',
    table(['Requirement', 'Scenarios'], listCoverage(catalogue)),
    ...tiers.flatMap((tier) => [
      `## ${tierTitle(tier)}`,
      ...catalogue
        .filter((scenario) => scenario.tier === tier)
        .map((scenario) => renderScenario(scenario, renderAsks(scenario, { shared, hide }))),
    ]),
    renderSharedFiles(shared),
  )}\n`;
}

function listCoverage(catalogue: readonly Scenario[]): string[][] {
  return Object.entries(FUNCTIONAL_REQUIREMENTS).map(([id, what]) => {
    const ids = catalogue.filter(({ covers }) => covers.includes(id)).map((scenario) => scenario.id);
    return [`${id}: ${inlineText(what)}`, ids.map((name) => `[${name}](#${name})`).join(', ') || 'none'];
  });
}

function renderScenario(scenario: Scenario, asks: string): string {
  const { id, description, priority, phase, covers, knownIssue } = scenario;
  const [backend = 'claude'] = scenario.backends;
  const [lane = 'sim'] = scenario.lanes.filter((name) => name !== 'live');
  const checks = nameChecks(scenario.expect(sampleContext(backend, lane)));
  const lanes = scenario.lanes.length === 3 ? '' : `, only in the ${scenario.lanes.join(' and ')} lane`;
  const facts = [
    priority,
    phase,
    `on ${scenario.backends.map(backendName).join(', ')}${lanes}`,
    ...(covers.length === 0 ? [] : [`covers ${covers.join(', ')}`]),
  ];
  return blocks(
    `### ${id}`,
    `${inlineText(description, 400)}. (${facts.join(' · ')})`,
    knownIssue === null
      ? ''
      : `🐞 Known issue up to version ${inlineText(knownIssue.upTo, 40)}: ${inlineText(knownIssue.reason, 600)}`,
    renderPressure(scenario),
    asks,
    renderChecks(checks, scenario.saboteurs),
    renderSaboteurs(scenario),
    renderNotApplicable(scenario),
  );
}

function renderPressure({ pressure, quality }: Scenario): string {
  return [
    ...pressure.map(
      ({ name, description, why }) =>
        `- Pressure: **${inlineText(name)}**, ${inlineText(description, 300)} (${inlineText(why, 300)})`,
    ),
    ...quality.map(
      ({ name, optimal, acceptable, concerning }) =>
        `- Quality: **${inlineText(name)}**: optimal ${inlineText(optimal)}; acceptable ${inlineText(acceptable)}; concerning ${inlineText(concerning)}`,
    ),
  ].join('\n');
}

function renderChecks(checks: readonly NamedCheck[], saboteurs: Scenario['saboteurs']): string {
  const letters = lettersOf(saboteurs);
  const rows = checks.map(({ key, kind, name, guard }, place) => {
    const killers = letters
      .filter(({ saboteur }) =>
        saboteur.kills.some((entry: string) => placesOf(entry, checks).includes(place)),
      )
      .map(({ letter }) => letter);
    const by = guard === undefined ? killers.join(', ') : `guard: ${inlineText(guard, 300)}`;
    return [codeSpan(key), inlineText(name, 300), codeSpan(kind), by];
  });
  return table(['Name', 'Check', 'Kind', 'Broken by'], rows);
}

function renderSaboteurs({ saboteurs }: Scenario): string {
  return lettersOf(saboteurs)
    .map(({ letter, name, saboteur }) => {
      const why = saboteur.why === undefined ? '' : `. ${inlineText(saboteur.why, 400)}`;
      return `- ${letter}: ${inlineText(name, 200)} (${describeSort(saboteur)}; ${failureOf(saboteur)})${why}`;
    })
    .join('\n');
}

function lettersOf(saboteurs: Scenario['saboteurs']) {
  return Object.entries(saboteurs).map(([name, saboteur], index) => ({
    letter: index < 26 ? String.fromCharCode(97 + index) : String(index + 1),
    name,
    saboteur,
  }));
}

function describeSort(saboteur: Saboteur): string {
  if ('agent' in saboteur) return 'breaks the agent';
  return 'config' in saboteur ? 'breaks the configuration' : `breaks Ralph: ${codeSpan(saboteur.target)}`;
}

function renderNotApplicable({ notApplicable }: Scenario): string {
  return Object.entries(notApplicable)
    .map(([name, reason]) => `- ${codeSpan(name)} is not applicable: ${inlineText(reason, 300)}`)
    .join('\n');
}
