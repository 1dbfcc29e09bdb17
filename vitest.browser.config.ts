import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    reporters: ['verbose', './tests/support/plain-summary.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The default of a second is short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 1,
  },
});
