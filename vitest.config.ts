import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Node reads all of these certificates at each start, before the test's first line. No test asks anybody outside.
delete process.env.NODE_EXTRA_CA_CERTS;

/** Tests that run the whole program many times. `npm test` stays short without them; they are `npm run test:whole`. */
const WHOLE_PROGRAM = ['attack', 'differential', 'e2e', 'isolation', 'mcp', 'run/prove', 'scripts'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);
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
    // Modules are loaded once for each worker, not once for each file: a quarter of the whole time. So no test may
    // leave anything behind in a module, in `process.env` or in the clock.
    isolate: false,
    sequence: { sequencer: ProgramsFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['tests/**/*.test.ts'],
          exclude: [
            ...WHOLE_PROGRAM,
            'tests/real/**',
            'tests/browser/**',
            'tests/contributing/**',
            'tests/workflows/**',
          ],
        },
      },
      { extends: true, test: { name: 'whole', include: WHOLE_PROGRAM } },
    ],
  },
});
