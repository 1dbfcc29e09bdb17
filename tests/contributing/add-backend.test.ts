import { describe, expect, test } from 'vitest';
import * as z from 'zod';
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

/** The types alone take minutes on a busy machine. */
const LONG = { timeout: 2_400_000 };

const REGISTRY = 'src/domain/backends.ts';
const STAND_IN = 'src/standin/backend/backend.ts';

/** What CONTRIBUTING.md prints: the lines for the registry and the stand-in, the files by their paths, and the commands. */
const PAGE = readSection('Add a backend');
const [LINE = '', STAND_IN_LINE = ''] = [...PAGE.matchAll(/^```ts\n( {2}acme: .*\n)```$/gm)].map(
  ([, line = '']) => line,
);
const PRINTED = [...PAGE.matchAll(/^\*\*(src\/backends\/\S+)\*\*\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, path = '', text = '']) => ({ path, text }),
);

/** Our own schema does not know the backend of the copy. */
const REPORT = z.object({ results: z.array(z.object({ scenario_id: z.string(), outcome: z.string() })) });

describe('"Add a backend" in CONTRIBUTING.md', () => {
  test(
    'makes a backend that runs, is proved, plays scripts and passes the checks and tests',
    LONG,
    async () => {
      const copy = copyCheckout();
      addLine(copy);
      write(
        copy,
        STAND_IN,
        read(copy, STAND_IN).replace(/(^const NAMED: [\s\S]*?)(^\};)/m, `$1${STAND_IN_LINE}$2`),
      );
      for (const { path, text } of PRINTED) write(copy, path, text);
      const added = changedSince(copy);
      expect(added).toEqual([...PRINTED.map(({ path }) => path), REGISTRY, STAND_IN].sort());

      const { ends, failed } = await runAll(copy, readCommands(PAGE));
      expect(failed).toEqual([]);
      expect(ends.find(({ command }) => command.includes(' sim acme '))?.stdout).toBe('Hi.\n');
      const { results } = REPORT.parse(JSON.parse(read(copy, '.e2e-tests/report.json')));
      expect(results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`)).toEqual([
        'acme-connect passed',
        'acme-single-iter passed',
      ]);
      // The build writes one source, npm run docs the pages, and nobody has to touch another.
      expect(changedSince(copy)).toEqual(
        [...added, ...WRITTEN_PAGES, 'hello.yaml', 'src/backends/folders.ts'].sort(),
      );

      expect((await run(copy, 'node dist/cli.js --help')).stdout).toMatch(/gemini,\s+pi,\s+acme\b/);
      expect((await run(copy, 'node dist/cli.js doctor --lane sim')).stdout).toContain(
        '✔ Acme 0.0.17-g7618fb',
      );
      expect(await run(copy, 'node dist/cli.js acme --mock --model big')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--model big: Acme has no option for a model.'),
      });
      expect(await run(copy, `npx vitest run ${TESTS_OF_EVERY_BACKEND.join(' ')}`)).toMatchObject({
        code: 0,
      });
    },
  );

  test('neither the line nor the folder is enough', LONG, async () => {
    const copy = copyCheckout();
    addLine(copy);
    const another = (text: string) => text.replaceAll('acme', 'other');
    for (const { path, text } of PRINTED) write(copy, another(path), another(text));
    const { code, stdout } = await run(copy, 'npx tsc --noEmit');
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/^src\/backends\/index\.ts\(.*'acme' is missing/m);
    expect(stdout).toMatch(/^src\/backends\/other\/backend\.ts\(.*'"other"' is not assignable/m);
    expect(await run(copy, 'node scripts/build.mjs --no-types')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Could not resolve "./acme/backend.js"'),
    });
  });
});

/** What `npm run docs` writes anew for another backend. */
const WRITTEN_PAGES = ['docs/backends.md', 'docs/cli.md', 'scenarios/scenarios.lock'];

/** Tests that take their cases from the registry. */
const TESTS_OF_EVERY_BACKEND = [
  'tests/architecture.test.ts',
  'tests/contract',
  'tests/coverage',
  'tests/scenarios',
  'tests/agent/stand-in/stand-in.test.ts',
  'tests/report/failure-page/quick-fix.test.ts',
  'tests/backends/*.test.ts',
  'tests/lane',
  'tests/run/select',
  'tests/isolation/parts.test.ts',
  'tests/scripts/bytecode.test.ts',
  'tests/cli/commands/sim.test.ts',
  'tests/e2e/usage.test.ts',
  'tests/e2e/doctor-and-clean.test.ts',
  'tests/e2e/scripted.test.ts',
  'tests/e2e/mock-run.test.ts',
  'tests/e2e/several-backends.test.ts',
  'tests/e2e/companions.test.ts',
  'tests/e2e/docs.test.ts',
];

/** Puts the line at the end of the registry. */
function addLine(copy: string): void {
  const text = read(copy, REGISTRY);
  write(
    copy,
    REGISTRY,
    text.replace(/^\} as const satisfies/m, (end) => `${LINE}${end}`),
  );
}
