import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTAINER_SCOPES } from '../../src/domain/evidence/isolation.js';
import { runScenarios } from '../../src/index.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { GIT_ATTACKS, LOSES_OBJECTS, talkWithAttacker } from '../isolation/hostile-git.js';
import { tempFolder } from '../support/cli.js';
import { useEngine } from './support/engine.js';

const bwrap = await probeBwrap(process.env.PATH);
const noEngine = await useEngine();

const KINDS = [
  { name: 'bwrap', isolation: 'bwrap', container: undefined, missing: bwrap.ok ? null : bwrap.detail },
  ...CONTAINER_SCOPES.map(
    (container) =>
      ({ name: `docker ${container}`, isolation: 'docker', container, missing: noEngine }) as const,
  ),
] as const;

describe.each(KINDS)(
  'an agent inside $name whose repo starts programs',
  ({ isolation, container, missing }) => {
    test.skipIf(missing !== null)(
      missing ?? 'starts none on this machine, and its work is seen',
      async () => {
        const folder = tempFolder();
        const markers = GIT_ATTACKS.map((_, index) => join(folder, `ran-${index}`));
        const attackers = GIT_ATTACKS.map((attack, index) => talkWithAttacker(attack, markers[index] ?? ''));
        const { results } = await runScenarios(attackers, {
          backends: ['claude'],
          output: join(folder, '.e2e-tests'),
          isolation,
          ...(container === undefined ? {} : { container }),
          jobs: 2,
        });
        expect(GIT_ATTACKS.filter((_, index) => existsSync(markers[index] ?? ''))).toEqual([]);
        const outcomes = new Map(results.map((result) => [result.scenario_description, result.outcome]));
        expect(outcomes).toEqual(
          new Map(GIT_ATTACKS.map((attack) => [attack, attack === LOSES_OBJECTS ? 'error' : 'passed'])),
        );
      },
    );
  },
);
