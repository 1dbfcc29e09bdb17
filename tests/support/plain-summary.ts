import type { Reporter, TestModule } from 'vitest/node';

/** Ends a test run with one plain line that any tool can read, whatever the terminal reporter prints. */
class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state] += 1;
      }
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by the default export of its file
export default PlainSummary;
