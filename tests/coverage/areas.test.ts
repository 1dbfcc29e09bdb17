import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { NO_BROWSER } from '../../scenarios/support/plugins.js';
import { sampleContext } from '../../src/domain/scenario/sample-context.js';
import type { Scenario } from '../../src/domain/scenario/scenario.js';
import { fixturePluginFolder } from '../../src/kinds/conversation/projects/fixture-plugins.js';
import { covers } from './covers.js';

interface Area {
  readonly needs: number;
  readonly scenarios: readonly string[];
}

/** The six areas: how many tests each needs, and which scenarios they are. Each scenario counts once. */
const AREAS = {
  installation: {
    needs: 3,
    scenarios: ['loads', 'installs', 'reinstalls'].flatMap((what) =>
      ['agent-loop', 'epti', 'visual-iteration', 'promptctl'].map((plugin) => `plugin-${what}-${plugin}`),
    ),
  },
  commands: {
    needs: 16,
    scenarios: (['agent-loop', 'epti', 'visual-iteration'] as const).flatMap((plugin) =>
      readdirSync(join(fixturePluginFolder(plugin), 'commands')).map(
        (file) => `command-${plugin}-${file.replace(/\.md$/, '')}`,
      ),
    ),
  },
  flows: {
    needs: 9,
    scenarios: [
      'agent-loop-commands-told-apart',
      'agent-loop-fourteen-turns',
      'flow-back-to-planning',
      'flow-bug-fixed-in-steps',
      'flow-cancelled-and-resumed',
      'flow-context-kept',
      'flow-file-history',
      'flow-question-asked-back',
      'flow-resumed-after-block',
    ],
  },
  behaviors: {
    needs: 9,
    scenarios: [
      'agent-loop-code-before-plan',
      'agent-loop-commit-without-plan',
      'behaviour-agent-mode',
      'behaviour-keeps-to-files-seen',
      'behaviour-missing-file',
      'epti-commit-on-red',
      'epti-early-code-refused',
      'epti-overfit-probe',
      'epti-tests-untouched',
      'visual-by-hand',
      'visual-css-really-changed',
      'visual-vague-feedback',
    ],
  },
  workflows: {
    needs: 6,
    scenarios: [
      'agent-loop-bugfix',
      'agent-loop-happy-path',
      'epti-tdd-discipline',
      'epti-twenty-two-turns',
      'visual-three-rounds',
      'visual-two-rounds',
    ],
  },
  integration: {
    needs: 3,
    scenarios: ['plugins-hooks-of-two', 'plugins-share-a-tool', 'plugins-together'],
  },
} satisfies Readonly<Record<string, Area>>;

/** Whether a lane without a model can run a scenario, on a machine with a browser. */
function isOffline({ lanes, unplayable }: Scenario): boolean {
  return (['sim', 'scripted'] as const).some(
    (lane) => lanes.includes(lane) && [undefined, NO_BROWSER].includes(unplayable[lane]),
  );
}

/** How a scenario is arranged in the scripted lane. All of these are conversations. */
function arrange({ scenarios }: Area) {
  return catalogue
    .filter(({ id }) => scenarios.includes(id))
    .flatMap((one) =>
      one.kind === 'conversation'
        ? [{ id: one.id, ...one.arrange(sampleContext('claude', 'scripted')) }]
        : [],
    );
}

describe('the areas of plugin tests', () => {
  covers('H74');

  test.each(Object.entries(AREAS))(
    '%s: all are in the catalogue and run offline, and there are enough',
    (area, { needs, scenarios }) => {
      const found = catalogue.filter(({ id }) => scenarios.includes(id)).filter(isOffline);
      expect(found.map(({ id }) => id).toSorted()).toEqual([...scenarios].toSorted());
      expect(found.length, area).toBeGreaterThanOrEqual(needs);
    },
  );

  test('commands are all of the three plugins that have any', () => {
    expect(AREAS.commands.scenarios).toHaveLength(16);
  });

  test('flows have several turns, workflows at least four, integrations several plugins', () => {
    for (const { id, turns } of arrange(AREAS.flows)) expect(turns.length, id).toBeGreaterThan(1);
    for (const { id, turns } of arrange(AREAS.workflows)) expect(turns.length, id).toBeGreaterThanOrEqual(4);
    for (const { id, plugins } of arrange(AREAS.integration)) expect(plugins?.length, id).toBeGreaterThan(1);
  });
});

test('at least 46 of these tests run offline, each counted once', () => {
  covers('H76');
  const ids = Object.values(AREAS).flatMap(({ scenarios }) => scenarios);
  expect(new Set(ids).size).toBe(ids.length);
  expect(catalogue.filter(({ id }) => ids.includes(id)).filter(isOffline).length).toBeGreaterThanOrEqual(46);
});
