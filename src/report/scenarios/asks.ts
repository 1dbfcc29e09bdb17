import { mapTexts } from '../../domain/common/map-texts.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import { blocks } from '../markdown/parts.js';
import { exactBlock, yamlBlock } from '../text/exact-text.js';
import { backendName } from '../words/words.js';
import { describeFiles, type SharedFiles } from './files.js';

export interface AsksOptions {
  readonly shared: SharedFiles;
  /** Hides what differs between machines. */
  readonly hide: (text: string) => string;
}

/** Renders every word that reaches the model, or that it may find, in each variant of backends and lanes. */
export function renderAsks(scenario: Scenario, options: AsksOptions): string {
  const places = scenario.backends.flatMap((backend) => scenario.lanes.map((lane) => ({ backend, lane })));
  const variants = new Map<string, Map<string, Place[]>>();
  for (const place of places) {
    for (const [title, body] of listSections(scenario, place, options)) {
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

function listSections(
  scenario: Scenario,
  { backend, lane }: Place,
  { shared, hide }: AsksOptions,
): readonly Section[] {
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
        ...some('Files', files && describeFiles(files, shared, hide)),
      ];
    }
    case 'conversation': {
      const { turns, plugins, workflow, files, ...rest } = scenario.arrange(context);
      return [
        ['Turns', yaml(turns)],
        ...some('Plugins', { plugins }),
        // Only its name: the workflow judges the conversation, and the model never sees it.
        ...some('Also arranged', { workflow: workflow?.name, ...rest }),
        ...some('Files', files && describeFiles(files, shared, hide)),
      ];
    }
    default:
      return scenario satisfies never;
  }
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
