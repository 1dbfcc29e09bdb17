import type { ComparableReport } from './comparable.js';

/** Lists what differs between two runs besides the results: each may explain a change that Ralph did not cause. */
export function listAlsoChanged(before: ComparableReport, after: ComparableReport): string[] {
  return [
    ...differing('ralph', before.ralph_version, after.ralph_version),
    ...differing('ralph-e2e', before.harness_version, after.harness_version),
    ...pairs(before, after, versionsOf, (backend) => backend),
    // Offline, a script is the model, and its name may be random.
    ...(before.lane === 'live' && after.lane === 'live'
      ? pairs(before, after, modelsOf, (backend) => `the model of ${backend}`)
      : []),
  ];
}

type Facts = ReadonlyMap<string, string>;

function pairs(
  before: ComparableReport,
  after: ComparableReport,
  read: (report: ComparableReport) => Facts,
  name: (backend: string) => string,
): string[] {
  const [was, is] = [read(before), read(after)];
  return [...was].flatMap(([backend, value]) => differing(name(backend), value, is.get(backend) ?? null));
}

function versionsOf({ backends_tested }: ComparableReport): Facts {
  return new Map(
    backends_tested.flatMap(({ backend, version }) => (version === null ? [] : [[backend, version]])),
  );
}

function modelsOf({ results }: ComparableReport): Facts {
  const models = new Map<string, string>();
  for (const backend of new Set(results.map((result) => result.backend))) {
    const found = results.flatMap((result) =>
      result.backend === backend ? (result.context?.usage?.model ?? []) : [],
    );
    if (found.length > 0) models.set(backend, [...new Set(found)].sort().join(' and '));
  }
  return models;
}

function differing(what: string, before: string | null, after: string | null): string[] {
  return before === null || after === null || before === after ? [] : [`${what}: ${before}, now ${after}`];
}
