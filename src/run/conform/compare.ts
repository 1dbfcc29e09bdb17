import type { Observation } from './run-case.js';

/** A field that differs between the two sides. */
export interface FieldDifference {
  /** Which call and event, in words. */
  readonly where: string;
  readonly field: string;
  /** Undefined if this side does not have the field. */
  readonly standIn: string | undefined;
  readonly real: string | undefined;
}

export interface ObservationComparison {
  /** How many fields at least one side has. */
  readonly fields: number;
  readonly differences: readonly FieldDifference[];
}

/** Compares the observations of both sides over all fields that either side has. */
export function compareObservations(
  standIn: readonly Observation[],
  real: readonly Observation[],
): ObservationComparison {
  const parts = real.map((theirs, index) => compareCall(index, standIn[index], theirs));
  return {
    fields: parts.reduce((sum, { fields }) => sum + fields, 0),
    differences: parts.flatMap(({ differences }) => differences),
  };
}

function compareCall(
  index: number,
  ours: Observation | undefined,
  theirs: Observation,
): ObservationComparison {
  const where = `call ${index + 1}`;
  const frame = (call: Observation | undefined) =>
    call === undefined
      ? {}
      : { 'exit code': String(call.exitCode), stderr: call.stderr, ...prefix('file ', call.files) };
  const events = align(ours?.events ?? [], theirs.events).map(([one, other], position) =>
    compareFields(`${where}, event ${position + 1} (${keyOf(other ?? one)})`, flatten(one), flatten(other)),
  );
  const all = [compareFields(where, frame(ours), frame(theirs)), ...events];
  return {
    fields: all.reduce((sum, { fields }) => sum + fields, 0),
    differences: all.flatMap(({ differences }) => differences),
  };
}

function compareFields(
  where: string,
  ours: Readonly<Record<string, string>>,
  theirs: Readonly<Record<string, string>>,
): ObservationComparison {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  const differences = names
    .filter((name) => ours[name] !== theirs[name])
    .map((field) => ({ where, field, standIn: ours[field], real: theirs[field] }));
  return { fields: names.length, differences };
}

/** Pairs the events of both sides by kind, in order; an event without a partner gets `undefined`. */
function align(ours: readonly unknown[], theirs: readonly unknown[]): [unknown, unknown][] {
  const same = (one: number, other: number) => keyOf(ours[one]) === keyOf(theirs[other]);
  const lengths = ours.map(() => theirs.map(() => 0));
  const at = (one: number, other: number) => lengths[one]?.[other] ?? 0;
  for (let one = ours.length - 1; one >= 0; one -= 1) {
    for (let other = theirs.length - 1; other >= 0; other -= 1) {
      const row = lengths[one];
      if (row === undefined) continue;
      row[other] = same(one, other)
        ? at(one + 1, other + 1) + 1
        : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const pairs: [unknown, unknown][] = [];
  let [one, other] = [0, 0];
  while (one < ours.length || other < theirs.length) {
    if (one < ours.length && other < theirs.length && same(one, other))
      pairs.push([ours[one++], theirs[other++]]);
    else if (other >= theirs.length || (one < ours.length && at(one + 1, other) >= at(one, other + 1)))
      pairs.push([ours[one++], undefined]);
    else pairs.push([undefined, theirs[other++]]);
  }
  return pairs;
}

function keyOf(event: unknown): string {
  const { type, subtype } = toRecord(event);
  return subtype === undefined || type === 'result' ? String(type) : `${type}/${subtype}`;
}

/** Lists the leaves of an event by path. A list of plain values is one leaf, so that long lists do not dominate. */
function flatten(value: unknown, path = ''): Record<string, string> {
  if (value === undefined) return {};
  const isList = Array.isArray(value);
  if (
    typeof value !== 'object' ||
    value === null ||
    (isList && value.every((item) => typeof item !== 'object'))
  ) {
    return { [path]: hideChance(path, JSON.stringify(value)) };
  }
  const entries: [string, unknown][] = isList
    ? value.map((item, index) => [`[${index}]`, item])
    : Object.entries(value);
  if (entries.length === 0) return { [path]: isList ? '[]' : '{}' };
  return Object.assign(
    {},
    ...entries.map(([key, item]) =>
      flatten(item, path === '' || key.startsWith('[') ? `${path}${key}` : `${path}.${key}`),
    ),
  );
}

/** Replaces ids, times and durations, which differ in every run, by their kind. */
function hideChance(path: string, json: string): string {
  if (/(^|[._])(duration|ttft|time_to_request|first_content_frame|retry_delay)\w*$/.test(path))
    return '<milliseconds>';
  return json
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      FIXED_IDS.has(id) ? id : '<uuid>',
    )
    .replace(/(msg|req|toolu)_[0-9a-f]{32}/g, '<$1>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replace(/cc-socks\/\d+/g, 'cc-socks/<pid>');
}

/** Ids that the calls themselves pass: they must come back unchanged. */
const FIXED_IDS = new Set(['5f0c1d5e-7a53-4d39-9a53-0c5d1f6b8a11', '11111111-1111-4111-8111-111111111111']);

function prefix(head: string, record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [`${head}${name}`, value]));
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
