import { Document, isScalar, visit } from 'yaml';
import { type NamedCheck, nameChecks } from '../domain/check.js';
import { mapTexts } from '../domain/common/map-texts.js';
import { placesOf } from '../domain/proof/judge.js';
import type { ArrangedFile } from '../domain/scenario/arrangement.js';
import { failureOf, type Saboteur } from '../domain/scenario/saboteur.js';
import { sampleContext } from '../domain/scenario/sample-context.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';
import { blocks, tableOf as table } from './content/markdown.js';
import { cleanText, codeSpan, fencedBlock, INVISIBLE, inlineText } from './text/safe-text.js';
import { backendName } from './words/words.js';

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

/** Hides what differs between machines. */
type Hide = (text: string) => string;

/** Renders every word that reaches the model, or that it may find, in each variant of backends and lanes. */
function renderAsks(scenario: Scenario, hide: Hide): string {
  const places = scenario.backends.flatMap((backend) => scenario.lanes.map((lane) => ({ backend, lane })));
  const variants = new Map<string, Map<string, Place[]>>();
  for (const place of places) {
    for (const [title, body] of listSections(scenario, place, hide)) {
      const bodies = variants.get(title) ?? new Map<string, Place[]>();
      variants.set(title, bodies.set(body, [...(bodies.get(body) ?? []), place]));
    }
  }
  return blocks(
    ...[...variants].flatMap(([title, bodies]) =>
      [...bodies].map(([body, where]) => `${title}${describePlaces(where, places)}:\n\n${body}`),
    ),
  );
}

/** Where a scenario runs. */
interface Place {
  readonly backend: BackendId;
  readonly lane: Lane;
}

type Section = readonly [title: string, body: string];

function listSections(scenario: Scenario, { backend, lane }: Place, hide: Hide): readonly Section[] {
  const context = sampleContext(backend, lane);
  const yaml = (data: unknown) => yamlBlock(mapTexts(data, hide));
  const some = (title: string, data: Readonly<Record<string, unknown>> | undefined): Section[] => {
    const given = Object.entries(data ?? {}).filter(([, value]) => !isEmpty(value));
    return given.length === 0 ? [] : [[title, yaml(Object.fromEntries(given))]];
  };
  switch (scenario.kind) {
    case 'ralph': {
      const { prompt, config, files, ...rest } = scenario.arrange(context);
      return [
        ['Prompt', exactBlock(hide(prompt), 'text')],
        ['`ralph.yml`', yaml(config)],
        ...some('Also arranged', rest),
        ...some('Files', files && describeFiles(files)),
      ];
    }
    case 'conversation': {
      const { turns, plugins, workflow, files, ...rest } = scenario.arrange(context);
      return [
        ['Turns', yaml(turns)],
        ...some('Plugins', { plugins }),
        // Only its name: the workflow judges the conversation, and the model never sees it.
        ...some('Also arranged', { workflow: workflow?.name, ...rest }),
        ...some('Files', files && describeFiles(files)),
      ];
    }
    default:
      return scenario satisfies never;
  }
}

function describeFiles(files: Readonly<Record<string, ArrangedFile>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) =>
      typeof file === 'string'
        ? [path, describeText(file)]
        : [path, { mode: `0${file.mode.toString(8)}`, content: describeText(file.content) }],
    ),
  );
}

/** Of a long file, the page has both ends. */
function describeText(text: string): unknown {
  if (text.length <= 4000) return text;
  return { characters: text.length, begins: text.slice(0, 400), ends: text.slice(-400) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Says where a variant applies, if not everywhere: ` (live lane)`. */
function describePlaces(where: readonly Place[], everywhere: readonly Place[]): string {
  if (where.length === everywhere.length) return '';
  const backends = listBackends(where);
  const lanes = backends.map((backend) => lanesOf(backend, where).join(' and '));
  const [first] = lanes;
  if (backends.length === listBackends(everywhere).length && lanes.every((names) => names === first)) {
    return ` (${first} lane)`;
  }
  const named = backends.map((backend, index) =>
    lanesOf(backend, where).length === lanesOf(backend, everywhere).length
      ? backendName(backend)
      : `${backendName(backend)} in the ${lanes[index]} lane`,
  );
  return ` (${named.join(', ')})`;
}

function listBackends(places: readonly Place[]): BackendId[] {
  return [...new Set(places.map(({ backend }) => backend))];
}

function lanesOf(backend: BackendId, places: readonly Place[]): Lane[] {
  return places.filter((place) => place.backend === backend).map(({ lane }) => lane);
}

/** Renders a fenced block that hides nothing: invisible characters are written out. */
function exactBlock(text: string, language: string): string {
  const writeOut = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  // What is left of these belongs to an emoji.
  const visible = text
    .replace(INVISIBLE, writeOut)
    .replace(/(?!\u200d|\ufe0e|\ufe0f)[^\n\t\x20-\x7e]/gu, (character) =>
      cleanText(character) === character ? character : writeOut(character),
    );
  return fencedBlock(visible, { limit: Number.POSITIVE_INFINITY, whole: null, language });
}

/** Renders data as a block of YAML: multi-line strings unchanged, short lists such as commands on one line. */
function yamlBlock(data: unknown): string {
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (key, list) => {
      const words = list.items.map((item) => (isScalar(item) ? String(item.value) : '\n'));
      if (key !== null && !words.some((word) => word.includes('\n')) && words.join().length < 100) {
        list.flow = true;
      }
    },
  });
  return exactBlock(document.toString({ lineWidth: 0, blockQuote: 'literal' }), 'yaml');
}
