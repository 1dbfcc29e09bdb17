import type { ConformCase } from './cases.js';
import { compareObservations } from './compare.js';
import {
  classifyOutcome,
  describeOutcomeDifferences,
  hasEnded,
  type OutcomeClass,
  outcomeOf,
} from './outcome.js';
import { CASE_LIMIT_MS, type Observation, type Performer, runCase } from './run-case.js';

/** How the outcomes of generated cases compare. */
export interface GeneratedConformity {
  readonly cases: readonly GeneratedCase[];
  readonly counts: Readonly<Record<OutcomeClass, number>>;
  /** Percentage of the judged cases that are equal or refused by name. */
  readonly percent: number;
  readonly fields: number;
  readonly equalFields: number;
}

export interface GeneratedCase {
  readonly id: string;
  readonly class: OutcomeClass;
  /** What the stand-in does not play, or what differs. */
  readonly details: readonly string[];
  readonly fields: number;
  readonly equalFields: number;
  readonly call: readonly string[];
  /** The steps of the script, and the settings files, in lines. */
  readonly setting: readonly string[];
}

/** Real programs that run at the same time. */
const AT_ONCE = 2;

/** Plays generated cases on both sides and classifies the outcomes. */
export async function conformGenerated(
  sides: { readonly standIn: string; readonly real: string },
  cases: readonly ConformCase[],
  onCase: (result: GeneratedCase) => void = () => {},
): Promise<GeneratedConformity> {
  const results: GeneratedCase[] = [];
  const waiting = [...cases];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await judgeCase(sides, next);
      results.push(result);
      onCase(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const count = (wanted: OutcomeClass) => results.filter((result) => result.class === wanted).length;
  const counts = {
    equal: count('equal'),
    refused: count('refused'),
    different: count('different'),
    unjudged: count('unjudged'),
    permissive: count('permissive'),
  };
  return {
    cases: results,
    counts,
    percent: (100 * (counts.equal + counts.refused)) / Math.max(1, results.length - counts.unjudged),
    fields: results.reduce((sum, { fields }) => sum + fields, 0),
    equalFields: results.reduce((sum, { equalFields }) => sum + equalFields, 0),
  };
}

async function judgeCase(
  sides: { readonly standIn: string; readonly real: string },
  item: ConformCase,
): Promise<GeneratedCase> {
  const standIn: Performer = { executable: sides.standIn, isStandIn: true };
  const ours = await runCase(item, standIn);
  const about = { id: item.id, call: item.calls[0] ?? [], setting: describeSetting(item) };
  const [first] = ours;
  const refusal = first?.exitCode === 70 ? outcomeOf(first).refusal : null;
  // What is refused before anything plays needs no comparison.
  if (refusal !== null) return { ...about, class: 'refused', details: [refusal], fields: 0, equalFields: 0 };
  const theirs = await runToItsEnd(item, { executable: sides.real, isStandIn: false });
  const { fields, differences } = compareObservations(ours, theirs);
  const [one, other] = [ours, theirs].map(([observation]) =>
    observation === undefined ? null : outcomeOf(observation),
  );
  if (one === undefined || one === null || other === undefined || other === null)
    throw new Error(`${item.id}: nothing ran.`);
  const kind = classifyOutcome(one, other, filesBefore(item));
  const details = kind === 'refused' ? [one.refusal ?? ''] : describeOutcomeDifferences(one, other);
  const ended = hasEnded(other);
  return {
    ...about,
    class: kind,
    details,
    fields: ended ? fields : 0,
    equalFields: ended ? fields - differences.length : 0,
  };
}

/** The files before the call, in the form of an observation, also under the names that links give them. */
function filesBefore({ files = {}, links = {}, home = {} }: ConformCase): Record<string, string> {
  const all = [
    ...Object.entries(files),
    ...Object.entries(home).map(([path, text]) => [`../home/${path}`, text] as const),
  ];
  const linked = Object.entries(links).flatMap(([link, target]) =>
    all
      .filter(([path]) => path === target || path.startsWith(`${target}/`))
      .map(([path, text]) => [link + path.slice(target.length), text] as const),
  );
  const hidePlaces = (text: string) => text.replaceAll(/\{\{(workspace|home)\}\}/g, '<base>/$1');
  return Object.fromEntries(
    [...Object.entries(files), ...linked].map(([path, text]) => [path, hidePlaces(text)]),
  );
}

/** Tries once more with more time if a call did not end: the machine may have been busy. */
async function runToItsEnd(item: ConformCase, performer: Performer): Promise<readonly Observation[]> {
  const observations = await runCase(item, performer);
  return observations.every(hasEnded) ? observations : runCase(item, performer, 3 * CASE_LIMIT_MS);
}

function describeSetting({ rules, files = {}, home = {} }: ConformCase): string[] {
  const steps = rules.flatMap(({ rule }) => rule.respond.steps);
  const settings = [
    ...Object.entries(files).map(([path, text]) => [path, text]),
    ...Object.entries(home).map(([path, text]) => [`~/${path}`, text]),
  ];
  return [
    ...steps.flatMap((step) => (step.do === 'tool' ? [`${step.name} ${JSON.stringify(step.input)}`] : [])),
    ...settings.flatMap(([path, text]) => (path?.includes('.claude') === true ? [`${path}: ${text}`] : [])),
  ];
}
