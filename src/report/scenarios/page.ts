import { type NamedCheck, nameChecks } from '../../domain/check.js';
import { placesOf } from '../../domain/proof/judge.js';
import { failureOf, type Saboteur } from '../../domain/scenario/saboteur.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { blocks, tableOf as table } from '../content/markdown.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { backendName } from '../words/words.js';
import { renderAsks } from './asks.js';

/**
 * Renders the page of one scenario: word for word what it arranges, what it checks, and what must make its checks
 * fail. `root` is the folder of this package, which the page hides.
 */
export function renderScenarioPage(scenario: Scenario, root: string): string {
  const asks = renderAsks(scenario, (text) => text.replaceAll(root, '<ralph-e2e>'));
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
    `# ${id}`,
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
