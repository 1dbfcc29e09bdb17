import { mapTexts } from '../../domain/common/map-texts.js';
import type { ArrangedFile } from '../../domain/scenario/arrangement.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import { blocks } from '../content/markdown.js';
import { exactBlock, yamlBlock } from '../text/exact-text.js';
import { backendName } from '../words/words.js';

/** Hides what differs between machines. */
type Hide = (text: string) => string;

/** Renders every word that reaches the model, or that it may find, in each variant of backends and lanes. */
export function renderAsks(scenario: Scenario, hide: Hide): string {
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
