import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runScenarios } from '../../src/index.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { agentThatRuns, connectOut } from '../isolation/escape.js';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';
import { useEngine } from './support/engine.js';
import { putOnPath } from './support/environment.js';

putOnPath('claude');
const bwrap = await probeBwrap(process.env.PATH);

const KINDS = [
  { isolation: 'bwrap', missing: bwrap.ok ? null : bwrap.detail },
  { isolation: 'docker', missing: await useEngine() },
] as const;

describe.each(KINDS)(
  'the real ralph and the real Claude Code inside $isolation',
  ({ isolation, missing }) => {
    const run = (commands: readonly string[], folder: string) =>
      runScenarios([agentThatRuns(...commands)], {
        ...{ backends: ['claude'], lane: 'scripted', ralph: requireProgram('ralph'), isolation },
        output: join(folder, '.e2e-tests'),
      });

    test.skipIf(missing !== null)(
      missing ?? 'do their work and try nothing outside by themselves',
      async () => {
        const { results } = await run([], tempFolder());
        expect(results[0]?.context?.stopped_by_isolation).toEqual([]);
        expect(results[0]?.assertions.filter(({ passed }) => !passed)).toEqual([]);
      },
    );

    test.skipIf(missing !== null)(missing ?? 'are stopped when they try, and it is reported', async () => {
      const folder = tempFolder();
      const escaped = join(folder, 'escaped.txt');
      const { results } = await run([`echo out > ${escaped}`, connectOut()], folder);
      expect(existsSync(escaped)).toBe(false);
      const stopped = results[0]?.context?.stopped_by_isolation.join('\n');
      expect(stopped).toContain(escaped);
      expect(stopped).toMatch(/sent something to an address outside/);
      expect(results[0]?.assertions.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual([
        'nothing tries to leave the sandbox',
      ]);
    });
  },
);
