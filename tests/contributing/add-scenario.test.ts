import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import {
  changedSince,
  copyCheckout,
  read,
  readCommands,
  readSection,
  run,
  runAll,
  write,
} from './support/checkout.js';

/** What CONTRIBUTING.md prints: the file, the import, the scenario and the commands. */
const PAGE = readSection('Add a scenario');
const FILE = /`(scenarios\/\S+\.ts)`/.exec(PAGE)?.[1] ?? '';
const [IMPORT = '', SCENARIO = ''] = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);

describe('"Add a scenario" in CONTRIBUTING.md', () => {
  test('makes a scenario that passes, is proved and passes the static checks, in one file and a page', async () => {
    const copy = copyCheckout();
    write(copy, FILE, addScenario(read(copy, FILE)));
    expect(changedSince(copy)).toEqual([FILE]);

    const { failed, ends } = await runAll(copy, readCommands(PAGE));
    expect(failed).toEqual([]);
    expect(ends.find(({ command }) => command.includes(' prove '))?.stdout).toContain('3 of 3 checks proved');
    const { results } = reportSchema.parse(JSON.parse(read(copy, '.e2e-tests/report.json')));
    expect(results.map(({ scenario_id, backend, outcome }) => [scenario_id, backend, outcome])).toEqual(
      ['claude', 'kiro', 'opencode'].map((backend) => ['shout', backend, 'passed']),
    );
    expect(changedSince(copy)).toEqual([FILE, 'scenarios/scenarios.lock']);
    // What holds for every scenario holds for this one: nobody has to touch a test.
    const tests = ['tests/scenarios', 'tests/domain/scenario', 'tests/run/select'];
    expect(await run(copy, `npx vitest run ${tests.join(' ')}`)).toMatchObject({ code: 0 });
  });
});

/** Does what steps 2 and 3 say. */
function addScenario(text: string): string {
  const names = (source: string) =>
    (/import \{([\s\S]*?)\} from '\.\.\/\.\.\/src\/authoring\.js';/.exec(source)?.[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  const missing = names(IMPORT).filter((name) => !names(text).includes(name));
  const plain = (name: string) => name.replace(/^type /, '').toLowerCase();
  const all = [...names(text), ...missing].sort((one, other) => (plain(one) < plain(other) ? -1 : 1));
  return text
    .replace(
      /^import \{\n[\s\S]*?(?=\} from)/,
      () => `import {\n${all.map((name) => `  ${name},\n`).join('')}`,
    )
    .replace(/^export const \w+ = \[.*(?=\];)/m, (list) => `${SCENARIO}\n${list}, shout`);
}
