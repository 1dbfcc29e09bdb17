import type { Reporter, TestModule } from 'vitest/node';

/** How many of the slowest files a long run names. */
const SLOWEST = 25;

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
    if (modules.length > SLOWEST) process.stdout.write(describeSlowest(modules));
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}

/** Says where the time goes: in most runs a few files take most of it. */
function describeSlowest(modules: readonly TestModule[]): string {
  const lines = modules
    .map((module) => ({ seconds: module.diagnostic().duration / 1000, name: module.relativeModuleId }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ seconds, name }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`);
  return `The slowest files:\n${lines.join('\n')}\n`;
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by the default export of its file
export default PlainSummary;
