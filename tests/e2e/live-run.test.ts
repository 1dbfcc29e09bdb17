import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import type { Report } from '../../src/domain/report/report.js';
import { type BackendId, PRIMARY_BACKENDS } from '../../src/domain/vocabulary.js';
import { runHarness } from '../../src/harness/harness.js';
import { tempFolder } from '../support/cli.js';
import { type Behaviour, writeFakeAgents } from '../support/fake-agents.js';
import { liveRun } from '../support/live-run.js';

// What the command line makes of live runs is in tests/e2e/live-lane.test.ts; here are the agents, many in one process.

const BY_NAME = ['codex', 'gemini', 'pi'] as const;
const CONNECT = '/^(?:claude|kiro|opencode|codex|gemini|pi)-connect$/';
const TIER_2 =
  '/^(?:(?:claude|kiro|opencode|codex|gemini|pi)-single-iter|claude-multi-iter|claude-completion)$/';
const TIER_7 = '/^(?:timeout-handling|max-iterations|auth-failure|backend-unavailable)$/';

/** The results of a live run, with fakes on PATH where the real CLIs would be. */
async function runLive(
  backends: readonly BackendId[],
  filters: readonly string[],
  agents: { readonly behaviour: Behaviour; readonly loggedIn?: boolean },
): Promise<Report['results']> {
  const folder = tempFolder();
  const bin = writeFakeAgents(join(folder, 'bin'), agents.behaviour, agents);
  const { report } = await runHarness({
    ...liveRun(folder, bin),
    catalogue,
    backends,
    filters,
  });
  return report.results;
}

describe.each<Behaviour>(['does nothing', 'echoes its prompt'])('an agent that %s', (behaviour) => {
  test('passes no scenario', async () => {
    // Each in a run of its own: a backend that fails to connect has its other tiers skipped.
    const results = [
      ...(await runLive(PRIMARY_BACKENDS, [CONNECT], { behaviour })),
      ...(await runLive(PRIMARY_BACKENDS, [TIER_2, TIER_7], { behaviour })),
    ];
    expect(results).toHaveLength(20);
    const passed = results.filter((result) => result.passed).map(({ scenario_id }) => scenario_id);
    // In this one no agent takes part: ralph is given a backend that does not exist.
    expect(new Set(passed)).toEqual(new Set(['backend-unavailable']));
  });

  test('passes nothing as a CLI that is run by name', async () => {
    const results = [
      ...(await runLive(BY_NAME, [CONNECT], { behaviour })),
      ...(await runLive(BY_NAME, [TIER_2], { behaviour })),
    ];
    const outcomes = results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`);
    expect(outcomes).toEqual(
      ['connect', 'single-iter'].flatMap((name) => BY_NAME.map((backend) => `${backend}-${name} failed`)),
    );
  });
});

test('CLIs that are run by name are skipped when they are logged out', async () => {
  const results = await runLive(BY_NAME, [], { behaviour: 'adds numbers', loggedIn: false });
  expect(new Set(results.map(({ backend }) => backend)).size).toBe(BY_NAME.length);
  for (const { outcome, skip_reason } of results)
    expect([outcome, skip_reason]).toEqual(['skipped', expect.stringMatching(/not authenticated/)]);
});
