import { PROMISES } from '../docs/ralph-contract.md';
import { BACKEND_IDS, type HeldPromise, type Scenario } from '../src/authoring.js';

/** Adds to each scenario the promises that its checks hold Ralph to, as docs/ralph-contract.md says. */
export function withPromises(scenarios: readonly Scenario[]): readonly Scenario[] {
  const held = promisesByScenario();
  return scenarios.map((scenario) => ({
    ...scenario,
    promises: { ...scenario.promises, ...Object.fromEntries(held.get(scenario.id) ?? []) },
  }));
}

/** The promises by the id of a scenario and the names of its checks. */
function promisesByScenario(): ReadonlyMap<string, ReadonlyMap<string, readonly HeldPromise[]>> {
  const held = new Map<string, Map<string, HeldPromise[]>>();
  const rows = PROMISES.map(({ holders, ...row }) => ({
    ...row,
    checked: holders.flatMap(({ scenario, except, checks }) =>
      idsOf(scenario, except).map((id) => ({ id, checks })),
    ),
  }));
  const bySource = new Map<string, Set<string>>();
  for (const { source, checked } of rows) {
    const ids = bySource.get(source) ?? new Set();
    bySource.set(source, ids);
    for (const { id } of checked) ids.add(id);
  }
  for (const { area, promise, source, about, checked } of rows) {
    const one: HeldPromise = {
      ...{ area, promise, source },
      ...(about === undefined ? {} : { about }),
      holders: {
        promise: new Set(checked.map(({ id }) => id)).size,
        source: bySource.get(source)?.size ?? 0,
      },
    };
    for (const { id, checks } of checked) {
      const ofScenario = held.get(id) ?? new Map<string, HeldPromise[]>();
      held.set(id, ofScenario);
      for (const check of checks) ofScenario.set(check, [...(ofScenario.get(check) ?? []), one]);
    }
  }
  return held;
}

/** The scenarios that `<backend>-connect` stands for: one for every backend except these. */
function idsOf(scenario: string, except: readonly string[]): readonly string[] {
  if (!scenario.includes('<backend>')) return [scenario];
  const backends = BACKEND_IDS.filter((id) => !except.includes(id));
  return backends.map((id) => scenario.replace('<backend>', id));
}
