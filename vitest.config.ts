import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { contractPageInTests } from './scripts/contract.mjs';

// Node reads all of these certificates at each start, before the test's first line. No test asks anybody outside.
delete process.env.NODE_EXTRA_CA_CERTS;

/** A test file that begins with this line belongs to the project `whole`, whatever its folder. */
const MARK = '// Starts programs, or takes seconds: in the project `whole`.\n';

/** The projects besides `short`, which has everything else, by their folders below tests/. */
const PROJECTS = {
  /** Tests that start programs. */
  whole: [
    ...['attack', 'backends/claude/stand-in', 'cli/commands', 'differential', 'e2e', 'fixture-plugins'],
    ...['isolation', 'mcp', 'mcp-stub', 'run/prove', 'scripts', 'standin'],
  ],
  /** The stand-ins and their recordings, held to the real programs. */
  agreement: ['agreement'],
  browser: ['browser'],
  contributing: ['contributing'],
  real: ['real'],
  workflows: ['workflows'],
};

const REAL_PROGRAMS = {
  globalSetup: ['tests/real/support/find-programs.ts'],
  isolate: false,
  testTimeout: 900_000,
};

const marked = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `tests/${name.replaceAll('\\', '/')}`)
  .filter((path) => readFileSync(path, 'utf8').startsWith(MARK));

export default defineConfig({
  plugins: [contractPageInTests()],
  test: {
    globalSetup: ['tests/support/build-once.ts'],
    reporters: ['default', './tests/support/plain-summary.ts'],
    // Only against tests that hang: a busy machine may take ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      // Modules are loaded once for each worker, not once for each file: a quarter of the whole time. So no test may
      // leave anything behind in a module, in `process.env` or in the clock. `agreement` and `real` do the same.
      project('short', { isolate: false }),
      project('whole', { isolate: false }),
      project('browser', {}),
      project('contributing', { testTimeout: 900_000 }),
      project('agreement', REAL_PROGRAMS),
      project('real', REAL_PROGRAMS),
      project('workflows', { testTimeout: 600_000 }),
    ],
  },
});

function project(name: 'short' | keyof typeof PROJECTS, options: object) {
  const elsewhere = [...filesIn(Object.values(PROJECTS).flat()), ...marked];
  const files =
    name === 'short'
      ? { include: ['tests/**/*.test.ts'], exclude: elsewhere }
      : { include: [...filesIn(PROJECTS[name]), ...(name === 'whole' ? marked : [])] };
  return { extends: true as const, test: { name, ...files, ...options } };
}

function filesIn(folders: readonly string[]): string[] {
  return folders.map((folder) => `tests/${folder}/**/*.test.ts`);
}
