import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/real/**', 'tests/browser/**'],
    globalSetup: ['tests/support/build-once.ts'],
    reporters: ['default', './tests/support/plain-summary.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 3,
  },
});
