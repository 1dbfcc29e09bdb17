import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { provideEngine } from '../../scripts/escapes/engine.mjs';
import { runScenarios } from '../../src/index.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { agentThatRuns, connectOut } from '../isolation/escape.js';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';

process.env.PATH = [dirname(requireProgram('claude')), process.env.PATH].join(delimiter);
const bwrap = await probeBwrap(process.env.PATH);
const engine = await provideEngine();
if ('stop' in engine) {
  if (engine.host !== undefined) process.env.DOCKER_HOST = engine.host;
  afterAll(engine.stop);
}

const KINDS = [
  { isolation: 'bwrap', missing: bwrap.ok ? null : bwrap.detail },
  { isolation: 'docker', missing: 'missing' in engine ? engine.missing : null },
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
