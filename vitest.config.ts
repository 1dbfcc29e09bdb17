import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node reads all of these certificates at each start, before the test's first line. No test asks anybody outside.
delete process.env.NODE_EXTRA_CA_CERTS;

/** The projects besides `short`, which has everything else, by their folders below tests/. */
const PROJECTS = {
  /** Tests that run the whole program many times. */
  whole: ['attack', 'differential', 'e2e', 'isolation', 'mcp', 'run/prove', 'scripts'],
  browser: ['browser'],
  contributing: ['contributing'],
  real: ['real'],
  workflows: ['workflows'],
};

const STARTS_PROGRAMS = /\/tests\/(?:cli|run|standin)\//;

/** What starts programs takes longest: it comes first, and the rest fills the workers to the end. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => STARTS_PROGRAMS.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    globalSetup: ['tests/support/build-once.ts'],
    reporters: ['default', './tests/support/plain-summary.ts'],
    // Only against tests that hang: a busy machine may take ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: ProgramsFirst },
    projects: [
      // Modules are loaded once for each worker, not once for each file: a quarter of the whole time. So no test may
      // leave anything behind in a module, in `process.env` or in the clock.
      project('short', { isolate: false }),
      project('whole', { isolate: false }),
      // The default of a second is short on a busy machine.
      project('browser', { testTimeout: 300_000, expect: { poll: { timeout: 60_000 } } }),
      project('contributing', { testTimeout: 900_000, hookTimeout: 300_000 }),
      project('real', { testTimeout: 900_000, hookTimeout: 300_000 }),
      project('workflows', { testTimeout: 600_000, hookTimeout: 300_000 }),
    ],
  },
});

function project(name: 'short' | keyof typeof PROJECTS, options: object) {
  const folders = name === 'short' ? [] : PROJECTS[name];
  const include = name === 'short' ? ['tests/**/*.test.ts'] : filesIn(folders);
  const exclude = name === 'short' ? filesIn(Object.values(PROJECTS).flat()) : [];
  return { extends: true as const, test: { name, include, exclude, ...options } };
}

function filesIn(folders: readonly string[]): string[] {
  return folders.map((folder) => `tests/${folder}/**/*.test.ts`);
}
